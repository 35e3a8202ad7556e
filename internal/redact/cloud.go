package redact

// cloudRules are the keys of clouds, hosts and infrastructure services.
func cloudRules() []Rule {
	return []Rule{
		token("aws-access-key-id", "an AWS access key id", "in the AWS IAM console",
			shape{prefixes: []string{
				"AKIA", "ASIA", "AGPA", "AIDA", "AROA", "AIPA", "ANPA", "ANVA", "ABIA", "ACCA",
			}, body: isUpperNum, min: 16, exact: true}),
		token("aws-bedrock-key", "an Amazon Bedrock API key", "in the AWS console",
			shape{prefixes: []string{"ABSKQmVkcm9ja0FQSUtleS"}, body: isBase64, min: 60}),
		token("google-api-key", "a Google API key", "in the Google Cloud console",
			shape{prefixes: []string{"AIza"}, body: isURLSafe, min: 35}),
		token("google-oauth-secret", "a Google OAuth client secret", "in the Google Cloud console",
			shape{prefixes: []string{"GOCSPX-"}, body: isURLSafe, min: 24}),
		token("google-oauth-token", "a Google OAuth access token", "at myaccount.google.com",
			shape{prefixes: []string{"ya29."}, body: isDotted, min: 20}),
		token("google-refresh-token", "a Google OAuth refresh token", "at myaccount.google.com",
			shape{prefixes: []string{"1//0"}, body: isURLSafe, min: 40, alone: true}),
		token("digitalocean-token", "a DigitalOcean token", "in the DigitalOcean control panel",
			shape{prefixes: []string{"dop_v1_", "doo_v1_", "dor_v1_"}, body: isHex, min: 64}),
		azureStorageKey(),
		azureClientSecret(),
		token("alibaba-key-id", "an Alibaba Cloud access key id", "in the Alibaba Cloud console",
			shape{prefixes: []string{"LTAI"}, body: isAlnum, min: 16, alone: true, digit: true}),
		token("vault-token", "a HashiCorp Vault token", "with vault token revoke",
			shape{prefixes: []string{"hvs.", "hvb.", "hvr."}, body: isURLSafe, min: 24}),
		terraformToken(),
		token("pulumi-token", "a Pulumi access token", "at app.pulumi.com",
			shape{prefixes: []string{"pul-"}, body: isHex, min: 40, alone: true}),
		token("doppler-token", "a Doppler token", "in the Doppler dashboard",
			shape{prefixes: []string{"dp.pt.", "dp.st.", "dp.sa.", "dp.ct.", "dp.scim.", "dp.audit."}, body: isDotted, min: 40}),
		token("databricks-token", "a Databricks token", "in the Databricks settings",
			shape{prefixes: []string{"dapi"}, body: isHex, min: 32, alone: true, digit: true}),
		token("planetscale-token", "a PlanetScale credential", "in the PlanetScale dashboard",
			shape{prefixes: []string{"pscale_tkn_", "pscale_pw_", "pscale_oauth_"}, body: isDotted, min: 32}),
		token("supabase-token", "a Supabase token", "in the Supabase dashboard",
			shape{prefixes: []string{"sbp_", "sb_secret_"}, body: isURLSafe, min: 30, digit: true}),
		token("vercel-token", "a Vercel token", "in the Vercel dashboard",
			shape{prefixes: []string{"vercel_blob_rw_"}, body: isWord, min: 30}),
		token("netlify-token", "a Netlify token", "in the Netlify user settings",
			shape{prefixes: []string{"nfp_"}, body: isAlnum, min: 36}),
		token("fly-token", "a Fly.io token", "with fly tokens revoke",
			shape{prefixes: []string{"fm1_", "fm2_", "fo1_", "fm1r_", "fm1a_"}, body: isBase64, min: 40, alone: true, digit: true}),
		token("heroku-key", "a Heroku API key", "in the Heroku account settings",
			shape{prefixes: []string{"HRKU-"}, body: isURLSafe, min: 36}),
		token("cloudflare-origin-key", "a Cloudflare origin CA key", "in the Cloudflare dashboard",
			shape{prefixes: []string{"v1.0-"}, body: isOriginKey, min: 160, alone: true}),
		token("tailscale-key", "a Tailscale key", "in the Tailscale admin console",
			shape{prefixes: []string{"tskey-"}, body: isURLSafe, min: 20, digit: true}),
		token("grafana-token", "a Grafana token", "in the Grafana settings",
			shape{prefixes: []string{"glsa_", "glc_"}, body: isBase64, min: 32, digit: true}),
		token("new-relic-key", "a New Relic user key", "at one.newrelic.com",
			shape{prefixes: []string{"NRAK-"}, body: isUpperNum, min: 27}),
		token("dynatrace-token", "a Dynatrace token", "in the Dynatrace settings",
			shape{prefixes: []string{"dt0c01.", "dt0s01."}, body: isDotted, min: 64}),
		token("onepassword-token", "a 1Password service account token", "at 1password.com",
			shape{prefixes: []string{"ops_eyJ"}, body: isBase64, min: 100}),
		token("prefect-token", "a Prefect API key", "at app.prefect.cloud",
			shape{prefixes: []string{"pnu_"}, body: isAlnum, min: 36}),
	}
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
