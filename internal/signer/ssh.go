package signer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/local"
)

// sshKeygen is the program of OpenSSH that makes keys and signatures.
const sshKeygen = "ssh-keygen"

// keyListLimit bounds what a command may print that names the default key.
const keyListLimit = 256 << 10

// signFile signs as ssh-keygen does: the payload is a file, and the signature a file beside it. Helper
// programs know no other way, so that nothing goes through standard input.
func (c Config) signFile(ctx context.Context, payload []byte) (signature []byte, err error) {
	key, err := c.sshKey(ctx)
	if err != nil {
		return nil, err
	}
	literal, isLiteral := LiteralKey(key)
	if c.Unattended { // A key of hardware waits until somebody touches it, as far as its public part says.
		public := literal
		if !isLiteral {
			text, _ := local.ReadFile(strings.TrimSuffix(c.absolutePath(key), ".pub")+".pub", keyListLimit)
			public = string(text) // Where there is none, the program says so.
		}
		if strings.HasPrefix(public, "sk-") {
			return nil, ErrTouch
		}
	}
	temp := c.lookupVariable("TMPDIR") // where the environment of the programs puts passing files
	if !filepath.IsAbs(temp) {
		temp = ""
	}
	dir, err := os.MkdirTemp(temp, "sign-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the payload: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	args := []string{"-Y", "sign", "-n", "git", "-f", key}
	if isLiteral {
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
	done, err := c.runProgram(ctx,
		call{program: c.SignerProgram(), args: append(args, file), limit: signatureLimit})
	if err != nil {
		return nil, err
	}
	signature, err = local.ReadFile(file+".sig", signatureLimit)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, c.noSignature(done.stderr)
	case errors.Is(err, local.ErrTooLarge):
		return nil, fmt.Errorf("%s: %w: more than %d bytes", clean.Line(c.SignerProgram()), ErrTooLarge,
			signatureLimit)
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
	argv, err := splitCommand(c.DefaultKeyCommand)
	if err != nil {
		return "", fmt.Errorf("read gpg.ssh.defaultKeyCommand: %w: %w", ErrNoKey, err)
	}
	if argv[0] == "" {
		return "", ErrNoKey
	}
	done, err := c.runProgram(ctx, call{program: argv[0], args: argv[1:], limit: keyListLimit})
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

// LiteralKey returns the public key that a setting holds in place of a path.
func LiteralKey(setting string) (key string, ok bool) {
	if key, ok = strings.CutPrefix(setting, "key::"); ok {
		return key, true
	}
	return setting, strings.HasPrefix(setting, "ssh-")
}

// publicLimit bounds the file of a public key.
const publicLimit = 16 << 10

// Generate makes an ed25519 key for SSH without a passphrase and returns its public line, which stands in
// path.pub too. It makes the directory, for the user alone, where there is none. It never writes over a file:
// then the error is [fs.ErrExist].
func Generate(ctx context.Context, c Config, path, comment string) (public string, err error) {
	path = c.absolutePath(path)
	if clean.Line(comment) != comment {
		return "", errors.New("comment of a key holds control characters")
	}
	for _, file := range []string{path, path + ".pub"} {
		if _, err := os.Lstat(file); err == nil {
			return "", fmt.Errorf("make key %q: %w", file, fs.ErrExist)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("make key: %w", err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make key: %w", err)
	}
	args := []string{"-q", "-t", "ed25519", "-N", "", "-C", comment, "-f", path}
	if _, err := c.runProgram(ctx, call{program: sshKeygen, args: args, limit: messageLimit}); err != nil {
		return "", fmt.Errorf("make key %q: %w", path, err)
	}
	line, err := ReadPublic(path + ".pub")
	if err != nil {
		return "", fmt.Errorf("make key: %w", err)
	}
	return line, nil
}

// ReadPublic returns the line of a file that holds a public key.
func ReadPublic(path string) (string, error) {
	data, err := local.ReadFile(path, publicLimit)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	line = strings.TrimSpace(line)
	kind, _, found := strings.Cut(line, " ")
	for _, prefix := range []string{"ssh-", "ecdsa-", "sk-"} {
		if found && strings.HasPrefix(kind, prefix) {
			return line, nil
		}
	}
	return "", fmt.Errorf("read %q: not the file of a public key", path)
}

// Fingerprint tells which key would sign, without a passphrase: "SHA256:<base64>" for SSH, and the upper-case
// fingerprint of the primary key for OpenPGP and x509. It returns [ErrNoKey] where there is none.
func (c Config) Fingerprint(ctx context.Context) (string, error) {
	if c.Format == SSH {
		key, err := c.sshKey(ctx)
		if err != nil {
			return "", err
		}
		if literal, ok := LiteralKey(key); ok {
			return c.sshFingerprint(ctx, "-", []byte(literal+"\n"))
		}
		path := c.absolutePath(key)
		for _, file := range []string{path, path + ".pub"} {
			if _, err := ReadPublic(file); err == nil {
				return c.sshFingerprint(ctx, file, nil)
			}
		}
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("look for the key %q: %w", clean.Line(filepath.Base(path)), ErrNoKey)
		}
		return c.sshFingerprint(ctx, path, nil)
	}
	// gpg or gpgsm says which secret key the setting means.
	name := cmp.Or(c.Key, c.Identity)
	if name == "" {
		return "", ErrNoKey
	}
	if c.Format != X509 {
		if ok, err := c.hasKeyring(); err != nil || !ok {
			return "", errors.Join(err, ErrNoKey)
		}
	}
	args := []string{"--batch", "--with-colons", "--list-secret-keys", "--", name}
	done, err := c.runProgram(ctx, call{program: c.SignerProgram(), args: args, limit: keyringLimit})
	if _, ok := errors.AsType[*ProgramError](err); ok {
		return "", fmt.Errorf("look for the secret key: %w: %w", ErrNoKey, err)
	}
	if err != nil {
		return "", fmt.Errorf("look for the secret key: %w", err)
	}
	for line := range strings.Lines(string(done.stdout)) {
		if f := strings.Split(line, ":"); f[0] == "fpr" && len(f) > 9 {
			return strings.ToUpper(f[9]), nil
		}
	}
	return "", fmt.Errorf("look for the secret key: %w", ErrNoKey)
}

// sshFingerprint asks ssh-keygen, which reads the public part of a locked private key too.
func (c Config) sshFingerprint(ctx context.Context, file string, stdin []byte) (string, error) {
	done, err := c.runProgram(ctx,
		call{
			program: sshKeygen, args: []string{"-l", "-E", "sha256", "-f", file}, stdin: stdin,
			limit: messageLimit,
		})
	if err != nil {
		return "", fmt.Errorf("read the fingerprint: %w", err)
	}
	for field := range strings.FieldsSeq(string(done.stdout)) {
		if strings.HasPrefix(field, "SHA256:") {
			return field, nil
		}
	}
	return "", fmt.Errorf("read the fingerprint: %w", ErrNoKey)
}
