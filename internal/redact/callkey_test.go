package redact_test

import "testing"

func TestScanText_arguments(t *testing.T) {
	t.Parallel()

	m := newMaker()
	holdsPlanted(t, m.body(alnums, 24), []string{
		`crypto.createHmac('sha256', '§')`,
		`hmac.new(b"§", body, hashlib.sha256)`,
		`hash_hmac('sha256', $body, '§')`,
		"AES.new(b'§', AES.MODE_CBC, iv)",
		"app.use(cookieParser('§'))",
		`Jwts.builder().signWith(SignatureAlgorithm.HS256, "§")`,
		`hudson.util.Secret.fromString("§")`,
		"openssl_encrypt($d, 'aes-256-cbc', '§', 0, $iv)",
	})
	holdsPlanted(t, "Tr4"+"velq8Zp", []string{
		`mysqli_connect("localhost", "root", "§", "shop")`,
		`psycopg2.connect("db", "app", "§")`,
		"ssh.connect('10.0.0.5', 22, 'root', '§')",
		"requests.get(u, auth=('jo', '§'))",
		`DBI->connect("dbi:Pg:dbname=shop", "app", "§")`,
		`cn.Open "DSN=shop", "sa", "§"`,
		`ws.Protect "§" 'of the sheet`,
		"conn = database('shop','app','§');",
		`WiFi.begin("Office", "§");`,
		`(setq smtpmail-auth-credentials '(("h" 587 "jo" "§")))`,
		`MOVE "§" TO WS-PASSWORD.`,
		`new Credentials("jo", "§")`,
		"thin:app/§@db",
	})
	holdsNothing(t, []string{
		`crypto.createHmac('sha256', process.env.KEY1)`,
		`hmac.new(key, b"8d7f2f6a-9d3c-4d55-9d53-0c2f1d9e7a11")`,
		`jwt.sign(payload, "your-256-bit-secret")`,
		"AES.new(key, AES.MODE_CBC, iv)",
		`mysqli_connect("db1.host.test", "root", $pw, "shop")`,
		"ssh.connect('10.0.0.5', 22, 'root')",
		"requests.get(u, auth=(user, token))",
		`MOVE "A1B2C3D4" TO WS-TITLE.`,
		`move "box1" to "box2"`,
	})
}
