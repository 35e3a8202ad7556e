package signer_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

func isProgramError(err error) bool {
	_, ok := errors.AsType[*signer.ProgramError](err)
	return ok
}

// begin is how the programs of these tests claim a signature.
const begin = "-----BEGIN " + "PGP SIGNATURE-----"

func TestSign_refuses(t *testing.T) {
	t.Parallel()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TMPDIR=" + t.TempDir()}
	created := "#!/bin/sh\necho '[GNUPG:] SIG_CREATED D 22 8 00 1 X' >&2\n"
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("#!/bin/sh\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		config signer.Config
		is     error  // An error in the chain; nil wants a ProgramError.
		says   string // A part of the message.
	}{
		{"no key and no identity", signer.Config{}, signer.ErrNoKey, ""},
		{"no key for ssh", signer.Config{Format: signer.SSH, Identity: identity}, signer.ErrNoKey, ""},
		{
			"missing program",
			signer.Config{Key: "x", Program: "no-such-program"},
			signer.ErrNoProgram,
			"no-such-program",
		},
		{
			"missing path",
			signer.Config{Key: "x", Program: "/no/such/gpg"},
			signer.ErrNoProgram,
			"/no/such/gpg",
		},
		{"file that cannot be run", signer.Config{Key: "x", Program: plain}, signer.ErrNoProgram, plain},
		{
			"no shell around the program",
			signer.Config{Key: "x", Program: "true --status"},
			signer.ErrNoProgram, "",
		},
		{
			"no status",
			signer.Config{Key: "x", Program: write(t, "#!/bin/sh\necho '"+begin+"'\n")},
			nil,
			"made no signature",
		},
		{
			"status inside a line",
			signer.Config{
				Key:     "x",
				Program: write(t, "#!/bin/sh\necho '"+begin+"'\necho 'x [GNUPG:] SIG_CREATED ' >&2\n"),
			},
			nil, "made no signature",
		},
		{
			"status and no signature",
			signer.Config{Key: "x", Program: write(t, created)},
			nil,
			"made no signature",
		},
		{
			"status and other text",
			signer.Config{Key: "x", Program: write(t, created+"echo object 0\necho '"+begin+"'\n")},
			nil,
			"made no signature",
		},
		{
			"signature and a bad end",
			signer.Config{Key: "x", Program: write(t, created+"echo '"+begin+"'\nexit 3\n")},
			nil,
			"exit code 3",
		},
		{"signal", signer.Config{Key: "x", Program: write(t, "#!/bin/sh\nkill -9 $$\n")}, nil, "killed"},
		{
			"too much",
			signer.Config{
				Key:     "x",
				Program: write(t, created+"echo '"+begin+"'\nhead -c 100000 /dev/zero\n"),
			},
			signer.ErrTooLarge,
			"65536",
		},
		{
			"ssh program that makes no file",
			signer.Config{Format: signer.SSH, Key: "x", Program: write(t, "#!/bin/sh\necho sorry >&2\n")},
			nil, "made no signature: sorry",
		},
		{
			"ssh program that makes a large file",
			signer.Config{
				Format: signer.SSH, Key: "x",
				Program: write(t, "#!/bin/sh\nfor f; do :; done\nhead -c 100000 /dev/zero > \"$f.sig\"\n"),
			},
			signer.ErrTooLarge, "65536",
		},
		{
			"command that names no key",
			signer.Config{Format: signer.SSH, DefaultKeyCommand: "echo hidden"},
			signer.ErrNoKey, "first line",
		},
		{
			"command that fails",
			signer.Config{Format: signer.SSH, DefaultKeyCommand: "false"},
			signer.ErrNoKey,
			"exit code 1",
		},
		{
			"command that is not there",
			signer.Config{Format: signer.SSH, DefaultKeyCommand: "no-such-program -L"},
			signer.ErrNoProgram,
			"",
		},
		{
			"command with an open quote",
			signer.Config{Format: signer.SSH, DefaultKeyCommand: "echo 'ssh-"},
			signer.ErrNoKey, "quote",
		},
		{
			"no shell around the command",
			signer.Config{Format: signer.SSH, DefaultKeyCommand: "false || echo ssh-ed25519"},
			signer.ErrNoKey, "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.config.Env, c.config.Dir = env, t.TempDir()
			signature, err := signer.Sign(t.Context(), c.config, []byte("payload\n"))
			if err == nil {
				t.Fatalf("Sign = %q, want an error", signature)
			}
			if c.is == nil && !isProgramError(err) || c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("error = %v, want %v", err, c.is)
			}
			if !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "hidden") {
				t.Errorf("error = %q, want %q in it", err, c.says)
			}
		})
	}
}

// TestProgramError shows that what a program says reaches nobody raw.
func TestProgramError(t *testing.T) {
	t.Parallel()
	keytest.Needs(t, "sh")
	for _, c := range []struct{ name, script, want string }{
		{
			"control and bidi characters",
			"printf 'red \\033[31mtext\\033]52;c;eA==\\007 \\342\\200\\256lia \\233 end\\r\\n[GNUPG:] FAILURE sign 1\\nlast\\n' >&2\nexit 2\n",
			"exit code 2: red text lia end; last",
		},
		{"last lines", "seq 1 20 >&2\nexit 1\n", "exit code 1: 13; 14; 15; 16; 17; 18; 19; 20"},
		{"private key", "echo '-----BEGIN OPENSSH PRIVATE" + " KEY-----' >&2\nexit 1\n", "left out"},
	} {
		config := signer.Config{
			Key: "x", Program: write(t, "#!/bin/sh\n"+c.script),
			Env: []string{"PATH=" + os.Getenv("PATH")},
		}
		_, err := signer.Sign(t.Context(), config, nil)
		if !isProgramError(err) || !strings.HasSuffix(err.Error(), c.want) ||
			strings.Contains(err.Error(), "PRIVATE") {
			t.Errorf("%s: error = %q, want %q at its end", c.name, err, c.want)
		}
	}
}
