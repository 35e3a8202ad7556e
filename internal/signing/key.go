package signing

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/signer"
)

// The keys that name the key to sign with: the first is for records alone.
const (
	ownSigningKey = "ltm.signingKey"
	gitSigningKey = "user.signingKey"
)

// signingKey returns the key to sign with, and the format of the signature. A key for records alone that is a public key or
// the name of a file is one of SSH, whatever commits are signed with.
func (s *Signer) signingKey(ctx context.Context, config git.Config) (signer.Format, string, error) {
	format := signer.OpenPGP
	if text, ok := config.Get("gpg.format"); ok {
		format = signer.Format(strings.ToLower(text))
	}
	switch format {
	case signer.OpenPGP, signer.SSH, signer.X509:
	default:
		return "", "", fmt.Errorf("gpg.format is none of %s, %s and %s", signer.OpenPGP, signer.SSH, signer.X509)
	}
	key, _ := config.Get(gitSigningKey)
	name := gitSigningKey
	own, _ := config.Get(ownSigningKey)
	if s.with != "" {
		own = s.with
	}
	if own != "" {
		key, name = own, ownSigningKey
		if strings.ContainsAny(own, `/\`) || strings.HasPrefix(own, "key::") || strings.HasPrefix(own, "ssh-") {
			format = signer.SSH
		}
	}
	if format == signer.SSH && strings.HasPrefix(key, "~") {
		path, _, err := s.opts.Repo.PathSetting(ctx, name)
		if errors.Is(err, git.ErrOneCall) {
			path, err = s.atHome(key)
		}
		if err != nil {
			return "", "", err
		}
		key = path
	}
	return format, key, nil
}

// atHome expands "~/" of a setting that stands in no file.
func (s *Signer) atHome(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, "~/")
	home, _ := s.opts.Repo.Env("HOME")
	if !ok || home == "" {
		return "", fmt.Errorf("find %q: only ~/ and a home directory are known for one call", path)
	}
	return filepath.Join(home, rest), nil
}

// signTimeout is how long a program may take to sign; zero leaves it to the signer.
func signTimeout(config git.Config) (time.Duration, error) {
	const key = "ltm.signTimeout"
	text, ok := config.Get(key)
	if !ok {
		return 0, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d, nil
	}
	if d, err := time.ParseDuration(text + "s"); err == nil && d > 0 {
		return d, nil
	}
	return 0, fmt.Errorf("%s is no time such as 30s", key)
}
