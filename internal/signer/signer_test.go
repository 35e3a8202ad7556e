package signer_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

const (
	mail     = "ada@example.com"
	identity = "Ada Tester <" + mail + ">"
)

// bench is a repository with all that signs in it.
type bench struct {
	dir, temp string
	env       []string
	payload   []byte
	home      *keytest.Home
	allowed   []string // allowed are the lines of the allowed signers.
}

func newBench(t *testing.T) *bench {
	t.Helper()
	keytest.Needs(t, "git", "gpg", "gpgsm", "ssh-keygen", "ssh-agent")
	b := &bench{dir: t.TempDir(), temp: t.TempDir(), home: keytest.GPGHome(t)}
	b.env = append(b.home.Env(), "TMPDIR="+b.temp, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	b.git(t, nil, "init", "-q")
	blob := b.git(t, []byte("{}\n"), "hash-object", "-w", "--stdin")
	b.payload = []byte("object " + blob + "\ntype blob\ntag 01JABCDEFGHJKMNPQRSTVWXYZ0\n" +
		"tagger " + identity + " 1795232477 +0000\n\nltm record 01JABCDEFGHJKMNPQRSTVWXYZ0\n")
	return b
}

// git runs git in the repository, in which what a case allows is allowed.
func (b *bench) git(t *testing.T, stdin []byte, args ...string) string {
	t.Helper()
	file := filepath.Join(b.dir, "allowed")
	if err := os.WriteFile(file, []byte(strings.Join(b.allowed, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "git",
		append([]string{"-c", "gpg.ssh.allowedSignersFile=" + file}, args...)...)
	cmd.Dir, cmd.Env, cmd.Stdin = b.dir, b.env, bytes.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, &stderr)
	}
	return strings.TrimSpace(string(out))
}

// with returns the environment with one more variable.
func (b *bench) with(entry string) []string {
	return append(slices.Clone(b.env), entry)
}

// allow lets git trust an SSH key.
func (b *bench) allow(options, public string) {
	b.allowed = append(b.allowed, mail+" "+options+public+"\n")
}

// plainEnv has no agent, no display and no home but an empty one.
func plainEnv(t *testing.T) []string {
	t.Helper()
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "LC_ALL=C"}
}

// write makes a file that can be run.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := keytest.WriteProgram(path, text); err != nil {
		t.Fatal(err)
	}
	return path
}

// strict refuses all arguments but those of git, and then runs the program.
func strict(t *testing.T, program, condition string) string {
	t.Helper()
	return write(t, "#!/bin/sh\nif "+condition+"; then exec "+program+" \"$@\"; fi\nexit 97\n")
}

type signing struct {
	name   string
	config signer.Config
}

func openpgpCases(t *testing.T, b *bench) []signing {
	t.Helper()
	ada := b.home.Generate(identity, "ed25519", "never")
	rsa := b.home.Generate("RSA <rsa@example.com>", "rsa2048", "never")
	subkey := b.home.AddSubkey(rsa, "ed25519", "never")
	git := strict(t, "gpg", `[ $# = 3 ] && [ "$1" = --status-fd=2 ] && [ "$2" = -bsau ]`)
	return []signing{
		{"fingerprint", signer.Config{Key: ada}},
		{"no key", signer.Config{Format: signer.OpenPGP, Identity: identity}},
		{"user id", signer.Config{Key: mail}},
		{"rsa", signer.Config{Key: rsa + "!"}},
		{"subkey", signer.Config{Key: subkey + "!"}},
		{"program", signer.Config{Key: ada, Program: git}},
		{
			"program with a relative path",
			signer.Config{
				Key: ada, Program: filepath.Join("..", filepath.Base(git)),
				Dir: filepath.Join(filepath.Dir(git), "x"),
			},
		},
		{"program by name", signer.Config{
			Key: ada, Program: "program",
			Env: b.with("PATH=" + filepath.Dir(git) + ":" + os.Getenv("PATH")),
		}},
		{
			"program without an interpreter line",
			signer.Config{Key: ada, Program: write(t, "exec gpg \"$@\"\n")},
		},
		{
			"carriage returns",
			signer.Config{Key: ada, Program: write(t, "#!/bin/sh\ngpg \"$@\" | sed 's/$/\\r/'\n")},
		},
		{
			"much said after the signature",
			signer.Config{Key: ada, Program: write(t, "#!/bin/sh\ngpg \"$@\"\nseq 1 10000 >&2\n")},
		},
		{
			"program that leaves another behind",
			signer.Config{Key: ada, Program: write(t, "#!/bin/sh\nsleep 5 &\ngpg \"$@\"\n")},
		},
		{"x509", signer.Config{Format: signer.X509, Key: keytest.SMIME(t, b.home, "Ada Tester", mail)}},
	}
}

func sshCases(t *testing.T, b *bench) []signing {
	t.Helper()
	path, public := keytest.SSHKey(t, "ed25519", "ada key")
	agent := b.with("SSH_AUTH_SOCK=" + keytest.Agent(t, path))
	alone := filepath.Join(t.TempDir(), "public only.pub")
	if err := os.WriteFile(alone, []byte(public+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	plain := strict(t, "ssh-keygen",
		`[ $# = 7 ] && [ "$1$2$3$4$5$6" = "-Ysign-ngit-f`+path+`" ] && [ -f "$7" ]`)
	literal := strict(t, "ssh-keygen",
		`[ $# = 8 ] && [ "$1$2$3$4$5" = "-Ysign-ngit-f" ] && [ -f "$6" ] && [ "$7" = -U ] && [ -f "$8" ]`)
	rsa, rsaPublic := keytest.SSHKey(t, "rsa2048", "rsa")
	ecdsa, ecdsaPublic := keytest.SSHKey(t, "ecdsa", "ecdsa")
	authority, authorityPublic := keytest.SSHKey(t, "ed25519", "ca")
	certified, _ := keytest.SSHKey(t, "ed25519", "certified")
	b.allow("", public)
	b.allow("", rsaPublic)
	b.allow("", ecdsaPublic)
	b.allow("cert-authority ", authorityPublic)
	cases := []signing{
		{"private path", signer.Config{Key: path}},
		{"relative path", signer.Config{Key: filepath.Base(path), Dir: filepath.Dir(path)}},
		{"rsa", signer.Config{Key: rsa}},
		{"ecdsa", signer.Config{Key: ecdsa}},
		{"ecdsa literal", signer.Config{
			Key: "key::" + ecdsaPublic,
			Env: b.with("SSH_AUTH_SOCK=" + keytest.Agent(t, ecdsa)),
		}},
		{"certificate", signer.Config{Key: keytest.Certificate(t, authority, certified, "", mail)}},
		{"public path and agent", signer.Config{Key: alone, Env: agent}},
		{"key literal and agent", signer.Config{Key: "key::" + public, Env: agent}},
		{"ssh literal and agent", signer.Config{Key: public, Env: agent}},
		{"program", signer.Config{Key: path, Program: plain}},
		{"program with a literal", signer.Config{Key: public, Program: literal, Env: agent}},
		{"command for the key", signer.Config{DefaultKeyCommand: "ssh-add -L", Env: agent}},
		{
			"command for the key with quotes",
			signer.Config{DefaultKeyCommand: `printf "key::%s\n" '` + public + `'`, Env: agent},
		},
	}
	for i := range cases {
		cases[i].config.Format = signer.SSH
	}
	return cases
}

// TestSign signs a tag in every way that users have, and lets the git of this machine judge it.
func TestSign(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, c := range append(openpgpCases(t, b), sshCases(t, b)...) {
		if c.config.Env == nil {
			c.config.Env = b.env
		}
		if c.config.Dir == "" {
			c.config.Dir = b.dir
		}
		if err := os.MkdirAll(c.config.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		signature, err := signer.Sign(t.Context(), c.config, b.payload)
		if err != nil {
			t.Errorf("%s %s: %v", c.config.Format, c.name, err)
			continue
		}
		if !bytes.HasSuffix(signature, []byte("-----\n")) || bytes.ContainsRune(signature, '\r') {
			t.Errorf("%s %s: signature = %q", c.config.Format, c.name, signature)
		}
		tag := b.git(t, append(bytes.Clone(b.payload), signature...), "mktag", "--strict")
		b.git(t, nil, "verify-tag", tag)
	}
	if left, err := os.ReadDir(b.temp); err != nil || len(left) != 0 {
		t.Errorf("left in the temporary directory: %v, %v", left, err)
	}
}

// TestSign_expired shows that an expired key signs when it was valid, and not now.
func TestSign_expired(t *testing.T) {
	t.Parallel()
	home := keytest.GPGHome(t)
	old := home.GenerateAt(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), identity, "ed25519", "1y")
	config := signer.Config{Key: old, Env: home.Env()}
	if _, err := signer.Sign(t.Context(), config, []byte("x\n")); !isProgramError(err) {
		t.Errorf("with an expired key: %v, want a ProgramError", err)
	}
	config.Program = home.FakedProgram(time.Date(2020, 6, 1, 0, 0, 0, 0, time.UTC))
	if _, err := signer.Sign(t.Context(), config, []byte("x\n")); err != nil {
		t.Errorf("while it was valid: %v", err)
	}
}
