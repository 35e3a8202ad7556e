package redact

// buildTokens are the tokens of services that build, test and deploy.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var buildTokens = [...]tokenRow{
	{"buildkite-token", "a Buildkite token", "at buildkite.com", shape{prefixes: []string{"bkua_"}, body: isAlnum, min: 40, digit: true}},
	{"buildkite-agent-token", "a Buildkite agent or package token", "at buildkite.com", shape{prefixes: []string{
		"bkaa_", "bkaj_", "bkar_", "bkct_", "bkpt_", "bkpat_", "bkps_",
	}, body: isURLSafe, min: 40, digit: true}},
	{"circleci-token", "a CircleCI token", "at app.circleci.com", shape{prefixes: []string{"CCIPAT_", "CCIPRJ_"}, layout: "a20,24_a40"}},
	{"harness-token", "a Harness token", "at app.harness.io", shape{prefixes: []string{"pat.", "sat."}, layout: "w22.a24.a20", alone: true}},
	{"octopus-key", "an Octopus Deploy API key", "in the profile of the Octopus server", shape{prefixes: []string{"API-"}, layout: "u25,32", alone: true, digit: true}},
	{"pulumi-token", "a Pulumi access token", "at app.pulumi.com", shape{prefixes: []string{"pul-"}, body: isHex, min: 40, alone: true}},
	{"prefect-token", "a Prefect API key", "at app.prefect.cloud", shape{prefixes: []string{"pnu_", "pnb_"}, body: isAlnum, min: 36, alone: true}},
	{"depot-token", "a Depot token", "at depot.dev", shape{prefixes: []string{"depot_org_", "depot_project_", "depot_user_"}, body: isAlnum, min: 40, digit: true}},
	{"ionic-token", "an Ionic token", "at dashboard.ionicframework.com", shape{prefixes: []string{"ion_"}, body: isAlnum, min: 40, alone: true, mixed: true}},
	{"mergify-key", "a Mergify key", "at dashboard.mergify.com", shape{prefixes: []string{"mergify_application_key_", "mka_"}, body: isURLSafe, min: 40, digit: true, alone: true}},
	{"infracost-key", "an Infracost API key", "at dashboard.infracost.io", shape{prefixes: []string{"ico-"}, body: isAlnum, min: 32, exact: true, alone: true, mixed: true}},
	{"checkly-key", "a Checkly API key", "at app.checklyhq.com", shape{prefixes: []string{"cu_", "sv_"}, body: isHex, min: 32, exact: true, alone: true, digit: true}},
	{"percy-token", "a Percy project token", "at percy.io", shape{prefixes: []string{"web_", "app_", "auto_"}, body: isHex, min: 64, exact: true, alone: true, digit: true}},
	{"lambdatest-key", "a LambdaTest access key", "at accounts.lambdatest.com", shape{prefixes: []string{"LT_"}, body: isAlnum, min: 40, alone: true, mixed: true}},
	{"chromatic-token", "a Chromatic project token", "at chromatic.com", shape{prefixes: []string{"chpt_"}, body: isAlnum, min: 12, alone: true, digit: true}},
	{"retool-token", "a Retool token", "in the Retool settings", shape{prefixes: []string{"retool_"}, body: isAlnum, min: 24, alone: true, digit: true}},
	{"n8n-key", "an n8n API key", "in the n8n settings", shape{prefixes: []string{"n8n_api_"}, body: isAlnum, min: 40}},
	{"launchdarkly-key", "a LaunchDarkly key", "at app.launchdarkly.com", shape{prefixes: []string{"sdk-", "api-", "mob-", "rel-"}, layout: "U", alone: true}},
	{"statsig-key", "a Statsig secret key", "at console.statsig.com", shape{prefixes: []string{"secret-", "console-"}, body: isAlnum, min: 40, alone: true, mixed: true}},
	{"flagsmith-key", "a Flagsmith server key", "at app.flagsmith.com", shape{prefixes: []string{"ser."}, layout: "a20,32", alone: true, mixed: true}},
	{"unleash-token", "an Unleash token", "in the Unleash settings", shape{prefixes: []string{":development.", ":production.", ":staging."}, body: isHex, min: 40, digit: true}},
	{"configcat-key", "a ConfigCat SDK key", "at app.configcat.com", shape{prefixes: []string{"configcat-sdk-1/"}, layout: "w22/w22"}},
	{"devcycle-key", "a DevCycle SDK key", "at app.devcycle.com", shape{prefixes: []string{"dvc_server_", "dvc_mobile_", "dvc_client_"}, body: isWord, min: 20, digit: true}},
	{"growthbook-key", "a GrowthBook secret key", "in the GrowthBook settings", shape{prefixes: []string{"secret_user_", "secret_admin_", "secret_readonly_"}, body: isBase64, min: 24, digit: true}},
	{"postman-key", "a Postman API key", "in the Postman settings", shape{prefixes: []string{"PMAK-", "PMAT-"}, body: isURLSafe, min: 24, digit: true}},
	{"zuplo-key", "a Zuplo API key", "at portal.zuplo.com", shape{prefixes: []string{"zpka_"}, body: isWord, min: 30, digit: true}},
	{"unkey-key", "an Unkey root key", "at app.unkey.com", shape{prefixes: []string{"unkey_"}, body: isWord, min: 20, alone: true, mixed: true}},
	{"konnect-token", "a Kong Konnect token", "at cloud.konghq.com", shape{prefixes: []string{"kpat_", "spat_"}, body: isAlnum, min: 40, alone: true, mixed: true}},
	{"wundergraph-key", "a WunderGraph Cosmo key", "at cosmo.wundergraph.com", shape{prefixes: []string{"cosmo_"}, body: isHex, min: 32, exact: true, alone: true, digit: true}},
	{"inngest-key", "an Inngest signing key", "at app.inngest.com", shape{prefixes: []string{"signkey-prod-", "signkey-test-", "signkey-branch-"}, body: isHex, min: 32}},
	{"trigger-key", "a Trigger.dev key", "at cloud.trigger.dev", shape{prefixes: []string{"tr_dev_", "tr_prod_", "tr_stg_", "tr_preview_", "tr_pat_"}, body: isAlnum, min: 20, alone: true, digit: true}},
	{"svix-key", "a Svix API key", "at dashboard.svix.com", shape{prefixes: []string{"testsk_", "sk_svix_"}, body: isDotted, min: 24, digit: true}},
	{"val-town-token", "a Val Town token", "at val.town", shape{prefixes: []string{"vtwn_"}, body: isURLSafe, min: 20, digit: true}},
	{"codesandbox-token", "a CodeSandbox token", "at codesandbox.io", shape{prefixes: []string{"csb_v1_"}, body: isURLSafe, min: 30, digit: true}},
	{"gitpod-token", "a Gitpod token", "at gitpod.io", shape{prefixes: []string{"gitpod_pat_"}, body: isDotted, min: 30, digit: true}},
	{"localstack-token", "a LocalStack auth token", "at app.localstack.cloud", shape{prefixes: []string{"ls-"}, layout: "a8-a4-a4-a4-a12", alone: true}},
	{"workato-token", "a Workato API token", "at app.workato.com", shape{prefixes: []string{
		"wrka-eyJ", "wrkaeu-eyJ", "wrkajp-eyJ", "wrkasg-eyJ", "wrkaau-eyJ", "wrkail-eyJ", "wrkacn-eyJ", "wrkakr-eyJ",
	}, body: isDotted, min: 60}},
	{"gitbook-token", "a GitBook token", "at app.gitbook.com", shape{prefixes: []string{"gb_api_"}, body: isAlnum, min: 30}},
	{"readme-key", "a ReadMe API key", "at dash.readme.com", shape{prefixes: []string{"rdme_"}, body: isAlnum, min: 60}},
	{"mintlify-key", "a Mintlify API key", "at dashboard.mintlify.com", shape{prefixes: []string{"mint_"}, body: isWord, min: 24, alone: true, mixed: true}},
	{"block-protocol-key", "a Block Protocol API key", "at blockprotocol.org", shape{prefixes: []string{"b10ck5."}, layout: "x32.U"}},
	{"jenkins-token", "a Jenkins API token", "in the Jenkins user settings", shape{prefixes: []string{"11"}, body: isHex, min: 32, exact: true, alone: true, digit: true}},
	{"teamcity-token", "a TeamCity token", "in the TeamCity profile", shape{prefixes: []string{"eyJ0eXAiOiAiVENWMiJ9."}, body: isDotted, min: 40, alone: true}},
	{"arcjet-key", "an Arcjet key", "at app.arcjet.com", shape{prefixes: []string{"ajkey_"}, body: isAlnum, min: 24, digit: true}},
	{"laravel-key", "an application key of Laravel", "with php artisan key:generate", shape{prefixes: []string{"base64:"}, layout: "s43=", alone: true, mixed: true}},
	{"truenas-key", "a TrueNAS API key", "in the TrueNAS settings", shape{prefixes: []string{"1-"}, body: isAlnum, min: 64, exact: true, alone: true, mixed: true}},
}

func djangoKey() Rule {
	return Rule{
		ID: "django-secret-key", Severity: Block, shape: true,
		Why:      "looks like a secret key of a Django project",
		Advice:   "set a new SECRET_KEY, then leave it out of the packet",
		keywords: []string{"django-insecure-"},
		find:     pattern(0, 60, `^django-insecure-[a-z0-9!@#$%^&*(\-_=+)]{50}`),
	}
}
