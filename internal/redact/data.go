package redact

// dataTokens are the keys of databases, warehouses and their tools.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var dataTokens = [...]tokenRow{
	{"databricks-token", "a Databricks token", "in the Databricks settings", shape{prefixes: []string{"dapi", "dose", "dkea"}, body: isHex, min: 32, alone: true, digit: true}},
	{"planetscale-token", "a PlanetScale credential", "in the PlanetScale dashboard", shape{prefixes: []string{"pscale_tkn_", "pscale_pw_", "pscale_oauth_"}, body: isDotted, min: 32}},
	{"supabase-token", "a Supabase token", "in the Supabase dashboard", shape{prefixes: []string{"sbp_", "sb_secret_"}, body: isURLSafe, min: 30, digit: true}},
	{"neon-key", "a Neon API key", "at console.neon.tech", shape{prefixes: []string{"napi_"}, body: isAlnum, min: 40, alone: true, digit: true}},
	{"xata-key", "a Xata API key", "at app.xata.io", shape{prefixes: []string{"xau_"}, body: isAlnum, min: 24, alone: true, mixed: true}},
	{"fauna-secret", "a Fauna secret", "in the Fauna dashboard", shape{prefixes: []string{"fnAC", "fnAD", "fnAE", "fnAF"}, body: isURLSafe, min: 36, exact: true, alone: true, mixed: true}},
	{"cockroach-key", "a CockroachDB Cloud API key", "at cockroachlabs.cloud", shape{prefixes: []string{"CCDB1_"}, layout: "a22_a40"}},
	{"aiven-password", "the password of an Aiven service", "at console.aiven.io", shape{prefixes: []string{"AVNS_"}, body: isURLSafe, min: 15, alone: true}},
	{"aiven-token", "an Aiven token", "at console.aiven.io", shape{prefixes: []string{"aivenv1"}, body: isBase64, min: 60, digit: true}},
	{"mongodb-atlas-secret", "a secret of a MongoDB Atlas service account", "at cloud.mongodb.com", shape{prefixes: []string{"mdb_sa_sk_"}, body: isURLSafe, min: 40, digit: true}},
	{"astra-token", "a DataStax Astra token", "at astra.datastax.com", shape{prefixes: []string{"AstraCS:"}, body: isColoned, min: 20, digit: true}},
	{"clickhouse-key", "a ClickHouse Cloud key secret", "at console.clickhouse.cloud", shape{prefixes: []string{"4b1d"}, body: isAlnum, min: 38, exact: true, alone: true, mixed: true}},
	{"confluent-secret", "a Confluent Cloud API secret", "at confluent.cloud", shape{prefixes: []string{"cflt"}, body: isPlainBase64, min: 60, exact: true, alone: true, mixed: true}},
	{"elastic-cloud-key", "an Elastic Cloud API key", "at cloud.elastic.co", shape{prefixes: []string{"essu_", "essp_", "essa_"}, body: isBase64, min: 40, alone: true, digit: true}},
	{"app-search-key", "a private key of Elastic App Search", "in the App Search dashboard", shape{prefixes: []string{"private-"}, body: isLowerNum, min: 24, exact: true, alone: true, digit: true}},
	{"pinecone-key", "a Pinecone API key", "at app.pinecone.io", shape{prefixes: []string{"pcsk_"}, body: isWord, min: 50, digit: true}},
	{"chroma-key", "a Chroma Cloud API key", "at trychroma.com", shape{prefixes: []string{"ck-"}, body: isAlnum, min: 40, alone: true, mixed: true}},
	{"liveblocks-key", "a Liveblocks secret key", "at liveblocks.io", shape{prefixes: []string{"sk_dev_", "sk_prod_", "sk_localdev_"}, body: isURLSafe, min: 24, digit: true}},
	{"sanity-token", "a Sanity token", "at manage.sanity.io", shape{prefixes: []string{"sk"}, body: isAlnum, min: 80, alone: true, mixed: true}},
	{"dbt-token", "a dbt Cloud token", "in the dbt Cloud settings", shape{prefixes: []string{"dbtc_", "dbts_", "dbtu_"}, body: isURLSafe, min: 30, alone: true, mixed: true}},
	{"metabase-key", "a Metabase API key", "in the Metabase admin settings", shape{prefixes: []string{"mb_"}, body: isPlainBase64, min: 44, exact: true, alone: true, mixed: true}},
	{"hex-token", "a Hex token", "at app.hex.tech", shape{prefixes: []string{"hxtp_", "hxtw_"}, body: isAlnum, min: 40, digit: true}},
	{"lightdash-token", "a Lightdash token", "in the Lightdash settings", shape{prefixes: []string{"ldpat_", "ldsvc_"}, body: isAlnum, min: 24, digit: true}},
	{"turbot-token", "a Turbot Pipes token", "at pipes.turbot.com", shape{prefixes: []string{"spt_", "tpt_"}, layout: "l20_l25", alone: true}},
	{"materialize-password", "an app password of Materialize", "at console.materialize.com", shape{prefixes: []string{"mzp_"}, body: isHex, min: 40}},
	{"tinybird-token", "a Tinybird token", "at cloud.tinybird.co", shape{prefixes: []string{"p.eyJ"}, body: isDotted, min: 60, alone: true}},
	{"influxdb-token", "an InfluxDB token", "with influxdb3 delete token", shape{prefixes: []string{"apiv3_"}, body: isURLSafe, min: 60, alone: true, digit: true}},
	{"appwrite-key", "an Appwrite API key", "in the Appwrite console", shape{prefixes: []string{"standard_", "dynamic_"}, body: isHex, min: 128, alone: true}},
	{"crunchy-key", "a Crunchy Bridge API key", "at crunchybridge.com", shape{prefixes: []string{"cbkey_"}, body: isAlnum, min: 30, digit: true}},
	{"tableau-token", "a personal access token of Tableau", "in the Tableau account settings", shape{prefixes: []string{"==:"}, body: isSecretKey, min: 32, exact: true, lead: 22}},
	{"apollo-key", "an Apollo GraphOS key", "at studio.apollographql.com", shape{prefixes: []string{"user:fh.", "user:gh.", "service:"}, layout: "w2+:w22", alone: true, mixed: true}},
}

func isColoned(c byte) bool { return isURLSafe(c) || c == ':' }

func isPlainBase64(c byte) bool { return isSecretKey(c) || c == '=' }

func convexKey() Rule {
	return Rule{
		ID: "convex-key", Severity: Block, shape: true,
		Why:      "looks like a Convex deploy key",
		Advice:   "revoke it at dashboard.convex.dev, then leave it out of the packet",
		keywords: []string{"|eyj"},
		find:     following(pattern(80, 300, `(?:prod|dev|preview|project):[a-z0-9:-]+\|eyJ[A-Za-z0-9+/=_-]{40,}`)),
	}
}
