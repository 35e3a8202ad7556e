package redact_test

import (
	"encoding/base64"
	"strings"
	"testing"
)

func TestScanText_connections(t *testing.T) {
	t.Parallel()

	holdsPlanted(t, "Tr4"+"velq8Zp", []string{
		"redis://:§@cache:6379",
		"nats://§@nats.host.test:4222",
		"ldap://cn=admin,dc=corp:§@ldap.corp.test",
		"sftp://deploy:§@files.host.test/srv",
		"svn+ssh://jo:§@svn.host.test/repo",
		"git+https://ci:§@git.host.test/a.git",
		"pip install --index-url https://ci:§@pypi.host.test/simple a",
		"GOPROXY=https://ci:§@proxy.host.test,direct",
		"trojan://§@gate.host.test:443",
		"jdbc:oracle:thin:scott/§@//ora.host.test:1521/ORCL",
		"jdbc:oracle:thin:hr/§@ora:1521:XE",
		"jdbc:postgresql://pg:5432/app?user=app&password=§",
		"jdbc:sqlserver://sql1:1433;databaseName=erp;user=erp;password=§;encrypt=true",
		"Server=sql1;Database=erp;User Id=sa;Password=§;",
		`"Data Source=sql1;UID=app;PWD=§;Encrypt=True"`,
		"Driver={SQL};Server=tcp:h.test,1433;Uid=admin;Pwd={§};",
		"host=pg port=5432 dbname=app user=app password=§ sslmode=disable",
		"conninfo = \"host=pg user=repl password='§' application_name=a\"",
		`sql.Open("mysql", "app:§@tcp(db:3306)/app?parseTime=true")`,
		"cache.redis.windows.net:6380,password=§,ssl=True",
		"it listens as app:§@db.host.test:5432 now",
		"db.host.test:5432:app:app_rw:§",
		"*:*:*:postgres:§",
		"machine api.host.test login ci password §",
		"machine git.host.test\n  login bot\n  password §\n",
		"default login ci password §",
		"machine a.test password § login ci",
		"[client]\nuser=backup\npassword=§\nhost=db",
		"WIFI:T:WPA;S:office;P:§;;",
		"sip:1001:§@pbx.host.test",
		"Driver=x;UID=app;PWD={§};Encrypt=1",
		`credentials += Credentials("Nexus", "nexus.test", "jo", "§")`,
		"https://h.test/login?user=jo&password=§",
	})
	m := newMaker()
	holdsPlanted(t, "k"+m.body(digits, 3)+m.body(lowers, 8)+m.body(hexes, 20), []string{
		"https://api.host.test/v1/me?access_token=§",
		"https://api.host.test/v1/me?a=b&sig=§&z=3",
		"https://api.host.test/v1/me?a=b&amp;client_secret=§",
		"https://app.host.test/cb#sig=§&kind=bearer",
		"https://app.host.test/reset?hmac=§.",
		"https://f.host.test/a.zip?Expires=1893456000&Signature=§&Key-Pair-Id=K2",
		"//npm.host.test/:_authToken=§",
		"npmAuthToken: \"§\"",
	})
	login := base64.StdEncoding.EncodeToString([]byte("ci:Tr4" + "velq8Zp"))
	holdsPlanted(t, login, []string{
		`{"auths":{"registry.host.test":{"auth":"§"}}}`,
		"_auth=§",
	})
	holdsPlanted(t, m.body(lowers+digits, 24)+"e7", []string{"https://chat.host.test/hooks/§"})
	holdsPlanted(t, m.body(hexes, 32), []string{
		"https://calendar.google.com/calendar/ical/a/private-§/basic.ics",
		"https://events.pagerduty.com/integration/§/enqueue",
	})
}

func TestScanText_hashes(t *testing.T) {
	t.Parallel()

	m := newMaker()
	for _, head := range []string{
		"$apr" + "1$ab12cd34$", "$2" + "b$12$", "$6" + "$salt12$",
		"$y" + "$j9T$salt12$", "{SS" + "HA}", "$argon" + "2id$v=19$m=65536,t=3,p=4$c2FsdA$",
		"pbkdf2_sha" + "256$600000$salt$",
	} {
		hash := head + m.body(alnums, 53)
		holdsPlanted(t, hash,
			[]string{
				mark, "jo:" + mark, "root:" + mark + ":19000:0:99999:7:::",
				"useradd -p '" + mark + "' jo", `"` + mark + `"`,
			})
	}
	holdsNothing(t, []string{
		"awk '{print $1$2}' and $6$7",
		"$2" + "a$10$" + strings.Repeat("x", 53),
		"the algorithm is {SHA} and not {SSHA}",
		"we use $argon2id$ with three passes",
	})
}

func TestScanText_noConnections(t *testing.T) {
	t.Parallel()

	m := newMaker()
	holdsNothing(t, []string{
		"postgres://postgres:postgres@localhost:5432/db",
		"postgres://app:${DB_PASS}@db/main",
		"Server=sql1;User Id=sa;Password=$(SQL_PASS);",
		"Server=sql1;User Id=sa;Password=;Trusted=yes",
		"host=pg user=app password=$PGPASS",
		"machine learning with a login page and a password field",
		"the machine has 4 cores",
		"docker run -p 5432:5432 postgres:17",
		"localhost:5432:app",
		"write to mailto:jo.doe1985@host.test",
		"contact:jo.doe1985@host.test",
		"npm:left-pad2@1.3.0",
		"docker pull registry.host.test/app:1.2.3@sha256:" + m.body(hexes, 64),
		"git@github.com:acme/app2.git",
		"scp a.txt ops@gate.host.test:/srv/a1",
		"https://h.test/x?page_token=CAUQAA2x9Qw8k2m4n6p8",
		"https://h.test/x?sort_key=created_at2&status_code=404",
		"https://h.test/x?token=$TOKEN",
		"https://h.test/x?token={token}",
		"https://h.test/x?key=01ARZ3NDEKTSV4RRFFQ69G5FAV",
		"https://h.test/x?id=8d7f2f6a-9d3c-4d55-9d53-0c2f1d9e7a11",
		"https://h.test/x?code=ABC123",
		"//registry.npmjs.org/:_authToken=${NPM_TOKEN}",
		`"auth": "required"`,
		"https://h.test/hooks/pre-commit-and-post-merge-hook",
		"WIFI:T:nopass;S:guest;;",
		"12:30:45@host7.test is no login",
	})
}
