package signing

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
	File      string   // the private key; the public one lies beside it in .pub
	Known     bool     // it was there before
	Principal string   // who holds it
	Line      string   // the line of an allowed_signers file that names it; empty after a dry run that would make it
	Settings  []string // what was set, as "key = value"
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
			return AgentKey{}, errors.New("git knows no address of yours; give a name for the holder of the key")
		}
		made.Principal = "agent+" + mail
	}
	public, err := s.agentKey(ctx, &made, req)
	if err != nil {
		return AgentKey{}, err
	}
	if public != "" {
		if made.Line, err = trust.SignerLine(made.Principal, public); err != nil {
			return AgentKey{}, err
		}
	}
	return made, s.useKey(ctx, &made, req)
}

// agentKey returns the public key, which it makes where there is none.
func (s *Signer) agentKey(ctx context.Context, made *AgentKey, req KeyRequest) (string, error) {
	text, err := os.ReadFile(made.File + ".pub")
	if err == nil {
		made.Known = true
		return strings.TrimSpace(string(text)), nil
	}
	if !errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("read key: %w", err)
	}
	if req.DryRun {
		return "", nil
	}
	c := signer.Config{Format: signer.SSH, Dir: s.opts.Repo.Dir, Env: s.opts.Repo.Environ()}
	return signer.Generate(ctx, c, made.File, made.Principal)
}

// useKey writes the configuration by which records are signed with a key.
func (s *Signer) useKey(ctx context.Context, made *AgentKey, req KeyRequest) error {
	scope := git.Local
	if req.Global {
		scope = git.Global
	}
	for _, set := range [][2]string{{ownSigningKey, made.File}, {signKey, "true"}} {
		made.Settings = append(made.Settings, set[0]+" = "+set[1])
		if req.DryRun {
			continue
		}
		if err := s.opts.Repo.SetConfig(ctx, scope, set[0], set[1]); err != nil {
			return err
		}
	}
	return nil
}
