package signer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// sshKeygen is the program of OpenSSH that makes keys and signatures.
const sshKeygen = "ssh-keygen"

// keyListLimit bounds what a command may print that names the default key.
const keyListLimit = 256 << 10

// signFile signs as ssh-keygen does: the payload is a file, and the signature a file beside it. Helper programs know
// no other way, so that nothing goes through standard input.
func (c Config) signFile(ctx context.Context, payload []byte) (signature []byte, err error) {
	key, err := c.sshKey(ctx)
	if err != nil {
		return nil, err
	}
	if c.Unattended && c.wantsTouch(key) {
		return nil, ErrTouch
	}
	dir, err := os.MkdirTemp(c.tempDir(), "sign-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the payload: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	args := []string{"-Y", "sign", "-n", "git", "-f", key}
	if literal, ok := LiteralKey(key); ok {
		file := filepath.Join(dir, "key")
		if err := os.WriteFile(file, []byte(literal+"\n"), 0o600); err != nil {
			return nil, fmt.Errorf("write the public key: %w", err)
		}
		args = []string{"-Y", "sign", "-n", "git", "-f", file, "-U"}
	}
	file := filepath.Join(dir, "payload")
	if err := os.WriteFile(file, payload, 0o600); err != nil {
		return nil, fmt.Errorf("write the payload: %w", err)
	}
	done, err := c.run(ctx, call{program: c.SignerProgram(), args: append(args, file), limit: signatureLimit})
	if err != nil {
		return nil, err
	}
	return c.readSignature(file+".sig", done.stderr)
}

// readSignature reads the file that a program should have left.
func (c Config) readSignature(path, stderr string) ([]byte, error) {
	signature, err := local.ReadFile(path, signatureLimit)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, c.noSignature(stderr)
	case errors.Is(err, local.ErrTooLarge):
		return nil, fmt.Errorf("%s: %w: more than %d bytes", clean(c.SignerProgram()), ErrTooLarge, signatureLimit)
	case err != nil:
		return nil, fmt.Errorf("read the signature: %w", err)
	}
	return signature, nil
}

// sshKey returns the key that was named, or else the one that the user's command names.
func (c Config) sshKey(ctx context.Context) (string, error) {
	if c.Key != "" {
		return c.Key, nil
	}
	argv, err := split(c.DefaultKeyCommand)
	if err != nil {
		return "", fmt.Errorf("read gpg.ssh.defaultKeyCommand: %w: %w", ErrNoKey, err)
	}
	if argv[0] == "" {
		return "", ErrNoKey
	}
	done, err := c.run(ctx, call{program: argv[0], args: argv[1:], limit: keyListLimit})
	if _, ok := errors.AsType[*ProgramError](err); ok {
		return "", fmt.Errorf("ask gpg.ssh.defaultKeyCommand: %w: %w", ErrNoKey, err)
	}
	if err != nil {
		return "", fmt.Errorf("ask gpg.ssh.defaultKeyCommand: %w", err)
	}
	line, _, _ := strings.Cut(string(done.stdout), "\n")
	line = strings.TrimSuffix(line, "\r")
	if _, ok := LiteralKey(line); !ok {
		return "", fmt.Errorf("ask gpg.ssh.defaultKeyCommand: %w: its first line is no public key", ErrNoKey)
	}
	return line, nil
}

// wantsTouch reports whether a key is one of hardware that waits until somebody touches it, as far as its public part says.
func (c Config) wantsTouch(key string) bool {
	public, ok := LiteralKey(key)
	if !ok {
		file := strings.TrimSuffix(c.absolute(key), ".pub") + ".pub"
		text, _ := local.ReadFile(file, keyListLimit) // Where there is none, the program says so.
		public = string(text)
	}
	return strings.HasPrefix(public, "sk-")
}

// LiteralKey returns the public key that a setting holds in place of a path.
func LiteralKey(setting string) (key string, ok bool) {
	if key, ok = strings.CutPrefix(setting, "key::"); ok {
		return key, true
	}
	return setting, strings.HasPrefix(setting, "ssh-")
}

// tempDir is where the environment of the programs puts passing files.
func (c Config) tempDir() string {
	if dir := c.variable("TMPDIR"); filepath.IsAbs(dir) {
		return dir
	}
	return os.TempDir()
}
