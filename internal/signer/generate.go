package signer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// publicLimit bounds the file of a public key.
const publicLimit = 16 << 10

// Generate makes an ed25519 key for SSH without a passphrase and returns its public line, which stands in path.pub
// too. It makes the directory, for the user alone, where there is none. It never writes over a file: then the error
// is [fs.ErrExist].
func Generate(ctx context.Context, c Config, path, comment string) (public string, err error) {
	path = c.absolute(path)
	if clean(comment) != comment {
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
	if _, err := c.run(ctx, call{program: sshKeygen, args: args, limit: messageLimit}); err != nil {
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
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() || info.Size() > publicLimit {
		return "", fmt.Errorf("read %q: not the file of a public key", path)
	}
	data, err := os.ReadFile(path)
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
