package redact_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScan_beside holds that a value is read with the members beside it, and
// that these alone make no secret of it.
func TestScan_beside(t *testing.T) {
	t.Parallel()
	m := newMaker()
	number, octets, key, session, password := m.body(urlSafes, 43), m.body(urlSafes, 22), m.body(hexes, 32),
		m.body(alnums, 32), m.body(alnums, 15)+"!"
	replace := strings.NewReplacer("NUMBER", number, "OCTETS", octets, "KEY", key, "SESSION", session,
		"PASSWORD", password, "DIGEST", m.body(hexes, 40))
	for name, test := range map[string]struct {
		doc  string
		want []place
	}{
		"web key": {
			`{"kty": "EC", "crv": "P-256", "x": "NUMBER", "d": "NUMBER"}`,
			[]place{{"json-web-key", "/d", false, 0, 43}},
		},
		"shared web key": {
			`{"k": "OCTETS", "kty": "oct"}`,
			[]place{{"json-web-key", "/k", false, 0, 22}},
		},
		"web keys in a list": {
			`{"keys": [{"kty": "EC", "d": "NUMBER"}]}`,
			[]place{{"json-web-key", "/keys/0/d", false, 0, 43}},
		},
		"around an object": {
			`{"kty": "oct", "key_ops": {"a": ["sign"]}, "k": "OCTETS"}`,
			[]place{{"json-web-key", "/k", false, 0, 22}},
		},
		"public web key": {`{"kty": "EC", "crv": "P-256", "x": "NUMBER", "y": "NUMBER"}`, nil},
		"service and value": {
			`{"service": "mailgun", "value": "KEY"}`,
			[]place{{"service-key", "/value", false, 0, 32}},
		},
		"service and commit": {`{"service": "mailgun", "commit": "KEY"}`, nil},
		"cookie": {
			`{"name": "session", "value": "SESSION", "domain": ".host.org", "httpOnly": true}`,
			[]place{{"session-cookie", "/value", false, 0, 32}},
		},
		"type and value": {
			`{"type": "password", "value": "PASSWORD"}`,
			[]place{{"secret-assignment", "/value", false, 0, 16}},
		},
		"value and kind": {
			`[{"value": "PASSWORD", "kind": "password"}]`,
			[]place{{"secret-assignment", "/0/value", false, 0, 16}},
		},
		"id before the name": {
			`{"id": "db", "name": "password", "value": "PASSWORD"}`,
			[]place{{"secret-assignment", "/value", false, 0, 16}},
		},
		"generated id": {`{"id": "01M85G7XNKV5ZT07P7H8BMP1PW", "value": "qt0058value"}`, nil},
		"other id":     {`{"id": "1srOrx2ZWZBpBU8ZwXKQmoEY1PW", "value": "qt0058value"}`, nil},
		"rows with a head": {
			`{"columns": ["user", "password"], "index": ["a", "b"], "data": [["root", "PASSWORD"]]}`,
			[]place{{"secret-assignment", "/data/0/1", false, 0, 16}},
		},
		"rows below a row": {
			`[["user", "password"], ["root", "PASSWORD"]]`,
			[]place{{"secret-assignment", "/1/1", false, 0, 16}},
		},
		"head behind the rows": {
			`{"data": [["root", "PASSWORD"]], "fields": ["user", "password"]}`,
			[]place{{"secret-assignment", "/data/0/1", false, 0, 16}},
		},
		"cookie of a jar": {
			`{"cookies": [{"name": "sid", "value": "KEY", "domain": ".host.org", "httpOnly": true}]}`,
			[]place{{"session-cookie", "/cookies/0/value", false, 0, 32}},
		},
		"cookie that is signed": {
			`[{"domain": ".host.org", "name": "connect.sid", "path": "/", "value": "s%3ASESSION.NUMBER"}]`,
			[]place{{"session-cookie", "/0/value", false, 0, 80}},
		},
		"cookie of a choice": {`{"name": "theme", "value": "KEY", "domain": ".host.org", "httpOnly": true}`, nil},
		"service and key": {
			`{"provider": "mailgun", "key": "DIGEST"}`,
			[]place{{"service-key", "/key", false, 0, 40}},
		},
		"command line": {
			`["mysql", "-u", "root", "-pPASSWORD"]`,
			[]place{{"command-password", "/3", false, 2, 18}},
		},
		"words and a flag": {`["deploy", "-p", "host-a12", "qt0058value"]`, nil},
		"example of a schema": {
			`{"properties": {"password": {"type": "string", "example": "PASSWORD"}}}`,
			[]place{{"secret-assignment", "/properties/password/example", false, 0, 16}},
		},
		"default of a schema": {
			`{"properties": {"password": {"type": "string", "default": "PASSWORD"}}}`,
			[]place{{"secret-assignment", "/properties/password/default", false, 0, 16}},
		},
		"schema":            {`{"properties": {"password": {"type": "string", "format": "password", "pattern": "^[A-Za-z0-9!]{8,32}$"}}}`, nil},
		"word and its kind": {`[{"type": "token", "value": "identifier12"}, {"type": "password", "value": "correct"}]`, nil},
		"two objects":       {`[{"kty": "oct"}, {"k": "OCTETS"}]`, nil},
		"value and label":   {`{"kind": "cache", "value": "KEY"}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc := replace.Replace(test.doc)
			for order, doc := range map[string]string{"as written": doc, "as stored": inOrder(t, doc)} {
				fs, err := redact.BuiltIn().Scan([]byte(doc))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, placesOf(fs)); diff != "" {
					t.Errorf("Scan of %s, %s (-want +got):\n%s", test.doc, order, diff)
				}
			}
			masked, _, err := redact.BuiltIn().Mask([]byte(doc))
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range test.want {
				for _, secret := range []string{octets, key, session, password} {
					if strings.Contains(string(masked), secret) {
						t.Errorf("Mask leaves the secret at %s", p.Path)
					}
				}
			}
		})
	}
}

// inOrder returns a document with the members of its objects in the order of their names, as records have them.
func inOrder(t *testing.T, doc string) string {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(doc), &value); err != nil {
		t.Fatal(err)
	}
	ordered, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(ordered)
}
