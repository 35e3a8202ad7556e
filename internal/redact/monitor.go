package redact

// monitorTokens are the keys of services that watch systems and their users.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var monitorTokens = [...]tokenRow{
	{"grafana-token", "a Grafana token", "in the Grafana settings", shape{prefixes: []string{"glsa_", "glc_"}, body: isBase64, min: 32, digit: true}},
	{"grafana-key", "a Grafana API key", "in the Grafana settings", shape{prefixes: []string{"eyJrIjoi"}, body: isBase64, min: 40, alone: true}},
	{"new-relic-key", "a New Relic user key", "at one.newrelic.com", shape{prefixes: []string{"NRAK-"}, body: isUpperNum, min: 27}},
	{"new-relic-ingest-key", "a New Relic key", "at one.newrelic.com", shape{prefixes: []string{"NRII-", "NRJS-", "NRRA-", "NRSP-", "NRIQ-", "NRAA-", "NRBR-"}, body: isURLSafe, min: 19, digit: true, alone: true}},
	{"new-relic-license-key", "a New Relic licence key", "at one.newrelic.com", shape{prefixes: []string{"NRAL"}, body: isAlnum, min: 0, exact: true, lead: 36}},
	{"dynatrace-token", "a Dynatrace token", "in the Dynatrace settings", shape{prefixes: []string{"dt0c01.", "dt0s01."}, body: isDotted, min: 64}},
	{"dynatrace-client-secret", "a Dynatrace secret", "in the Dynatrace settings", shape{prefixes: []string{"dt0"}, layout: "l3.u24.u64", alone: true}},
	{"datadog-key", "a Datadog key", "at app.datadoghq.com", shape{prefixes: []string{"ddapp_", "ddpat_", "ddsat_"}, body: isAlnum, min: 30, alone: true, digit: true}},
	{"datadog-client-token", "a Datadog client token", "at app.datadoghq.com", shape{prefixes: []string{"pub"}, body: isHex, min: 32, exact: true, alone: true, digit: true}},
	{"coralogix-key", "a Coralogix key", "in the Coralogix settings", shape{prefixes: []string{"cxup_", "cxtp_"}, body: isAlnum, min: 24, alone: true, digit: true}},
	{"honeycomb-key", "a Honeycomb key", "at ui.honeycomb.io", shape{prefixes: []string{"hcaik_", "hcbik_", "hcxik_", "hcamk_", "hcbmk_", "hcxmk_"}, body: isAlnum, min: 26, digit: true}},
	{"honeybadger-key", "a Honeybadger key", "at app.honeybadger.io", shape{prefixes: []string{"hbp_", "hbu_"}, body: isAlnum, min: 30, alone: true, digit: true}},
	{"axiom-token", "an Axiom token", "at app.axiom.co", shape{prefixes: []string{"xaat-", "xapt-"}, layout: "U"}},
	{"sentry-token", "a Sentry token", "in the Sentry settings", shape{prefixes: []string{"sntrys_", "sntryu_", "sntrya_", "sntryi_"}, body: isBase64, min: 40}},
	{"healthchecks-key", "a Healthchecks.io key", "at healthchecks.io", shape{prefixes: []string{"hcw_", "hcr_"}, body: isAlnum, min: 24, alone: true, digit: true}},
	{"logicmonitor-token", "a LogicMonitor token", "in the LogicMonitor settings", shape{prefixes: []string{"lma_", "lmb_"}, body: isBase64, min: 40, alone: true, mixed: true}},
	{"rootly-key", "a Rootly API key", "at rootly.com", shape{prefixes: []string{"rootly_"}, body: isHex, min: 40}},
	{"firehydrant-token", "a FireHydrant token", "at app.firehydrant.io", shape{prefixes: []string{"fhb-"}, body: isHex, min: 32, alone: true}},
	{"pagerduty-key", "a PagerDuty API key", "in the PagerDuty settings", shape{prefixes: []string{"u+"}, layout: "b18", alone: true, mixed: true}},
	{"pagerduty-app-key", "a PagerDuty API key", "in the PagerDuty settings", shape{prefixes: []string{"y_NBAQ"}, layout: "b14", alone: true}},
	{"posthog-key", "a PostHog key", "in the PostHog settings", shape{prefixes: []string{"phx_", "phs_", "pha_", "phr_"}, body: isURLSafe, min: 36, alone: true}},
	{"fullstory-key", "a FullStory API key", "at app.fullstory.com", shape{prefixes: []string{"na1.", "eu1."}, body: isPlainBase64, min: 30, alone: true, mixed: true}},
	{"censys-token", "a Censys token", "at platform.censys.io", shape{prefixes: []string{"censys_"}, body: isWord, min: 24, mixed: true}},
	{"wakatime-key", "a WakaTime API key", "at wakatime.com/settings", shape{prefixes: []string{"waka_"}, body: isURLSafe, min: 36, digit: true}},
	{"logfire-token", "a Logfire token", "at logfire.pydantic.dev", shape{prefixes: []string{"pylf_v1_", "pylf_v2_"}, body: isWord, min: 30, digit: true}},
}
