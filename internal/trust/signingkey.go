package trust

import (
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/signer"
)

// signingKey reads which key is the person's own: the one that user.signingKey names. What a checkout can change names none.
func (s *settings) signingKey(repo *git.Repo, config git.Config) {
	key, _ := config.Get(signingKey)
	if key == "" {
		return
	}
	if err := config.Own(signingKey, emailKey); err != nil {
		s.warnings = append(s.warnings, err.Error()+", so the key does not count here")
		return
	}
	format, _ := config.Get(formatKey)
	switch signer.Format(strings.ToLower(format)) {
	case signer.SSH:
		s.sshKey(repo, config, key)
	case "", signer.OpenPGP:
		s.gpgKey = gpgName(key)
	}
}

// sshKey reads the public part of a key of SSH, which is the setting itself, or a file, or lies beside that.
func (s *settings) sshKey(repo *git.Repo, config git.Config, key string) {
	line, literal := signer.LiteralKey(key)
	if !literal {
		if rest, ok := strings.CutPrefix(key, "~/"); ok {
			home, _ := repo.Env("HOME")
			key = filepath.Join(home, rest)
		}
		if !filepath.IsAbs(key) || repo.InCheckout(key) || repo.InCheckout(key+".pub") {
			s.warnings = append(s.warnings, signingKey+" names a file that a checkout can change, so it does not count here")
			return
		}
		var err error
		for _, file := range []string{key, key + ".pub"} {
			if line, err = signer.ReadPublic(file); err == nil {
				break
			}
		}
	}
	mail, _ := config.Get(emailKey)
	if own, err := SignerLine(mail, line); err == nil {
		s.sshSigner = []byte(own)
	} else if own, err := SignerLine("you", line); err == nil {
		s.sshSigner = []byte(own)
	}
}

// gpgName returns the fingerprint or the long id of a key of gpg, as a listing of gpg writes it. A name or a short id may mean
// somebody else's key, and is "".
func gpgName(key string) string {
	name := strings.TrimSuffix(strings.ToUpper(key), "!")
	name = strings.TrimPrefix(name, "0X")
	if len(name) < 16 || strings.Trim(name, "0123456789ABCDEF") != "" {
		return ""
	}
	return name
}
