package redact

// hostTokens are the tokens of services that run applications and networks.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var hostTokens = [...]tokenRow{
	{"vault-token", "a HashiCorp Vault token", "with vault token revoke", shape{prefixes: []string{"hvs.", "hvb.", "hvr."}, body: isURLSafe, min: 24}},
	{"vault-old-token", "a HashiCorp Vault token", "with vault token revoke", shape{prefixes: []string{"s."}, layout: "a24", alone: true, mixed: true}},
	{"vault-old-batch-token", "a HashiCorp Vault batch token", "by revoking the token it came from", shape{prefixes: []string{"b.AAAAAQ"}, body: isURLSafe, min: 60, alone: true}},
	{"boundary-token", "a HashiCorp Boundary token", "in the Boundary admin console", shape{prefixes: []string{"at_"}, layout: "a10_a40+", alone: true}},
	{"doppler-token", "a Doppler token", "in the Doppler dashboard", shape{prefixes: []string{"dp.pt.", "dp.st.", "dp.sa.", "dp.ct.", "dp.scim.", "dp.audit."}, body: isDotted, min: 40}},
	{"vercel-token", "a Vercel token", "in the Vercel dashboard", shape{prefixes: []string{"vercel_blob_rw_"}, body: isWord, min: 30}},
	{"vercel-account-token", "a Vercel token", "in the Vercel dashboard", shape{prefixes: []string{"vcp_", "vci_", "vca_", "vcr_", "vck_"}, body: isURLSafe, min: 24, alone: true, mixed: true}},
	{"netlify-token", "a Netlify token", "in the Netlify user settings", shape{prefixes: []string{"nfp_", "nfc_", "nfo_", "nfu_", "nfb_"}, body: isAlnum, min: 36, alone: true}},
	{"fly-token", "a Fly.io token", "with fly tokens revoke", shape{prefixes: []string{"fm1_", "fm2_", "fo1_", "fm1r_", "fm1a_"}, body: isBase64, min: 40, alone: true, digit: true}},
	{"heroku-key", "a Heroku API key", "in the Heroku account settings", shape{prefixes: []string{"HRKU-"}, body: isURLSafe, min: 36}},
	{"render-key", "a Render API key", "at dashboard.render.com", shape{prefixes: []string{"rnd_"}, body: isAlnum, min: 28, alone: true, mixed: true}},
	{"deno-token", "a Deno Deploy token", "at dash.deno.com", shape{prefixes: []string{"ddp_", "ddw_", "ddo_"}, body: isAlnum, min: 36, alone: true, digit: true}},
	{"scalingo-token", "a Scalingo token", "at dashboard.scalingo.com", shape{prefixes: []string{"tk-us-", "tk-eu-"}, body: isURLSafe, min: 40, alone: true, digit: true}},
	{"daytona-key", "a Daytona API key", "at app.daytona.io", shape{prefixes: []string{"dtn_"}, body: isHex, min: 48, alone: true}},
	{"tailscale-key", "a Tailscale key", "in the Tailscale admin console", shape{prefixes: []string{"tskey-"}, body: isURLSafe, min: 20}},
	{"netbird-token", "a NetBird token", "at app.netbird.io", shape{prefixes: []string{"nbp_"}, body: isAlnum, min: 36, alone: true}},
	{"defined-networking-key", "a Defined Networking API key", "at admin.defined.net", shape{prefixes: []string{"dnkey-"}, body: isBase64, min: 60, digit: true}},
	{"openshift-token", "an OpenShift token", "with oc delete oauthaccesstoken", shape{prefixes: []string{"sha256~"}, body: isURLSafe, min: 40, digit: true}},
	{"rancher-token", "a Rancher token", "in the Rancher account settings", shape{prefixes: []string{"token-"}, layout: "l5:l54", alone: true}},
	{"k3s-token", "the join token of a k3s cluster", "with k3s token rotate", shape{prefixes: []string{"K10"}, layout: "x64::a4+:a16+", alone: true}},
	{"portainer-token", "a Portainer token", "in the Portainer account settings", shape{prefixes: []string{"ptr_"}, body: isPlainBase64, min: 40, alone: true, mixed: true}},
	{"dnsimple-token", "a DNSimple token", "at dnsimple.com", shape{prefixes: []string{"dnsimple_a_", "dnsimple_u_"}, body: isAlnum, min: 20}},
	{"porkbun-key", "a Porkbun API key", "at porkbun.com/account/api", shape{prefixes: []string{"sk1_", "pk1_"}, body: isHex, min: 60, alone: true}},
	{"hop-token", "a Hop token", "at console.hop.io", shape{prefixes: []string{"ptk_"}, body: isAlnum, min: 30, alone: true, digit: true}},
}
