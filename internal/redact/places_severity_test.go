package redact_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScanText_placesSeverity holds that every place and personal detail warns, and which of them are written
// anew. SPEC.
func TestScanText_placesSeverity(t *testing.T) {
	t.Parallel()

	places := []string{
		"/home/mara/x", "cd /home/mara", "HOME=/home/mara", "/home/anna.schmidt", "/Users/lena",
		"/root/.ssh/id_rsa", "/home/john/notes.txt",
		`C:\Users\Mara\x`, `c:\users\mara`, `C:\Documents and Settings\Olaf\x`, "C:/Users/mara/x",
		"/mnt/c/Users/mara/x", `\\wsl$\Ubuntu\home\lukas`,
		"file:///home/mara/x", "vscode-remote://ssh-remote+build/home/mara/shop",
		`I saved it to "/home/mara/notes.txt"`,
	}
	warns := []string{
		"ssh nas.local", "mara@thinkpad:~$ ls", "ether 3c:22:fb:7a:19:e4", "+44 20 7946 " + "0958",
		"tel. 030 901820-" + "44", "call (415) 555-" + "0132",
		"4111 1111 " + "1111 1111", "3782 822463 " + "10005", "GB82WEST" + "12345698765432",
		"DE89 3704 0044 " + "0532 0130 00", "536-22-" + "8841",
		"DNI: 7345" + "2109K", "passport no. C01X" + "0057361",
	}
	for _, text := range places {
		if fs := redact.ScanText(text); !slices.ContainsFunc(fs, redact.Finding.IsPlace) ||
			len(redact.Blocking(fs)) != 0 {
			t.Errorf("ScanText(%q) = %v, want a place that blocks nothing", text, fs)
		}
	}
	for _, text := range warns {
		if fs := redact.ScanText(text); len(fs) != 1 || fs[0].Severity != redact.Warn {
			t.Errorf("ScanText(%q) = %v, want one warning", text, fs)
		}
	}
}

// TestScanText_noPlaces holds that texts which only look like a place or a
// personal detail pass without a warning. SPEC.
func TestScanText_noPlaces(t *testing.T) {
	t.Parallel()

	for text := range strings.Lines(noPlaces) {
		if fs := redact.ScanText(strings.TrimSuffix(text, "\n")); len(fs) > 0 {
			t.Errorf("ScanText(%q) = %v, want none", text, fs)
		}
	}
}

const noPlaces = `router.get('/users/profile')
router.get('/home/alice/posts')
<a href="/home/products/list">
<Link to="/home/team/members">
<Route path="/home/settings" />
navigate('/home/account/billing')
fetch("/home/api/list")
/users/:id/settings
GET /scim/v2/Users/2819c223
GET /Users and POST /Users
/Users/me and /Users/{id}
/home/<user>/x and /home/{user}/x and /home/user/x and /home/your-name/x
/home/username/x and /home/you/x and /home/me/x
C:\Users\%USERNAME%\AppData
C:\Users\<name>\x
C:\Users\Public\x
C:\Windows\System32\drivers\etc\hosts
RUN --mount=type=cache,target=/root/.cache/go-build go build
- pgdata:/var/lib/postgresql/data
psql keeps it in /var/lib/postgresql/data
tail /var/log/nginx/access.log
cp app.service /etc/systemd/system/app.service
COPY default.conf /etc/nginx/conf.d/default.conf
cat /etc/apk/repositories /etc/ssl/certs/ca-certificates.crt
/usr/local/go/src/runtime/panic.go:884
/media/images/logo.png and /media/uploads/Photo.png
~approx and ~ten
version 10.2.0.4 and v10.1.2.3
10.0.0.0/8 is private
169.254.169.254 answers in each cloud
host.docker.internal:5432
this.config.local and settings.local
com.acme.shop.internal
2001:db8::1
fade:: and feed: and fd
the mac has 00:11:22:33:44:55
git@host.acme.de:owner/repo.git
lodash@4.17.21 and icon@2x.png and getty@tty1.service
user@example.org and noreply@acme.io and security@acme.io
q@k.transpose(1)
acme-dev@googlegroups.com
/home/test/x
C:\path\to\file
fmt.Printf("t:\\n%v\\n", t)
[fe80::1%eth0]
/home/runner/work/x, ~mara/x, ~/x, /opt/shop/bin, 10.1.2.3:80, localhost:8080 and mara@nordhavn.se are on many machines, or known
1+1, c++11, +0200, +12 -3, +86400
call 030 first, tel aviv, telemetry 0301 555
4111 1111 1111 1112
4111111111111111.5
1700000000000000000
GB82WEST12345698765431
2026-11-21 and 123-45-6789
cpf and dni are words
`
