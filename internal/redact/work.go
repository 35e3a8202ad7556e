package redact

// workTokens are the tokens of services where people plan, draw and write.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var workTokens = [...]tokenRow{
	{"linear-key", "a Linear API key", "in the Linear settings", shape{prefixes: []string{"lin_api_", "lin_oauth_", "lin_wh_"}, body: isAlnum, min: 40}},
	{"notion-token", "a Notion token", "at notion.so/my-integrations", shape{prefixes: []string{"ntn_", "secret_"}, body: isAlnum, min: 43, alone: true, digit: true}},
	{"figma-token", "a Figma token", "in the Figma settings", shape{prefixes: []string{"figd_", "figo_", "figu_", "figor_", "figoh_"}, body: isURLSafe, min: 36}},
	{"contentful-token", "a Contentful token", "in the Contentful settings", shape{prefixes: []string{"CFPAT-"}, body: isURLSafe, min: 40}},
	{"typeform-token", "a Typeform token", "at admin.typeform.com", shape{prefixes: []string{"tfp_"}, body: isDotted, min: 40}},
	{"airtable-token", "an Airtable token", "at airtable.com/create/tokens", shape{prefixes: []string{"pat"}, layout: "a14.x64", alone: true}},
	{"asana-token", "an Asana token", "at app.asana.com", shape{prefixes: []string{"1/", "2/"}, layout: "d10+:x32", alone: true}},
	{"asana-account-token", "an Asana token", "at app.asana.com", shape{prefixes: []string{"1/", "2/"}, layout: "d10+/d10+:x32", alone: true}},
	{"clickup-token", "a ClickUp token", "in the ClickUp settings", shape{prefixes: []string{"pk_"}, layout: "d6+_u32", alone: true}},
	{"hubspot-token", "a HubSpot token", "in the HubSpot settings", shape{prefixes: []string{"pat-na1-", "pat-na2-", "pat-na3-", "pat-eu1-", "pat-ap1-"}, layout: "U"}},
	{"salesforce-token", "a Salesforce session token", "in the Salesforce setup", shape{prefixes: []string{"00D"}, layout: "a12,15!p60+", alone: true}},
	{"salesforce-refresh-token", "a Salesforce refresh token", "in the Salesforce setup", shape{prefixes: []string{"5Aep861"}, body: isDotted, min: 60, alone: true}},
	{"intercom-token", "an Intercom token", "in the Intercom developer hub", shape{prefixes: []string{"dG9rO"}, body: isBase64, min: 40, alone: true, mixed: true}},
	{"close-key", "a Close API key", "at app.close.com", shape{prefixes: []string{"api_"}, layout: "a22.a22", alone: true}},
	{"cal-key", "a Cal.com API key", "at app.cal.com", shape{prefixes: []string{"cal_", "cal_live_"}, body: isHex, min: 32, exact: true, alone: true, digit: true}},
	{"builder-key", "a private Builder.io key", "at builder.io", shape{prefixes: []string{"bpk-"}, body: isHex, min: 32}},
	{"miro-token", "a Miro token", "in the Miro settings", shape{prefixes: []string{"eyJtaXJv"}, body: isURLSafe, min: 30, alone: true}},
	{"canva-secret", "a Canva client secret", "at canva.com/developers", shape{prefixes: []string{"cnvca"}, body: isURLSafe, min: 40, alone: true, mixed: true}},
	{"frameio-token", "a Frame.io token", "at developer.frame.io", shape{prefixes: []string{"fio-u-"}, body: isBase64, min: 40}},
	{"imagekit-key", "a private ImageKit key", "at imagekit.io/dashboard", shape{prefixes: []string{"private_"}, body: isPlainBase64, min: 27, alone: true, mixed: true}},
	{"bannerbear-key", "a Bannerbear key", "at app.bannerbear.com", shape{prefixes: []string{"bb_pr_", "bb_ma_"}, body: isAlnum, min: 20, digit: true}},
	{"dropbox-token", "a Dropbox token", "at dropbox.com/developers", shape{prefixes: []string{"sl."}, body: isCredential, min: 100, alone: true, mixed: true}},
	{"zoho-token", "a Zoho token", "at api-console.zoho.com", shape{prefixes: []string{"1000.", "1001.", "1003."}, layout: "x32.x32", alone: true}},
	{"samsara-token", "a Samsara API token", "at cloud.samsara.com", shape{prefixes: []string{"samsara_api_"}, body: isAlnum, min: 24}},
	{"lightspeed-token", "a Lightspeed token", "in the Lightspeed settings", shape{prefixes: []string{"lsxs_pt_", "lsxs_at_"}, body: isAlnum, min: 24}},
	{"mapbox-token", "a secret Mapbox token", "at account.mapbox.com", shape{prefixes: []string{"sk.eyJ", "tk.eyJ"}, body: isDotted, min: 60, alone: true}},
	{"maxmind-key", "a MaxMind licence key", "at maxmind.com", shape{prefixes: []string{"_mmk"}, body: isWord, min: 0, exact: true, lead: 36, mixed: true}},
	{"settlemint-token", "a SettleMint token", "at console.settlemint.com", shape{prefixes: []string{"sm_aat_", "sm_pat_", "sm_sat_"}, body: isAlnum, min: 16}},
	{"adafruit-key", "an Adafruit IO key", "at io.adafruit.com", shape{prefixes: []string{"aio_"}, body: isAlnum, min: 28, exact: true, alone: true, digit: true}},
	{"ubidots-token", "an Ubidots token", "in the Ubidots credentials", shape{prefixes: []string{"BBFF-", "BBUS-"}, body: isAlnum, min: 30, exact: true, alone: true}},
	{"databento-key", "a Databento API key", "at databento.com/portal", shape{prefixes: []string{"db-"}, body: isAlnum, min: 29, exact: true, alone: true, mixed: true}},
	{"deepl-key", "a DeepL API key", "at deepl.com/your-account/keys", shape{prefixes: []string{":fx"}, body: isOriginKey, min: 0, exact: true, lead: 36}},
}
