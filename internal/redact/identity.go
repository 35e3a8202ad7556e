package redact

// identityTokens are the keys of services for accounts, logins and secrets.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var identityTokens = [...]tokenRow{
	{"onepassword-token", "a 1Password service account token", "at 1password.com", shape{prefixes: []string{"ops_eyJ"}, body: isBase64, min: 100}},
	{"onepassword-secret-key", "a 1Password secret key", "at 1password.com", shape{prefixes: []string{"A3-"}, layout: "u6-u11-u5-u5-u5", alone: true}},
	{"onepassword-account-key", "a 1Password secret key", "at 1password.com", shape{prefixes: []string{"A3-"}, layout: "u6-u6-u5-u5-u5-u5", alone: true}},
	{"bitwarden-token", "an access token of Bitwarden Secrets Manager", "at vault.bitwarden.com", shape{prefixes: []string{"0."}, layout: "U.a30:b22+", alone: true}},
	{"infisical-token", "an Infisical service token", "at app.infisical.com", shape{prefixes: []string{"st."}, layout: "x24.x32.x32", alone: true}},
	{"phase-token", "a Phase token", "at console.phase.dev", shape{prefixes: []string{"pss_service:v", "pss_user:v"}, body: isColoned, min: 60}},
	{"okta-token", "an Okta API token", "in the Okta admin console", shape{prefixes: []string{"00"}, body: isURLSafe, min: 40, exact: true, alone: true, mixed: true}},
	{"authress-key", "an Authress access key", "at authress.io", shape{prefixes: []string{"sc_", "ext_", "scauth_", "authress_"}, layout: "a5,30.a4,6.w14,40.b30+", alone: true}},
	{"stytch-secret", "a Stytch secret", "at stytch.com/dashboard", shape{prefixes: []string{"secret-live-", "secret-test-"}, body: isBase64, min: 30, alone: true, digit: true}},
	{"ory-token", "an Ory token", "at console.ory.sh", shape{prefixes: []string{"ory_at_", "ory_rt_", "ory_ac_", "ory_st_", "ory_pat_", "ory_wak_", "ory_apikey_"}, body: isDotted, min: 30, digit: true}},
	{"jumpcloud-key", "a JumpCloud API key", "at console.jumpcloud.com", shape{prefixes: []string{"jca_"}, body: isAlnum, min: 30, alone: true, mixed: true}},
	{"dynamic-key", "a Dynamic API token", "at app.dynamic.xyz", shape{prefixes: []string{"dyn_"}, body: isAlnum, min: 50, alone: true, mixed: true}},
	{"persona-key", "a Persona API key", "at app.withpersona.com", shape{prefixes: []string{"persona_production_", "persona_sandbox_"}, body: isURLSafe, min: 20, digit: true}},
	{"onfido-token", "an Onfido API token", "at dashboard.onfido.com", shape{prefixes: []string{
		"api_live.", "api_live_us.", "api_live_ca.", "api_live_eu.", "api_sandbox.", "api_sandbox_us.", "api_sandbox_ca.",
	}, body: isDotted, min: 20, digit: true}},
	{"paseto", "a PASETO token", "by rotating the key that made it", shape{prefixes: []string{
		"v1.public.", "v2.public.", "v3.public.", "v4.public.", "v1.local.", "v2.local.", "v3.local.", "v4.local.",
	}, body: isDotted, min: 60, alone: true, mixed: true}},
	{"proxmox-token", "a Proxmox API token", "in the Proxmox datacenter settings", shape{prefixes: []string{"PVEAPIToken="}, body: isProxmox, min: 40, part: '!'}},
	{"intra42-secret", "a client secret of the 42 intranet", "at profile.intra.42.fr", shape{prefixes: []string{"s-s4t2ud-", "s-s4t2af-"}, body: isHex, min: 64}},
	{"adobe-secret", "an Adobe client secret", "at developer.adobe.com", shape{prefixes: []string{"p8e-"}, body: isURLSafe, min: 32, alone: true}},
	{"secret-token-uri", "a secret that says so in its first word", "where it was made", shape{prefixes: []string{"secret-token:"}, body: isSecretURI, min: 16, digit: true, alone: true}},
}

func isSecretURI(c byte) bool { return isCredential(c) || c == '%' || c == '!' }

func isProxmox(c byte) bool { return isDotted(c) || c == '@' || c == '!' || c == '=' }

func oneTimeSecret() Rule {
	return Rule{
		ID: "one-time-password-secret", Severity: Block, shape: true,
		Why:      "looks like the secret of one-time passwords",
		Advice:   "set up the second factor of that account anew, then leave it out of the packet",
		keywords: []string{"otpauth://"},
		find:     pattern(0, 300, `^otpauth://[a-z]{4}/[^\s?]{0,160}\?[^\s]{0,80}?secret=([A-Za-z2-7]{16,})`),
	}
}
