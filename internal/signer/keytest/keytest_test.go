package keytest_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

const payload = "object 0\n"

// validity returns the letter by which gpg judges a key and its owner's trust.
func validity(t *testing.T, home *keytest.Home, fingerprint string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "gpg", "--batch", "--list-keys", "--with-colons", fingerprint)
	cmd.Env = home.Env()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		if f := strings.Split(line, ":"); f[0] == "pub" {
			return f[1]
		}
	}
	t.Fatalf("gpg does not list %s: %q", fingerprint, out)
	return ""
}

func TestHome(t *testing.T) {
	t.Parallel()
	home := keytest.GPGHome(t)
	fresh := home.Generate("Ada Tester <ada@example.com>", "ed25519", "never")
	subkey := home.AddSubkey(fresh, "rsa2048", "never")
	expired := home.Generate("Ada Tester <expired@example.com>", "ed25519", "never")
	before := home.Sign(expired, []byte(payload), time.Now().Add(-time.Minute))
	home.ExpireNow(expired)
	revoked := home.Generate("Ada Tester <revoked@example.com>", "ed25519", "never")
	home.Revoke(revoked)
	old := home.GenerateAt(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), "Ada Tester <old@example.com>",
		"ed25519", "1y")

	other := keytest.GPGHome(t)
	root := other.Generate("Bob <bob@example.com>", "ed25519", "never")
	other.Import(home.ExportArmored())
	other.Certify(root, fresh)

	for _, c := range []struct {
		name, fingerprint, want string
		home                    *keytest.Home
	}{
		{"own key", fresh, "u", home},
		{"key that ended now", expired, "e", home},
		{"key that was taken back", revoked, "r", home},
		{"key of long ago", old, "e", home},
		{"certified", fresh, "f", other},
		{"taken back in the export", revoked, "r", other},
	} {
		if got := validity(t, c.home, c.fingerprint); got != c.want {
			t.Errorf("%s: validity = %q, want %q", c.name, got, c.want)
		}
	}
	if sig := home.Sign(subkey, []byte(payload), time.Time{}); !bytes.HasPrefix(sig,
		[]byte("-----BEGIN PGP SIGNATURE-----")) {
		t.Errorf("signature by a subkey = %q", sig)
	}
	if len(before) == 0 {
		t.Error("no signature from before the end of the key")
	}
}

func TestSSH(t *testing.T) {
	t.Parallel()
	authority, _ := keytest.SSHKey(t, "ed25519", "ca")
	for _, kind := range []string{"ed25519", "rsa2048", "ecdsa"} {
		path, public := keytest.SSHKey(t, kind, "key")
		if sig := keytest.SignSSH(t, path, "git", []byte(payload)); !bytes.HasPrefix(sig,
			[]byte("-----BEGIN SSH SIGNATURE-----")) {
			t.Errorf("%s: signature = %q", public, sig)
		}
		certificate := keytest.Certificate(t, authority, path, "", "ada@example.com")
		if data, err := os.ReadFile(certificate); err != nil ||
			!strings.Contains(string(data), "-cert-v01@openssh.com ") {
			t.Errorf("certificate = %q, %v", data, err)
		}
	}
}

func TestAgent(t *testing.T) {
	t.Parallel()
	path, public := keytest.SSHKey(t, "ed25519", "key")
	cmd := exec.CommandContext(t.Context(), "ssh-add", "-L")
	cmd.Env = append(os.Environ(), "SSH_AUTH_SOCK="+keytest.Agent(t, path))
	if out, err := cmd.Output(); err != nil || strings.TrimSpace(string(out)) != public {
		t.Errorf("ssh-add -L = %q, %v, want %q", out, err, public)
	}
}

func TestSMIME(t *testing.T) {
	t.Parallel()
	home := keytest.GPGHome(t)
	fingerprint := keytest.SMIME(t, home, "Ada Tester", "ada@example.com")
	file := filepath.Join(t.TempDir(), "payload")
	if err := os.WriteFile(file, []byte(payload), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "gpgsm", "--batch", "-bsau", fingerprint, "-o", file+".sig", file)
	cmd.Env = home.Env()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gpgsm: %v\n%s", err, out)
	}
}
