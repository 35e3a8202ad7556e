package redact

// cloudRules are the keys of clouds, hosts and infrastructure services.
func cloudRules() []Rule {
	return append(
		tokens(cloudTokens[:], azureTokens[:], hostTokens[:], dataTokens[:], monitorTokens[:], identityTokens[:]),
		azureStorageKey(), azureClientSecret(), terraformToken(), presignedURL(), convexKey(), oneTimeSecret(),
	)
}

// cloudTokens are the keys of the large clouds.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var cloudTokens = [...]tokenRow{
	{"aws-access-key-id", "an AWS access key id", "in the AWS IAM console", shape{prefixes: []string{
		"AKIA", "ASIA", "AGPA", "AIDA", "AROA", "AIPA", "ANPA", "ANVA", "ABIA", "ACCA",
	}, body: isUpperNum, min: 16, exact: true}},
	{"aws-session-token", "an AWS session token", "in the AWS IAM console", shape{prefixes: []string{
		"IQoJb3JpZ2lu", "FwoGZXIvYXdz", "FQoGZXIvYXdz", "FwoDYXdz", "FQoDYXdz",
	}, body: isBase64, min: 80, digit: true, alone: true}},
	{"aws-bedrock-key", "an Amazon Bedrock API key", "in the AWS console", shape{prefixes: []string{
		"ABSKQmVkcm9ja0FQSUtleS", "bedrock-api-key-",
	}, body: isBase64, min: 28, digit: true}},
	{"aws-appsync-key", "an AWS AppSync API key", "in the AWS AppSync console", shape{prefixes: []string{"da2-"}, body: isLowerNum, min: 26, exact: true, alone: true, digit: true}},
	{"amazon-mws-token", "an Amazon MWS token", "in the Amazon seller console", shape{prefixes: []string{"amzn.mws."}, layout: "U"}},
	{"amazon-login-secret", "a client secret of Login with Amazon", "at developer.amazon.com", shape{prefixes: []string{"amzn1.oa2-cs.v1."}, body: isHex, min: 32}},
	{"amazon-login-token", "a token of Login with Amazon", "at developer.amazon.com", shape{prefixes: []string{"Atza|", "Atzr|"}, body: isBase64, min: 40}},
	{"google-api-key", "a Google API key", "in the Google Cloud console", shape{prefixes: []string{"AIza"}, body: isURLSafe, min: 35}},
	{"gemini-key", "a Gemini API key", "at aistudio.google.com", shape{prefixes: []string{"AQ.Ab"}, body: isURLSafe, min: 40, alone: true, digit: true}},
	{"google-oauth-secret", "a Google OAuth client secret", "in the Google Cloud console", shape{prefixes: []string{"GOCSPX-"}, body: isURLSafe, min: 24}},
	{"google-oauth-token", "a Google OAuth access token", "at myaccount.google.com", shape{prefixes: []string{"ya29."}, body: isDotted, min: 20}},
	{"google-refresh-token", "a Google OAuth refresh token", "at myaccount.google.com", shape{prefixes: []string{"1//0"}, body: isURLSafe, min: 40, alone: true}},
	{"google-hmac-key-id", "the id of a Google Cloud HMAC key", "in the Google Cloud console", shape{prefixes: []string{"GOOG1"}, body: isUpperNum, min: 19, alone: true, digit: true}},
	{"firebase-messaging-key", "a Firebase messaging key", "in the Firebase console", shape{prefixes: []string{":APA91b"}, body: isURLSafe, min: 120, lead: 11}},
	{"alibaba-key-id", "an Alibaba Cloud access key id", "in the Alibaba Cloud console", shape{prefixes: []string{"LTAI"}, body: isAlnum, min: 16, alone: true}},
	{"alibaba-session-key", "an Alibaba Cloud session key or token", "in the Alibaba Cloud console", shape{prefixes: []string{"STS.N", "CAIS"}, body: isBase64, min: 20, alone: true, mixed: true}},
	{"tencent-key-id", "a Tencent Cloud secret id", "in the Tencent Cloud console", shape{prefixes: []string{"AKID"}, body: isAlnum, min: 32, alone: true, mixed: true}},
	{"volcengine-key-id", "a Volcengine access key id", "in the Volcengine console", shape{prefixes: []string{"AKLT"}, body: isBase64, min: 30, alone: true, digit: true}},
	{"baidu-key", "a Baidu Cloud key", "in the Baidu Cloud console", shape{prefixes: []string{"ALTAK-"}, layout: "a21,22/x40", alone: true}},
	{"baidu-key-id", "a Baidu Cloud access key id", "in the Baidu Cloud console", shape{prefixes: []string{"ALTAK"}, layout: "a21", alone: true, mixed: true}},
	{"jdcloud-key-id", "a JD Cloud access key id", "in the JD Cloud console", shape{prefixes: []string{"JDC_"}, body: isUpperNum, min: 25, alone: true}},
	{"yandex-key", "a Yandex Cloud API key", "in the Yandex Cloud console", shape{prefixes: []string{"AQVN"}, body: isURLSafe, min: 35, alone: true, mixed: true}},
	{"yandex-token", "a Yandex token", "at id.yandex.ru", shape{prefixes: []string{"y0_", "y1_", "y2_", "y3_"}, body: isURLSafe, min: 50, alone: true, mixed: true}},
	{"yandex-iam-token", "a Yandex Cloud IAM token", "in the Yandex Cloud console", shape{prefixes: []string{"t1."}, layout: "b7+.b80+", alone: true}},
	{"yandex-storage-key", "a key of a Yandex Cloud service account", "in the Yandex Cloud console", shape{prefixes: []string{"YCM", "YCN", "YCO", "YCP"}, body: isURLSafe, min: 37, exact: true, alone: true, mixed: true}},
	{"scaleway-key-id", "a Scaleway access key", "in the Scaleway console", shape{prefixes: []string{"SCW"}, body: isUpperNum, min: 17, exact: true, alone: true, digit: true}},
	{"exoscale-key", "an Exoscale API key", "in the Exoscale portal", shape{prefixes: []string{"EXO"}, body: isAlnum, min: 24, alone: true, digit: true}},
	{"upcloud-token", "an UpCloud API token", "at hub.upcloud.com", shape{prefixes: []string{"ucat_"}, body: isAlnum, min: 24, alone: true}},
	{"digitalocean-token", "a DigitalOcean token", "in the DigitalOcean control panel", shape{prefixes: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, body: isHex, min: 64}},
	{"digitalocean-spaces-key", "a key of DigitalOcean Spaces", "in the DigitalOcean control panel", shape{prefixes: []string{"DO00", "DO801"}, body: isUpperNum, min: 15, alone: true, digit: true}},
	{"akamai-token", "an Akamai token", "in the Akamai control center", shape{prefixes: []string{"akab-"}, layout: "a16-a16"}},
	{"cloudflare-token", "a Cloudflare token", "in the Cloudflare dashboard", shape{prefixes: []string{"cfut_", "cfat_", "cfk_"}, body: isURLSafe, min: 36, digit: true, alone: true}},
	{"cloudflare-origin-key", "a Cloudflare origin CA key", "in the Cloudflare dashboard", shape{prefixes: []string{"v1.0-"}, body: isOriginKey, min: 160, alone: true}},
	{"cloudflare-tunnel-token", "the token of a Cloudflare tunnel", "in the Cloudflare dashboard", shape{prefixes: []string{"eyJhIjoi"}, body: isBase64, min: 100, alone: true, digit: true}},
	{"turnstile-secret", "a secret key of Cloudflare Turnstile", "in the Cloudflare dashboard", shape{prefixes: []string{"0x4AAAAAA"}, body: isURLSafe, min: 26, alone: true}},
	{"google-oauth-code", "a Google OAuth code", "at myaccount.google.com", shape{prefixes: []string{"4/0A"}, body: isURLSafe, min: 40, alone: true, mixed: true}},
	{"firebase-refresh-token", "a Firebase refresh token", "in the Firebase console", shape{prefixes: []string{"AMf-vB"}, body: isURLSafe, min: 60, alone: true}},
	{"backblaze-key", "a Backblaze application key", "at secure.backblaze.com", shape{prefixes: []string{"K000", "K001", "K002", "K003", "K004", "K005"}, body: isSecretKey, min: 27, exact: true, alone: true, mixed: true}},
}

func isOriginKey(c byte) bool { return isHex(c) || c == '-' }

func azureStorageKey() Rule {
	return Rule{
		ID: "azure-key", Severity: Block, shape: true,
		Why:      "looks like an Azure account or shared access key",
		Advice:   "rotate it in the Azure portal, then leave it out of the packet",
		keywords: []string{"accountkey=", "sharedaccesskey=", "sharedsecretkey=", "accesskey="},
		find:     pattern(0, 200, `(?i)^[a-z]*key=([A-Za-z0-9+/]{40,}={0,2})`),
	}
}

func azureClientSecret() Rule {
	return Rule{
		ID: "azure-client-secret", Severity: Block, shape: true,
		Why:      "looks like a client secret of Microsoft Entra",
		Advice:   "rotate it in the Azure portal, then leave it out of the packet",
		keywords: []string{"q~"},
		find:     following(pattern(4, 40, `[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}`)),
	}
}

func presignedURL() Rule {
	return Rule{
		ID: "presigned-url", Severity: Block, shape: true,
		Why:      "looks like the signature of an address that opens a file without a login",
		Advice:   "let it expire or revoke its key, and write the address without its query",
		keywords: []string{"x-amz-signature=", "x-goog-signature=", "sig="},
		find:     pattern(0, 600, `(?i)^(?:x-(?:amz|goog)-signature=([0-9a-f]{64,512})|sig=([A-Za-z0-9%]{43,63}(?:%3D|=)|[A-Za-z0-9_-]{43}\b))`),
	}
}

func terraformToken() Rule {
	return Rule{
		ID: "terraform-token", Severity: Block, shape: true,
		Why:      "looks like a HCP Terraform token",
		Advice:   "revoke it at app.terraform.io, then leave it out of the packet",
		keywords: []string{".atlasv1."},
		find:     following(pattern(14, 128, `[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,128}`)),
	}
}

// accountRules are names that tell the account of a customer.
func accountRules() []Rule {
	return []Rule{{
		ID: "aws-arn", Severity: Warn,
		Why:      "looks like the name of an AWS resource with its account number",
		Advice:   "name the resource without the account",
		keywords: []string{"arn:aws"},
		find:     pattern(0, 200, `^arn:aws[a-z-]{0,8}:[a-z0-9-]+:[a-z0-9-]*:[0-9]{12}:[A-Za-z0-9_/.:@*+=-]+`),
		public:   []string{"arn:aws"},
	}}
}
