package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/signer"
)

// Signing is whether a record is signed when it is stored.
type Signing int

// The answers to whether a record is signed.
const (
	AsConfigured Signing = iota // as ltm.sign says, or else commit.gpgSign; where that fails the record is stored unsigned
	Sign                        // always, or nothing is stored
	NoSign                      // never
)

// SignError is a signature that could not be made.
type SignError struct{ Err error }

func (e *SignError) Error() string { return "sign: " + e.Err.Error() }

func (e *SignError) Unwrap() error { return e.Err }

// Unsigned is a record that was stored without the signature that the configuration asks for, and why.
type Unsigned struct {
	ID  packet.ID
	Err error
}

// signKey is the key that says whether records are signed.
const signKey = "ltm.sign"

// configured returns what the configuration says of signing. Where it says nothing, no process is started.
func (m *Memory) configured(ctx context.Context) (Signing, error) {
	if !m.repo.MaybeSet(signKey, "commit.gpgSign") {
		return NoSign, nil
	}
	config, err := m.Config(ctx)
	if err != nil {
		return NoSign, err
	}
	if text, ok := config.Get(signKey); ok && text == "required" {
		return Sign, nil
	}
	commits, err := config.Bool("commit.gpgSign", false)
	if err != nil {
		return NoSign, err
	}
	yes, err := config.Bool(signKey, commits)
	switch {
	case err != nil:
		return NoSign, fmt.Errorf("%s is none of true, false and required", signKey)
	case yes:
		return AsConfigured, nil
	default:
		return NoSign, nil
	}
}

// signerOf returns what makes the tag object of a record, or nil where nobody signs. A failure is remembered for what is
// stored unsigned then, unless the signature was asked for.
func (m *Memory) signerOf(ctx context.Context, id packet.ID, data []byte, want Signing) (func(string) ([]byte, error), error) {
	if want == AsConfigured {
		var err error
		if want, err = m.configured(ctx); err != nil {
			return nil, err
		}
	}
	if want == NoSign {
		return nil, nil //nolint:nilnil // Nobody signs.
	}
	return func(blob string) ([]byte, error) {
		raw, err := m.sign(ctx, id, blob, data)
		if err == nil {
			return raw, nil
		}
		if want == Sign || ctx.Err() != nil {
			return nil, &SignError{err}
		}
		m.unsigned = append(m.unsigned, Unsigned{ID: id, Err: err})
		return nil, nil
	}, nil
}

// sign returns a signed tag object for a record.
func (m *Memory) sign(ctx context.Context, id packet.ID, blob string, data []byte) ([]byte, error) {
	config, err := m.signerConfig(ctx)
	if err != nil {
		return nil, err
	}
	if config.Identity == "" {
		return nil, ErrNoIdentity
	}
	store, drawn, err := m.storeID(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := m.signFor(ctx, config, store, id, blob, data)
	if err != nil || !drawn {
		return raw, err
	}
	if m.drawn, err = m.keepStore(ctx, store); err != nil || m.drawn == store {
		return raw, err
	}
	return m.signFor(ctx, config, m.drawn, id, blob, data) // Another process drew one first.
}

// signFor returns a signed tag object for a record of a store.
func (m *Memory) signFor(ctx context.Context, config signer.Config, store string, id packet.ID, blob string, data []byte) ([]byte, error) {
	s := sign.Statement{
		Object: blob, Name: string(id), Data: data, Store: store,
		Tagger: fmt.Sprintf("%s %d +0000", config.Identity, m.opts.Now().Unix()),
	}
	payload := s.Payload()
	signature, err := signer.Sign(ctx, config, payload)
	if err != nil {
		return nil, keyless(ctx, config, err)
	}
	raw := slices.Concat(payload, signature)
	tag, err := sign.Examine(raw, string(id), blob, data)
	if err != nil {
		return nil, fmt.Errorf("what the program made: %w", err)
	}
	if err := m.notRevoked(ctx, tag); err != nil {
		return nil, err
	}
	return raw, m.scanTag(ctx, raw)
}

// keyless says of a signature that could not be made whether there is no key at all: gpg is asked for one by the name of the user
// where none is configured.
func keyless(ctx context.Context, config signer.Config, failure error) error {
	if config.Key != "" || ctx.Err() != nil || errors.Is(failure, signer.ErrNoKey) {
		return failure
	}
	if _, err := config.Fingerprint(ctx); errors.Is(err, signer.ErrNoKey) {
		return fmt.Errorf("%w: %w", signer.ErrNoKey, failure)
	}
	return failure
}

// ErrNoIdentity says that git is configured with no name and address of the user.
var ErrNoIdentity = errors.New("git knows no name and address of yours")

// ErrRevoked says that the key which signs was taken back, so that no session would read what it signs.
var ErrRevoked = errors.New("the key that signs was taken back")

// notRevoked refuses a key that a list here takes back.
func (m *Memory) notRevoked(ctx context.Context, tag sign.Tag) error {
	t, err := m.judge.Trust(ctx)
	if err != nil {
		return err
	}
	if list := t.RevokedBy(tag.Key()); list != "" {
		return fmt.Errorf("key %s, by %s: %w", tag.Key(), list, ErrRevoked)
	}
	return nil
}

// scanTag refuses a tag object with a secret in it, such as in the address of its maker. It travels with the record.
func (m *Memory) scanTag(ctx context.Context, raw []byte) error {
	rules, err := m.Rules(ctx)
	if err != nil {
		return err
	}
	for _, f := range redact.Blocking(rules.ScanText(string(sign.Prose(raw)))) {
		return fmt.Errorf("the tag object would hold what must not travel, in your name, your address or the armor: %s", f)
	}
	return nil
}

// signerConfig is how the user's own program is run, as git would run it.
func (m *Memory) signerConfig(ctx context.Context) (signer.Config, error) {
	config, err := m.Config(ctx)
	if err != nil {
		return signer.Config{}, err
	}
	name, mail, err := m.repo.Identity(ctx)
	if err != nil {
		return signer.Config{}, err
	}
	c := signer.Config{Dir: m.repo.Dir, Env: m.repo.Environ()}
	if name != "" {
		c.Identity = fmt.Sprintf("%s <%s>", name, mail)
	}
	if c.Format, c.Key, err = m.signingKey(ctx, config); err != nil {
		return signer.Config{}, err
	}
	c.Program, _ = config.Get("gpg." + string(c.Format) + ".program")
	if program, ok := config.Get("gpg.program"); ok && c.Program == "" && c.Format == signer.OpenPGP {
		c.Program = program
	}
	c.DefaultKeyCommand, _ = config.Get("gpg.ssh.defaultKeyCommand")
	c.Timeout, err = signTimeout(config)
	return c, err
}
