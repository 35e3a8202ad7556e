package gate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// KeyRequest asks for a key that signs records alone.
type KeyRequest struct {
	Principal string // who holds it; "" is agent+ and the address of git's committer
	Global    bool   // set the configuration of the user, and not of this repository
	DryRun    bool   // make nothing
}

// AgentKey is a key that signs records alone.
type AgentKey struct {
	File      string `json:"file"`   // the private key; the public one lies beside it in .pub
	Known     bool   `json:"known"`  // it was there before
	Principal string `json:"holder"` // who holds it
	// the line of an allowed_signers file that names it; empty after a dry run that would make it
	Line     string   `json:"allowed_signer"`
	Settings []string `json:"settings"` // what was set, as "key = value"
}

// agentKeyFile is the key in the folder of the user's own list.
const agentKeyFile = "agent_ed25519"

// InitKey makes a key for an agent, or takes the one that is there, and lets this repository sign with it.
func (s *Signer) InitKey(ctx context.Context, req KeyRequest) (AgentKey, error) {
	t, err := s.opts.Judge.Trust(ctx)
	if err != nil {
		return AgentKey{}, err
	}
	folder := t.Home()
	if folder == "" {
		return AgentKey{}, errors.New("there is no home directory for a key; set HOME or XDG_CONFIG_HOME")
	}
	made := AgentKey{File: filepath.Join(folder, agentKeyFile), Principal: req.Principal}
	if made.Principal == "" {
		_, mail, err := s.opts.Repo.Identity(ctx)
		if err != nil {
			return AgentKey{}, err
		}
		if mail == "" {
			return AgentKey{}, errors.New(
				"git knows no address of yours; give a name for the holder of the key")
		}
		made.Principal = "agent+" + mail
	}
	text, err := os.ReadFile(made.File + ".pub")
	public := strings.TrimSpace(string(text))
	switch made.Known = err == nil; {
	case errors.Is(err, os.ErrNotExist) && !req.DryRun:
		c := signer.Config{Format: signer.SSH, Dir: s.opts.Repo.Dir, Env: s.opts.Repo.Environ()}
		if public, err = signer.Generate(ctx, c, made.File, made.Principal); err != nil {
			return AgentKey{}, err
		}
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return AgentKey{}, fmt.Errorf("read key: %w", err)
	}
	if public != "" {
		if made.Line, err = trust.SignerLine(made.Principal, trust.Signs, public); err != nil {
			return AgentKey{}, err
		}
	}
	scope := git.Local
	if req.Global {
		scope = git.Global
	}
	for _, set := range [][2]string{{ownSigningKey, made.File}, {signKey, "true"}} {
		made.Settings = append(made.Settings, set[0]+" = "+set[1])
		if req.DryRun {
			continue
		}
		if err := s.opts.Repo.Settings().Set(ctx, scope, set[0], set[1]); err != nil {
			return made, err
		}
	}
	return made, nil
}

// The keys that name the key to sign with: the first is for records alone.
const (
	ownSigningKey = "ltm.signingKey"
	gitSigningKey = "user.signingKey"
)

// signingKey returns the key to sign with, and the format of the signature. A key for records alone that is a
// public key or the name of a file is one of SSH, whatever commits are signed with.
func (s *Signer) signingKey(ctx context.Context, config git.Config) (signer.Format, string, error) {
	format := signer.OpenPGP
	if text, ok := config.Get("gpg.format"); ok {
		format = signer.Format(strings.ToLower(text))
	}
	switch format {
	case signer.OpenPGP, signer.SSH, signer.X509:
	default:
		return "", "", fmt.Errorf("gpg.format is not one of %s, %s and %s", signer.OpenPGP, signer.SSH,
			signer.X509)
	}
	key, _ := config.Get(gitSigningKey)
	name := gitSigningKey
	own, _ := config.Get(ownSigningKey)
	if s.with != "" {
		own = s.with
	}
	if own != "" {
		key, name = own, ownSigningKey
		if strings.ContainsAny(own, `/\`) || strings.HasPrefix(own, "key::") ||
			strings.HasPrefix(own, "ssh-") {
			format = signer.SSH
		}
	}
	if format == signer.SSH && strings.HasPrefix(key, "~") {
		path, _, err := s.opts.Repo.Settings().Path(ctx, name)
		if errors.Is(err, git.ErrOneCall) { // It stands in no file.
			rest, ok := strings.CutPrefix(key, "~/")
			home, _ := s.opts.Repo.Env("HOME")
			if !ok || home == "" {
				return "", "", fmt.Errorf("find %q: only ~/ and a home directory are known for one call", key)
			}
			path, err = filepath.Join(home, rest), nil
		}
		if err != nil {
			return "", "", err
		}
		key = path
	}
	return format, key, nil
}
