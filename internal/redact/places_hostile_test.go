package redact_test

import (
	"os"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact"
)

// TestScanText_worstPlaces gives each keyword of places and personal details
// a line that holds it as often as it can: 256 KB of it with LTM_WORST_LINES, else less. It ends because no
// rule reads far before it says no, also where it passes what it has read.
func TestScanText_worstPlaces(t *testing.T) {
	t.Parallel()

	size := 1 << 14
	if os.Getenv("LTM_WORST_LINES") != "" {
		size = 1 << 18
	}
	for _, unit := range []string{
		"/home/a", "=/home/runner/x", "=/home/settings", "cd /home/a ", "=/Users/me/x", "~a/b ",
		"vscode-remote://a/home/b/c ", "=/usr/bin/x", "=/etc/hosts",
		"/media/a/B ", "/media/a/", "/run/user/", `C:\Users\`, `C:\Users\a\`, `=C:\Users\runner\`,
		`=C:\Windows\System32\`, `C:\Documents and Settings\a\`,
		"10.1.2.3 ", "10.0/", "=169.254.169.254", "100.64.0.1", "fd12:", "fd12::=", "fe80:", "a.internal ",
		"a.b.lan ", "-a.local", "a@b:~/", "@a:~ ",
		"dhcp ", "ether 3c:22:", "a@", "a@b.co", "a.b@c.d.", "+491", "+49 1 ", "+1(", "call (",
		"phone: 0 1 2 ", "41", "4111-", "= 41111111", "GB82", "GB82 WEST ",
		"12-34-", "ssn: 12 ",
	} {
		redact.ScanText(strings.Repeat(unit, size/len(unit)))
	}
}
