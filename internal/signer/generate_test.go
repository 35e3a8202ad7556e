package signer_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

func TestGenerate(t *testing.T) {
	t.Parallel()
	keytest.Needs(t, "ssh-keygen")
	config := signer.Config{Format: signer.SSH, Env: plainEnv(t)}
	path := filepath.Join(t.TempDir(), "new", "ltm", "agent_ed25519")
	public, err := signer.Generate(t.Context(), config, path, "agent of ada@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(public, "ssh-ed25519 AAAA") ||
		!strings.HasSuffix(public, " agent of ada@example.com") {
		t.Errorf("public = %q", public)
	}
	for file, want := range map[string]fs.FileMode{
		path: 0o600, filepath.Dir(path): 0o700,
		filepath.Dir(filepath.Dir(path)): 0o700,
	} {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want mode %v", file, info, err, want)
		}
	}
	config.Key = path
	if _, err := signer.Sign(t.Context(), config, []byte("payload\n")); err != nil {
		t.Errorf("sign with the new key: %v", err)
	}
	if _, err := signer.Generate(t.Context(), config, filepath.Join(t.TempDir(), "key"), "two\nlines"); err ==
		nil {
		t.Error("a comment of two lines was taken")
	}
}

// TestGenerate_overwrites shows that neither file of a key is ever written over.
func TestGenerate_overwrites(t *testing.T) {
	t.Parallel()
	keytest.Needs(t, "ssh-keygen")
	config := signer.Config{Format: signer.SSH, Env: plainEnv(t)}
	for _, name := range []string{"key", "key.pub"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("mine"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := signer.Generate(t.Context(), config, filepath.Join(dir, "key"), "c"); !errors.Is(err,
			fs.ErrExist) {
			t.Errorf("%s exists: %v, want fs.ErrExist", name, err)
		}
		files, err := os.ReadDir(dir)
		if data, _ := os.ReadFile(filepath.Join(dir, name)); err != nil || string(data) != "mine" ||
			len(files) != 1 {
			t.Errorf("%s exists: now %q, %v", name, data, files)
		}
	}
	dangling := filepath.Join(t.TempDir(), "key")
	if err := os.Symlink("elsewhere", dangling); err != nil {
		t.Fatal(err)
	}
	if _, err := signer.Generate(t.Context(), config, dangling, "c"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a link that leads nowhere: %v, want fs.ErrExist", err)
	}
}

func TestConfig_Fingerprint(t *testing.T) {
	t.Parallel()
	home := keytest.GPGHome(t)
	keytest.Needs(t, "gpgsm", "ssh-keygen")
	ada := home.Generate(identity, "ed25519", "never")
	smime := keytest.SMIME(t, home, "Ada Tester", mail)
	path, public := keytest.LockedSSHKey(t, "ed25519", "locked", "a pass phrase")
	alone := filepath.Join(t.TempDir(), "alone")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(alone, data, 0o600); err != nil {
		t.Fatal(err)
	}
	literal, err := signer.Config{Format: signer.SSH, Key: "key::" + public, Env: home.Env()}.Fingerprint(
		t.Context())
	if err != nil || len(literal) != len("SHA256:")+43 {
		t.Fatalf("literal key = %+v, %v", literal, err)
	}
	for _, c := range []struct {
		name   string
		config signer.Config
		want   string
	}{
		{"fingerprint", signer.Config{Key: ada}, ada},
		{"identity", signer.Config{Identity: identity}, ada},
		{"x509", signer.Config{Format: signer.X509, Key: mail}, smime},
		{"private path", signer.Config{Format: signer.SSH, Key: path}, literal},
		{"public path", signer.Config{Format: signer.SSH, Key: path + ".pub"}, literal},
		{
			"locked key alone",
			signer.Config{Format: signer.SSH, Key: alone},
			literal,
		},
		{"command", signer.Config{Format: signer.SSH, DefaultKeyCommand: "echo '" + public + "'"}, literal},
	} {
		c.config.Env, c.config.Dir = home.Env(), home.Dir
		if got, err := c.config.Fingerprint(t.Context()); err != nil || got != c.want {
			t.Errorf("%s: %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
	for _, config := range []signer.Config{
		{},
		{Key: "nobody@example.com"},
		{Format: signer.SSH},
		{Format: signer.SSH, Key: "missing"},
	} {
		config.Env, config.Dir = home.Env(), home.Dir
		if got, err := config.Fingerprint(t.Context()); !errors.Is(err, signer.ErrNoKey) {
			t.Errorf("%+v: %+v, %v, want ErrNoKey", config.Format, got, err)
		}
	}
}
