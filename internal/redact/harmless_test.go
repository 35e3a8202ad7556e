package redact_test

import (
	"strings"
	"testing"
)

// harmless returns texts of which none may be reported, not even as a
// warning: prose, names of things, digests, placeholders and routes.
func harmless() []string {
	sections := []string{harmlessProse, harmlessCode, harmlessPlaceholders, harmlessPlaces, harmlessIDs}
	var all []string
	for _, section := range sections {
		for line := range strings.Lines(section) {
			if line = strings.TrimSpace(line); line != "" {
				all = append(all, strings.ReplaceAll(line, "~~", "")) // Keeps prefixes apart in the source.
			}
		}
	}
	return all
}

const harmlessProse = `
We refresh the token: the JWT that we pass is checked by the gateway.
password = required
The password: must have at least twelve characters
Token: what the lexer yields; see section 4.2
secret: never write it into a packet
The secret to this speed-up is caching, not parallelism.
Passwords are hashed with argon2id; the password: argon2id
Our token budget is 128000 per session, max_tokens: 128000
tokens: 4096 in, 1024 out
Use a bearer token in the Authorization header.
Authorization: Bearer tokens expire after an hour
Authorization: Bearer <token>
Basic authentication is off; basic understanding is enough.
The API key: rotated monthly by the platform team
api_key is read from the environment
key: later, value: sooner
project-C:later
See #42 and #1337 for the history.
Version v1.24.3-rc.1+build.5 fixed it; 10.0.19041.1 did not.
He asked for task-force-approved-and-well-tested-solutions-only
disk-utilisation-over-ninety-percent-for-three-days
risk-assessment-of-the-new-scheduler-and-queue
The ratio is 16:9 and the time 12:30:45.
Ask ops: they know. C: drive letters are not portable.
either a:/b/c or b:/c is a volume here
s:/foo and c:/x in prose
Key insight: CacheInvalidationStrategy must be explicit
Die Parole wurde geändert, das Passwort: siehe Tresor
パスワードは環境変数から読みます
Секрет успеха: маленькие шаги, токен: обновляется сам
We chose HMAC-SHA256 over RS256 for the signature.
the private key is kept in the vault and never leaves it
a BEGIN marker and an END marker surround the block
The header -----BEGIN CERTIFICATE----- is public.
"token" is a word; 'secret' too; and a password as well.
credential: provided by the platform, not by us
I/O, w/o, and/or, 24/7, n/a, km/h, TCP/IP
The ratio of input/output tokens was 3/1
secret = shared between the two services
pwd: prints the working directory
passphrase: prompted on the terminal, not stored
access_key: rotated, see runbook
Password reset is a two-step flow: request, then confirm.
The session_key: derived per connection
client_secret: stored by operator in vault
Who owns the token? Platform: they rotate it.
this token: expires, that token: does not
auth token = opaque to the client
secret santa: December
`

const harmlessCode = `
token := lexer.Next()
token = tokens[i]
const token = await getToken(user.id)
if token == nil { return ErrNoToken }
token: string; password: string
password: String? = null
password = os.Getenv("DB_PASSWORD")
password: ${{ secrets.DB_PASSWORD }}
password = process.env.DB_PASSWORD
api_key = settings.OPENAI_API_KEY
secret = Rails.application.credentials.secret_key_base
token = request.headers["Authorization"]
csrfToken = document.querySelector("meta")
passwordField.text = ""
password_hash = hasher.hash(password)
secretName: my-service-credentials
secretKeyRef: database-credentials
self.token = token
next_page_token = response.nextPageToken2
page_token: CAUQAA2x9Qw8
cancellationToken: source.Token
type Token struct { Kind int }
func (t *Token) String() string
import "internal/secret"
password=$DB_PASSWORD
password="$(pass show db/prod)"
--password "$PGPASSWORD"
--token $(gh auth token)
export TOKEN=$(cat token.txt)
token_type: bearer
grant_type=client_credentials
tokenUrl: https://auth.example.com/oauth/token
"password": {"type": "string", "minLength": 12}
AnalyticsServiceControllerFactoryBeanProvider
internationalizationConfigurationManager
com.company.product.service.impl.TokenServiceImpl
src/Users/List.tsx
app/Http/Controllers/Users/UserController.php
internal/redact/scan.go
../shared/lib/index.js
./scripts/deploy.sh
node_modules/@types/node/index.d.ts
docs/decisions/0001-use-go.md
\d+\.\d+ and \w+\s*
"line\nnext\ttab"
fmt.Printf("%d:\t%s\n", n, s)
case 'a': return true
a~/b/ c~/d
map[string]int{"a": 1}
SELECT token, secret FROM sessions WHERE id = 42
npm_config_registry and npm_package_version
hf_hub_download and hf_transfer are functions
re_compile_all_the_patterns_once_now
SG.isReady() and SG.start()
key-value-store-with-a-long-name
secret: projects/my-proj-123/secrets/db/versions/4
secret: kube-system/registry-pull-secret-2
secret = load_secret_v2
"token": "refresh-token-rotation"
access_key=AccessKeyV2Config
token: Ident("foo42")
bypass: Yes123456
password=None
token_count=1234567890123
password_policy: min12chars
import x from '@/home/components/List'
src/home/alice/x.ts
POST /users/alice/documents
sk-learn and sk-image
`

const harmlessPlaceholders = `
password=changeme
password: <your password>
password = "********"
password="xxxxxxxxxxxx"
api_key: YOUR_API_KEY
api_key = "your-token-here"
token=your_token_here_123
API_KEY=${API_KEY}
token={{ token }}
secret: [REDACTED:secret-assignment]
password=[REDACTED:secret-assignment#2]
token: ghp_~~xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
gh~~p_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
AKIA~~IOSFODNN7EXAMPLE
aws_secret_access_key = wJalr~~XUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
sk-~~your-api-key-here-please-replace-it-soon
sk-ant-~~api03-xxxxxxxxxxxxxxxxxxxxxxxx
AI~~zaXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX
xoxb-~~your-slack-token
https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
postgres://user:password@db/main
postgres://user:${DB_PASS}@db/main
https://<user>:<password>@git.host/x
https://user:***@git.host/x
mysql://root:$MYSQL_PW@db
redis://:{{ redis_password }}@cache
Authorization: Bearer ${TOKEN}
Authorization: Bearer {{token}}
Authorization: Bearer YOUR_ACCESS_TOKEN
gl~~pat-xxxxxxxxxxxxxxxxxxxx
/home/<user>/project
/Users/<name>/x
/home/$USER/x
/home/{user}/x
/Users/${USER}/code
file:///path/to/file
C:\<user>\x
pk_~~live_abcdefghijklmnopqrstuvwx
gh~~p_0123456789abcdefghijABCDEFGHIJ01234
whsec_~~0123456789abcdefghijABCDEFGHIJ0
eyJx.y.z
eyJhbGciOi and nothing after it
-----BEGIN PUBLIC KEY-----
-----BEGIN PGP SIGNATURE-----
token="..."
password: "…"
SK~~00000000000000000000000000000000
`

const harmlessPlaces = `
GET /home/feed
GET /home/alice/posts
POST /users/42/orders
/v1/users/{id}
/users/42/orders
/home/feed
/home/feed/latest
/home
/usr/bin/env bash
#!/usr/bin/env python3
#!/bin/sh
cat /etc/hosts
2>/dev/null
/dev/stdin
/api/v1/tokens
/metrics and /healthz
git@github.com:owner/repo.git
git@host:/home/git
ssh://git@github.com/owner/repo
https://github.com/owner/repo/pull/12
https://user@host.com/path
https://docs.company.com/home/guide
http://localhost/
https://example.com:8443/x
./data:/var/lib/postgresql/data
http://host/home/welcome
"/": "index"
http://[::1]/
mailto:someone@example.com
git@github.com
noreply@github.com
127.0.0.1 is localhost
the 10.0 release, 172.5 MB, 192.168 lines
1.10.0.0.1 is a version
~ and ~/ alone
a/~b/c
~1.2.3 and ~> 2.0
$HOME is where the shell starts
the root element of the tree is not a place: root/child
settings.local.json and .env.local
foo.internal.Bar and pkg/internal/x
this.local = 3
origin/main..HEAD
refs/heads/main
owner/name@v1.2.3
registry.io/owner/image:1.2.3
s3://bucket/key/part
arn:aws:s3:::my-bucket/key
and/or/not
`

const harmlessIDs = `
01ARZ3NDEKTSV4RRFFQ69G5FAV
key=01ARZ3NDEKTSV4RRFFQ69G5FAV
550e8400-e29b-41d4-a716-446655440000
commit 9fceb02d0ae598e95dc970b74767f19372d61af8
da39a3ee5e6b4b0d3255bfef95601890afd80709
e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855
sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=
sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==
h1:yn4o5t0UsBVYDJcQbvWVUfOgMJ8dYv5jqJLMCVCPgZc=
golang.org/x/sys v0.0.0-20260410095643-746e56fc9e2f
"integrity": "sha512-oGMwAwzZ3FmHbgjPYCFpxDIXv5EQOHHvcBpJGKgO8TGXcgGvDsDyoi0OSPUQ0b7ZtZ6Ia5Yf8a1Dhu7EZrE7AA=="
trace 4bf92f3577b34da6a3ce929d0e0e4736 span 00f067aa0ba902b7
2026-11-21T06:27:00Z
+49 30 1234567
1234-5678-9012
build 20261121.3
UTF-8, ISO-8859-1, RFC6750, ES2022
etag: W/"5e15153d-120f"
0xdeadbeefcafebabe
#a1b2c3 and #ffffff
BenchmarkScan-8 12345 98765 ns/op
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk
ghp is short for GitHub personal
AKIA is a prefix
AKIA~~SHORT123
ASIA and ACCA are abbreviations; in ASIAPACIFICREGIONSALESOFFICE too
the glob **/*.test.ts
model claude-3-5-sonnet-20241022
gpt-4o-mini-2024-07-18
x86_64-unknown-linux-gnu
`

// TestScanText_respelt holds that a password of words with digits for letters is found behind the name of a
// token.
func TestScanText_respelt(t *testing.T) {
	t.Parallel()
	if fs := blockingSecrets(`{"token": "` + "Tr0ub4dor" + `-horse9"`); len(fs) != 1 {
		t.Errorf("%v, want one finding", fs)
	}
}
