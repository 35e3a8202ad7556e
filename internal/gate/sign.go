package gate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/signer"
)

// SignerOptions are what a Signer works with. All is required, but for the last.
type SignerOptions struct {
	replay.Options

	Config  func(context.Context) (git.Config, error)
	Entropy io.Reader // for the id of a store

	Unattended bool // no program may ask a person; the zero value lets it
}

// Signer signs what is stored in a repository, with the key of its user and for the store that this clone is of. What
// it signs are the bytes that are stored; a signature that holds a secret, or is made with a key that was taken back,
// is refused. It is not safe for concurrent use.
type Signer struct {
	opts SignerOptions

	with     string // the key to sign with, in the place of the configured one
	drawn    string // the id of the store that this process wrote
	unsigned []Unsigned
}

// NewSigner returns what signs in a repository.
func NewSigner(o SignerOptions) *Signer { return &Signer{opts: o} }

// Use makes another key than the configured one sign; "" is that one.
func (s *Signer) Use(key string) { s.with = key }

// Unsigned lists what this process stored without the signature that the configuration asks for.
func (s *Signer) Unsigned() []Unsigned { return s.unsigned }

// NewStore returns the id that this process gave to the store; empty for none.
func (s *Signer) NewStore() string { return s.drawn }

// Signing is whether a record is signed when it is stored.
type Signing int

// The answers to whether a record is signed.
const (
	// as ltm.sign says, or else commit.gpgSign; where that fails the record is stored unsigned
	AsConfigured Signing = iota
	Sign                 // always, or nothing is stored
	NoSign               // never
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

// Configured returns what the configuration says of signing. Where it says nothing, no process is started.
func (s *Signer) Configured(ctx context.Context) (Signing, error) {
	if !s.opts.Repo.Settings().MaybeSet(signKey, "commit.gpgSign") {
		return NoSign, nil
	}
	config, err := s.opts.Config(ctx)
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
		return NoSign, fmt.Errorf("%s is not one of true, false and required", signKey)
	case yes:
		return AsConfigured, nil
	default:
		return NoSign, nil
	}
}

// TagFor returns what makes the tag object of a record, or nil where nobody signs. A failure is remembered
// for what is stored unsigned then, unless the signature was asked for.
func (s *Signer) TagFor(ctx context.Context, id packet.ID, data []byte,
	want Signing,
) (func(string) ([]byte, error), error) {
	if want == AsConfigured {
		var err error
		if want, err = s.Configured(ctx); err != nil {
			return nil, err
		}
	}
	if want == NoSign {
		return nil, nil //nolint:nilnil // Nobody signs.
	}
	return func(blob string) ([]byte, error) {
		raw, err := s.Tag(ctx, id, blob, data)
		if err == nil {
			return raw, nil
		}
		if want == Sign || ctx.Err() != nil {
			return nil, &SignError{err}
		}
		s.unsigned = append(s.unsigned, Unsigned{ID: id, Err: err})
		if ids, err := Missed(s.opts.Repo.Local()); err == nil && s.opts.Unattended {
			// Nobody heard of it. It is a help: the record says itself that it is unsigned.
			ids = append(ids, id)
			_ = missedFile(s.opts.Repo.Local()).WriteState(ids[max(0, len(ids)-mostMissed):])
		}
		return nil, nil
	}, nil
}

// Tag returns a signed tag object for a record.
func (s *Signer) Tag(ctx context.Context, id packet.ID, blob string, data []byte) ([]byte, error) {
	config, err := s.ProgramConfig(ctx)
	if err != nil {
		return nil, err
	}
	if config.Identity == "" {
		return nil, ErrNoIdentity
	}
	store, drawn, err := s.findStore(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := s.signFor(ctx, config, store, id, blob, data)
	if err != nil || !drawn {
		return raw, err
	}
	if s.drawn, err = s.keepStore(ctx, store); err != nil || s.drawn == store {
		return raw, err
	}
	return s.signFor(ctx, config, s.drawn, id, blob, data) // Another process drew one first.
}

// signFor returns a signed tag object for a record of a store.
func (s *Signer) signFor(ctx context.Context, config signer.Config, store string, id packet.ID, blob string,
	data []byte,
) ([]byte, error) {
	statement := sign.Statement{
		Object: blob, Name: string(id), Data: data, Store: store,
		Tagger: fmt.Sprintf("%s %d +0000", config.Identity, s.opts.Now().Unix()),
	}
	payload := statement.Payload()
	signature, err := signer.Sign(ctx, config, payload)
	if err != nil {
		if config.Key == "" && ctx.Err() == nil && !errors.Is(err, signer.ErrNoKey) {
			// gpg is asked for a key by the name of the user where none is configured, and there may be none.
			if _, none := config.Fingerprint(ctx); errors.Is(none, signer.ErrNoKey) {
				err = fmt.Errorf("%w: %w", signer.ErrNoKey, err)
			}
		}
		return nil, err
	}
	raw := slices.Concat(payload, signature)
	tag, err := sign.Examine(raw, string(id), blob, data)
	if err != nil {
		return nil, fmt.Errorf("what the program made: %w", err)
	}
	// Refuses a key that a list here takes back.
	t, err := s.opts.Judge.Trust(ctx)
	if err != nil {
		return nil, err
	}
	if list := t.RevokedBy(tag.Key()); list != "" {
		return nil, fmt.Errorf("key %s, by %s: %w", tag.Key(), list, ErrRevoked)
	}
	return raw, s.ScanTag(ctx, raw)
}

// ErrNoIdentity says that git is configured with no name and address of the user.
var ErrNoIdentity = errors.New("git knows no name and address of yours")

// ErrRevoked says that the key which signs was taken back, so that no session would read what it signs.
var ErrRevoked = errors.New("the key that signs was taken back")

// ScanTag refuses a tag object with a secret in it, such as in the address of its maker. It travels with the
// record.
func (s *Signer) ScanTag(ctx context.Context, raw []byte) error {
	rules, err := s.opts.Rules.Rules(ctx)
	if err != nil {
		return err
	}
	for _, f := range redact.Blocking(rules.ScanText(string(sign.Prose(raw)))) {
		return fmt.Errorf("the tag object would hold what must not travel, in your name, your address or "+
			"the armor: %s", f)
	}
	return nil
}

// ProgramConfig is how the user's own program is run, as git would run it.
func (s *Signer) ProgramConfig(ctx context.Context) (signer.Config, error) {
	config, err := s.opts.Config(ctx)
	if err != nil {
		return signer.Config{}, err
	}
	name, mail, err := s.opts.Repo.Identity(ctx)
	if err != nil {
		return signer.Config{}, err
	}
	c := signer.Config{Dir: s.opts.Repo.Dir, Env: s.opts.Repo.Environ(), Unattended: s.opts.Unattended}
	if name != "" {
		c.Identity = fmt.Sprintf("%s <%s>", name, mail)
	}
	if c.Format, c.Key, err = s.signingKey(ctx, config); err != nil {
		return signer.Config{}, err
	}
	c.Program, _ = config.Get("gpg." + string(c.Format) + ".program")
	if program, ok := config.Get("gpg.program"); ok && c.Program == "" && c.Format == signer.OpenPGP {
		c.Program = program
	}
	c.DefaultKeyCommand, _ = config.Get("gpg.ssh.defaultKeyCommand")
	text, ok := config.Get("ltm.signTimeout") // Zero leaves it to the signer.
	if !ok {
		return c, nil
	}
	for _, unit := range []string{"", "s"} {
		if d, err := time.ParseDuration(text + unit); err == nil && d > 0 {
			c.Timeout = d
			return c, nil
		}
	}
	return c, errors.New("ltm.signTimeout is no time such as 30s")
}

// KeyOf returns the fingerprint of the key that made a signature.
func (s *Signer) KeyOf(ctx context.Context, tag sign.Tag) (string, error) {
	if fingerprint := tag.Key(); fingerprint != "" {
		return fingerprint, nil
	}
	config, err := s.ProgramConfig(ctx)
	if err != nil {
		return "", err
	}
	key, err := config.Fingerprint(ctx)
	if err != nil {
		return "", &SignError{err}
	}
	return key, nil
}

// mostMissed is how many records are kept that were stored unsigned with nobody there.
const mostMissed = 20

// missedFile is where they are kept, for the one whose key it is.
func missedFile(dir *local.Dir) local.File { return dir.OwnFile("unsigned.json") }

// Missed returns the last records that were to be signed, and were stored unsigned where nobody could be
// asked. Some may have been signed since.
func Missed(dir *local.Dir) (ids []packet.ID, err error) {
	_, err = missedFile(dir).ReadState(&ids)
	return ids, err
}
