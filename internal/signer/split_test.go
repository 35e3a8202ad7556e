package signer_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

// TestSign_command shows that a command for the default key is read exactly as git reads it. The second judge
// is git: both let a program note its arguments, or do not run it.
func TestSign_command(t *testing.T) {
	t.Parallel()
	keytest.Needs(t, "git", "sh")
	dir := t.TempDir()
	noted := filepath.Join(dir, "noted")
	for name, script := range map[string]string{
		"note": "printf '<%s>' \"$@\" >'" + noted + "'\nexit 1\n",
		"none": "exit 1\n",
	} {
		if err := keytest.WriteProgram(filepath.Join(dir, name), "#!/bin/sh\n"+script); err != nil {
			t.Fatal(err)
		}
	}
	env := append(plainEnv(t), "PATH="+dir+":"+os.Getenv("PATH"), "GIT_CONFIG_NOSYSTEM=1")
	git := func(args ...string) error {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Env = dir, env
		return cmd.Run()
	}
	if err := git("init", "-q"); err != nil {
		t.Fatal(err)
	}
	take := func() string {
		data, err := os.ReadFile(noted)
		if errors.Is(err, os.ErrNotExist) {
			return "not run"
		}
		if err != nil || os.Remove(noted) != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, command := range []string{
		"note", "note a b", " note a", "note  a\t b", "note a ", "note a\vb\fc\rd",
		"note 'a b' \"c d\"", "note a'b'\"c\"d", `note \a\ b`, `note 'a\b' "a\b\"c"`, `note '' ""`,
		"note 'a", `note "a`, `note a\`, `note 'a\`, "note $HOME ~ * ; echo | cat && x", "note a\\\\b",
		"note a\nb", `"note" a`, `no\te a`, "", "  ",
	} {
		_ = git("-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "gpg.format=ssh", "-c",
			"gpg.ssh.program=none",
			"-c", "gpg.ssh.defaultKeyCommand="+command, "tag", "-s", "-m", "x", "x",
			"4b825dc642cb6eb9a060e54bf8d69288fbee4904")
		want := take()
		config := signer.Config{Format: signer.SSH, DefaultKeyCommand: command, Dir: dir, Env: env}
		_, err := signer.Sign(t.Context(), config, []byte("payload\n"))
		if got := take(); got != want || !errors.Is(err, signer.ErrNoKey) {
			t.Errorf("%q: %s, %v, want %s", command, got, err, want)
		}
	}
}
