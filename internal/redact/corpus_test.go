package redact_test

import (
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"strings"
)

// A planted text holds one secret that must be found.
type planted struct {
	rule   string // The rule that must find it, or "" for any blocking one.
	text   string
	secret string
}

// Alphabets of tokens.
const (
	digits   = "0123456789"
	lowers   = "abcdefghijklmnopqrstuvwxyz"
	uppers   = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	hexes    = digits + "abcdef"
	alnums   = digits + lowers + uppers
	words    = alnums + "_"
	urlSafes = words + "-"
	base64s  = alnums + "+/"
)

// A maker makes values that look random and are the same in each run.
type maker struct{ *rand.Rand }

func newMaker() maker { return maker{rand.New(rand.NewPCG(7, 11))} }

// body returns n characters of alphabet, the last two a letter and a digit.
func (m maker) body(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	if strings.Contains(alphabet, "a") && strings.Contains(alphabet, "7") {
		b[n-2], b[n-1] = 'e', '7'
	}
	return string(b)
}

// A kind is a token by its pieces, so that no source file holds one.
type kind struct {
	rule     string
	prefix   []string // Joined.
	alphabet string
	size     int
	suffix   string
}

func kinds() []kind {
	return []kind{
		{"aws-access-key-id", []string{"AK", "IA"}, uppers + digits, 16, ""},
		{"aws-access-key-id", []string{"AS", "IA"}, uppers + digits, 16, ""},
		{"aws-access-key-id", []string{"AG", "PA"}, uppers + digits, 16, ""},
		{"aws-access-key-id", []string{"AI", "DA"}, uppers + digits, 16, ""},
		{"aws-access-key-id", []string{"AR", "OA"}, uppers + digits, 16, ""},
		{"aws-access-key-id", []string{"AN", "VA"}, uppers + digits, 16, ""},
		{"aws-access-key-id", []string{"AC", "CA"}, uppers + digits, 16, ""},
		{"github-token", []string{"gh", "p_"}, alnums, 36, ""},
		{"github-token", []string{"gh", "o_"}, alnums, 36, ""},
		{"github-token", []string{"gh", "u_"}, alnums, 36, ""},
		{"github-token", []string{"gh", "s_"}, alnums, 36, ""},
		{"github-token", []string{"gh", "r_"}, alnums, 76, ""},
		{"github-fine-grained-token", []string{"github", "_pat_"}, words, 82, ""},
		{"gitlab-token", []string{"gl", "pat-"}, urlSafes, 20, ""},
		{"gitlab-token", []string{"gl", "rt-"}, urlSafes, 20, ""},
		{"gitlab-token", []string{"gl", "dt-"}, urlSafes, 20, ""},
		{"npm-token", []string{"np", "m_"}, alnums, 36, ""},
		{"pypi-token", []string{"py", "pi-", "AgEIcHlwaS5vcmc"}, urlSafes, 80, ""},
		{"docker-token", []string{"dckr", "_pat_"}, urlSafes, 27, ""},
		{"rubygems-token", []string{"ruby", "gems_"}, hexes, 48, ""},
		{"google-api-key", []string{"AI", "za"}, urlSafes, 35, ""},
		{"google-oauth-secret", []string{"GOC", "SPX-"}, urlSafes, 28, ""},
		{"google-oauth-token", []string{"ya", "29."}, urlSafes, 120, ""},
		{"digitalocean-token", []string{"dop", "_v1_"}, hexes, 64, ""},
		{"vault-token", []string{"hv", "s."}, urlSafes, 90, ""},
		{"databricks-token", []string{"da", "pi"}, hexes, 32, ""},
		{"doppler-token", []string{"dp", ".pt."}, alnums, 43, ""},
		{"supabase-token", []string{"sb", "p_"}, hexes, 40, ""},
		{"grafana-token", []string{"gl", "sa_"}, alnums, 32, "_0123abcd"},
		{"anthropic-key", []string{"sk-", "ant-", "api03-"}, urlSafes, 93, "AA"},
		{"openrouter-key", []string{"sk-", "or-", "v1-"}, hexes, 64, ""},
		{"openai-key", []string{"sk-", "proj-"}, urlSafes, 120, ""},
		{"secret-key", []string{"s", "k-"}, alnums, 48, ""},
		{"hugging-face-token", []string{"h", "f_"}, lowers + uppers, 34, ""},
		{"groq-key", []string{"gs", "k_"}, alnums, 52, ""},
		{"xai-key", []string{"xa", "i-"}, alnums, 80, ""},
		{"replicate-token", []string{"r", "8_"}, alnums, 37, ""},
		{"perplexity-key", []string{"pp", "lx-"}, alnums, 48, ""},
		{"slack-token", []string{"xo", "xb-"}, digits, 12, "-a1B2c3D4e5F6g7H8"},
		{"slack-token", []string{"xo", "xp-"}, digits, 12, "-a1B2c3D4e5F6g7H8"},
		{"slack-token", []string{"xa", "pp-1-"}, alnums, 40, ""},
		{"stripe-key", []string{"sk_", "live_"}, alnums, 24, ""},
		{"stripe-key", []string{"rk_", "test_"}, alnums, 24, ""},
		{"stripe-key", []string{"sk_org", "_live_"}, alnums, 24, ""},
		{"stripe-webhook-secret", []string{"wh", "sec_"}, alnums, 32, ""},
		{"sendgrid-key", []string{"S", "G."}, urlSafes, 22, "." + strings.Repeat("aB3_", 10) + "xyz"},
		{"twilio-key", []string{"S", "K"}, hexes, 32, ""},
		{"shopify-token", []string{"shp", "at_"}, hexes, 32, ""},
		{"linear-key", []string{"lin", "_api_"}, alnums, 40, ""},
		{"notion-token", []string{"nt", "n_"}, alnums, 46, ""},
		{"figma-token", []string{"fig", "d_"}, urlSafes, 40, ""},
		{"age-key", []string{"AGE-", "SECRET-", "KEY-1"}, uppers + digits, 58, ""},
	}
}

func (m maker) token(k kind) string {
	return strings.Join(k.prefix, "") + m.body(k.alphabet, k.size) + k.suffix
}

// edges are what may stand around a token: in front, and behind.
var edges = [...][2]string{
	{"", ""},
	{"we used ", ". Then it expired."},
	{"(", ")"},
	{`x="`, `"`},
	{"see: ", ", and rotate it"},
	{"[", "]"},
	{"<", ">"},
	{"né ", "é"},
	{"a\n", ";\n"},
}

func positives() []planted {
	m := newMaker()
	var all []planted
	for i, k := range kinds() {
		for j := range 2 {
			token, edge := m.token(k), edges[(2*i+j)%len(edges)]
			all = append(all, planted{k.rule, edge[0] + token + edge[1], token})
		}
	}
	all = append(all, m.keys()...)
	all = append(all, m.credentials()...)
	all = append(all, m.assignments()...)
	all = append(all, m.disguised()...)
	return append(all, places()...)
}

// block returns a PEM block without a line of it in the source.
func (m maker) block(label string) string {
	dashes := strings.Repeat("-", 5)
	body := m.body(base64s, 64) + "\n" + m.body(base64s, 40) + "=="
	return dashes + "BEGIN " + label + dashes + "\n" + body + "\n" + dashes + "END " + label + dashes
}

func (m maker) keys() []planted {
	var all []planted
	for _, form := range []string{"", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED "} {
		block := m.block(form + "PRIVATE KEY")
		all = append(all, planted{"private-key", "the key:\n" + block + "\ndone", block})
		flat := strings.ReplaceAll(block, "\n", `\n`)
		all = append(all, planted{"private-key", `"key": "` + flat + `"`, flat})
	}
	pgp := m.block("PGP PRIVATE KEY " + "BLOCK")
	cut, _, _ := strings.Cut(m.block("RSA PRIVATE"+" KEY"), "\n"+strings.Repeat("-", 5)+"END")
	putty := "PuTTY-User-" + "Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n" +
		m.body(base64s, 48) + "\nPrivate-MAC: " + m.body(hexes, 64)
	pkcs8 := "MIIEvQ" + "IBADANBgkqhkiG9w0BAQEFAASC" + m.body(base64s, 60) + "\n" + m.body(base64s, 64)
	openssh := "b3BlbnNzaC1" + "rZXktdjEAAAAA" + m.body(base64s, 60)
	header := base64.RawURLEncoding.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
	payload := base64.RawURLEncoding.EncodeToString([]byte(`{"sub":"1234567890","name":"J"}`))
	jwt := header + "." + payload + "." + m.body(urlSafes, 43)
	return append(all,
		planted{"private-key", pgp, pgp},
		planted{"private-key", "cut: " + cut, cut},
		planted{"putty-key", putty, putty},
		planted{"private-key-body", "body " + pkcs8 + " end", pkcs8},
		planted{"private-key-body", openssh, openssh},
		planted{"jwt", "got " + jwt + ".", jwt},
		planted{"jwt", "cookie=" + jwt + ";", jwt},
		planted{"jwt", "unsigned " + header + "." + payload + ". here", header + "." + payload},
	)
}

func (m maker) credentials() []planted {
	var all []planted
	for _, form := range []string{
		"postgres://app:%@db.prod/main", "postgresql+psycopg://app:%@db/main",
		"mysql://root:%@10.1.2.3:3306/x",
		"mongodb+srv://u:%@cluster0.mongodb.net", "redis://:%@cache:6379/0", "rediss://default:%@c:6380",
		"amqp://guest2:%@mq//vhost", "https://user:%@git.host/repo.git", "ftp://anon:%@files",
		"ldap://cn:%@dir",
		"(smtp://mailer:%@smtp.host:587)", `DSN="mssql://sa:%@sql:1433"`, "nats://u:%@bus:4222",
	} {
		password := "p" + m.body(alnums, 9) + "!"
		all = append(all, planted{"url-credential", strings.Replace(form, "%", password, 1), password})
	}
	slash := "ab" + "/c@d" + "ef1"
	token := m.body(hexes, 40)
	basic := base64.StdEncoding.EncodeToString([]byte("deploy:" + m.body(alnums, 12)))
	opaque := m.body(alnums, 40)
	hook := "T" + m.body(uppers+digits, 8) + "/B" + m.body(uppers+digits, 8) + "/" + m.body(alnums, 24)
	discord := m.body(urlSafes, 68)
	azure := m.body(base64s, 86) + "=="
	aws := m.body(base64s, 38) + "Q/"
	entra := m.body(alnums, 3) + "8Q" + "~" + m.body(alnums, 34)
	telegram := "123456789" + ":A" + "A" + m.body(urlSafes, 33)
	return append(all,
		planted{"url-credential", "postgres://u:" + slash + "@host/db", slash},
		planted{"url-credential", "git clone https://" + token + "@github.com/o/r", token},
		planted{"authorization-header", "Authorization: Basic " + basic, basic},
		planted{"authorization-header", "curl -H 'Authorization: Bearer " + opaque + "' x", opaque},
		planted{"authorization-header", "authorization: token " + token, token},
		planted{"authorization-header", "sends Bearer " + opaque + ", then", opaque},
		planted{"slack-webhook", "https://hooks.slack.com/" + "services/" + hook, hook},
		planted{
			"discord-webhook", "https://discord.com/api/" + "webhooks/123456789012345678/" + discord,
			discord,
		},
		planted{"azure-key", "AccountName=x;Account" + "Key=" + azure + ";Endpoint", azure},
		planted{"aws-secret-access-key", "aws_secret_" + "access_key = " + aws, aws},
		planted{"aws-secret-access-key", "AWS Secret Access Key: " + aws + ".", aws},
		planted{"azure-client-secret", "client " + entra + " expired", entra},
		planted{"telegram-token", "bot " + telegram + " talks", telegram},
		planted{"ltm-token", "the token is " + m.body(lowers+digits, 48) + " for now", ""},
	)
}

func (m maker) assignments() []planted {
	var all []planted
	for _, form := range []string{
		"password=%", "DB_PASSWORD=%", "dbPassword: '%'", `"password": "%"`, "export PGPASSWORD=%",
		"--password %",
		"client_secret = %", `clientSecret="%"`, "API_KEY=%", "apiKey: %", "x-api-key: %", "ACCESS_TOKEN=%;",
		"secret: %",
		"Server=db;User Id=sa;Password=%;", "url?api_key=%&page=2", "passwd := \"%\"", "pwd='%'",
		"$config['db_password'] = '%';",
		"PRIVATE-TOKEN: %", "<password>%</password>", `{\"token\": \"%\"}`, "spring.datasource.password=%",
		"AUTH_TOKEN='%'",
		"passphrase: %", "{user: 'x', pass: '%'}", "const SECRET = '%';", "X-Auth-Token: %",
		"--from-literal=password=%", "--token=%", "session_key = %",
	} {
		value := m.body(alnums, 17) + "4x"
		all = append(all, planted{"secret-assignment", strings.Replace(form, "%", value, 1), value})
	}
	for _, weak := range []string{
		"Summer" + "2024!", "letme" + "in123", "P@ss" + "w0rd!",
		"correct" + "-Horse-7-x", "admin" + "12345",
	} {
		all = append(all, planted{"secret-assignment", "password = \"" + weak + "\"", weak},
			planted{"secret-assignment", "DB_PASS=" + weak, strings.TrimRight(weak, "!")})
	}
	return all
}

// disguised are secrets in another form than the one rules look for.
func (m maker) disguised() []planted {
	token := func() string { return m.token(kinds()[7]) }
	var all []planted
	add := func(text, secret string) { all = append(all, planted{"", text, secret}) }
	for _, invisible := range []string{"\u200b", "\u00ad", "\u2060", "\ufeff", "\U000e0041"} {
		t := token()
		hidden := t[:9] + invisible + t[9:]
		add("a "+hidden+" b", hidden)
	}
	var wide strings.Builder
	for _, r := range token() {
		wide.WriteRune(r + 0xFEE0)
	}
	add(wide.String(), wide.String())
	t := token()
	encoded := base64.StdEncoding.EncodeToString([]byte("token " + t))
	add("data "+encoded+" end", strings.TrimRight(encoded, "="))
	encoded = base64.RawURLEncoding.EncodeToString([]byte(t))
	add("x="+encoded, encoded)
	encoded = hex.EncodeToString([]byte(t))
	add("hex "+encoded, encoded)
	escaped := strings.Replace(t, "_", "%5F", 1)
	add(escaped, escaped)
	escaped = strings.Replace(t, "_", "&#95;", 1)
	add(escaped, escaped)
	escaped = strings.Replace(t, "_", `\u005f`, 1)
	add(escaped, escaped)
	add(t[:12]+"\n"+t[12:], t[:12]+"\n"+t[12:])
	add("\""+t[:12]+`" + "`+t[12:]+"\"", t[:12]+`" + "`+t[12:])
	add("MY"+t, t)
	add("old_"+t+"_x", t)
	key := strings.Replace(m.token(kinds()[0]), "A", "А", 1) // A Cyrillic letter.
	add(key, key)
	key = m.token(kinds()[0])
	add("key"+key+"_old", key)
	return all
}
