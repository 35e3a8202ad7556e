// Package memory is the gate: the only way in and the only way out of the store.
//
// Nothing becomes an object before it was parsed, validated, encoded and scanned, and the bytes that were scanned are the
// bytes that are stored. Nothing comes back without its standing, and what came from a remote is scanned again. A guard
// that cannot run is an error: then nothing is stored and nothing is returned.
//
// Records never change. What became of them is the fold of the events, ordered by time and id.
package memory

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// Options are what a Memory takes from its process.
type Options struct {
	Dir     string           // directory to start from; "" is the current one
	Env     []string         // required: environment for git
	Now     func() time.Time // required
	Entropy io.Reader        // required: for new ids

	UserStore string // the directory of the user-wide memory, which is opened instead of a repository's; "" for the latter
}

// Memory is the memory of one repository. It is not safe for concurrent use.
type Memory struct {
	opts     Options
	repo     *git.Repo
	store    *refs.Store
	state    *state
	ruleFile string // the rule file to trust; empty is the one that git's configuration names
	rules    *Rules // valid where ruled is true
	ruled    bool
	allowed  *Allowed // nil until it is asked for
	seen     *seen
	config   func(context.Context) (git.Config, error) // reads it once
	trust    *trust.Trust                              // nil until it is asked for
	asks     *trust.Policy                             // nil until it is asked for
	endorsed map[packet.ID][]refs.Endorsement          // nil until it is asked for
	keys     map[string]bool                           // short names of the keys of all lists; nil until they are asked for
	drawn    string                                    // the id of the store that this call wrote
	withheld int                                       // packets that a search passed over
	signWith string                                    // the key to sign with, in the place of the configured one
	unsigned []Unsigned
	skipped  []RecordError
	healed   refs.Report
	wide     wide
}

// Open finds the repository and opens its memory.
func Open(ctx context.Context, opts Options) (*Memory, error) {
	find, dir := git.Find, opts.Dir
	if opts.UserStore != "" {
		find, dir = git.FindBare, opts.UserStore
	}
	repo, err := find(ctx, dir, opts.Env)
	if err != nil {
		return nil, err
	}
	store, err := refs.Open(ctx, repo)
	if err != nil {
		return nil, err
	}
	return &Memory{opts: opts, repo: repo, store: store, seen: newSeen(repo), config: once(repo.Config)}, nil
}

// Close ends what the store keeps open, and keeps what was learned about signatures.
func (m *Memory) Close() error {
	m.seen.keep()
	if m.trust != nil {
		m.trust.Keep()
	}
	if m.wide.memory != nil {
		return errors.Join(m.wide.memory.Close(), m.store.Close())
	}
	return m.store.Close()
}

// once calls a function one time, for several goroutines.
func once[T any](call func(context.Context) (T, error)) func(context.Context) (T, error) {
	var mu sync.Mutex
	var value *T
	return func(ctx context.Context) (T, error) {
		mu.Lock()
		defer mu.Unlock()
		if value == nil {
			v, err := call(ctx)
			if err != nil {
				return v, err
			}
			value = &v
		}
		return *value, nil
	}
}

// Repo is the repository that the memory lies in.
func (m *Memory) Repo() *git.Repo { return m.repo }

// Skipped lists the records that could not be read so far. They were left out
// of every answer.
func (m *Memory) Skipped() []RecordError { return m.skipped }

// Healed tells what was mended so far, before something was written.
func (m *Memory) Healed() refs.Report { return m.healed }

// Unsigned lists what this call stored without the signature that the configuration asks for.
func (m *Memory) Unsigned() []Unsigned { return m.unsigned }

// NewStore returns the id that this call gave to the store; empty for none.
func (m *Memory) NewStore() string { return m.drawn }

// skip remembers a record that cannot be read. An error that is not the
// record's own is returned.
func (m *Memory) skip(ref string, err error) error {
	if err == nil || !IsUnreadable(err) {
		return err
	}
	for _, s := range m.skipped {
		if s.Ref == ref {
			return nil
		}
	}
	m.skipped = append(m.skipped, RecordError{Ref: ref, Err: err})
	return nil
}

// heal mends what a crash or a garbage collection left, before anything is
// written.
func (m *Memory) heal(ctx context.Context) error {
	report, err := m.store.Heal(ctx)
	m.healed.Restored = append(m.healed.Restored, report.Restored...)
	m.healed.Quarantined = append(m.healed.Quarantined, report.Quarantined...)
	if err != nil {
		return fmt.Errorf("mend the store: %w", err)
	}
	return nil
}
