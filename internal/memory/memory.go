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

	"github.com/git-ltm/git-ltm/internal/consent"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/signing"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// Options are what a Memory takes from its process.
type Options struct {
	Dir     string           // directory to start from; "" is the current one
	Env     []string         // required: environment for git
	Now     func() time.Time // required
	Entropy io.Reader        // required: for new ids

	Agent   string // the agent that the person uses to write here; "" for none
	Offline bool   // reach no server for what a partial clone lacks, as where somebody waits for a hook

	// View returns the view that lists and searches of a memory ask, until something is written; nil for none.
	View func(*Memory) View

	UserStore string // the directory of the user-wide memory, which is opened instead of a repository's; "" for the latter
}

// Memory is the memory of one repository. It is not safe for concurrent use.
type Memory struct {
	opts     Options
	repo     *git.Repo
	store    *refs.Store
	state    *state
	rules    *scan.Source
	kept     View     // nil where none is kept
	view     View     // the same, until something is written
	viewed   bool     // there are so many events that the view is asked for them
	allowed  *Allowed // nil until it is asked for
	seen     *ledger.Seen
	examined *examined
	crowd    int                                       // events that do not count, because there are too many of their kind about one record
	config   func(context.Context) (git.Config, error) // reads it once
	judge    *vouch.Judge
	signer   *signing.Signer
	answers  *ledger.Answers
	erased   *ledger.Erased
	withheld int           // packets that a search passed over
	skipped  []RecordError // the first of them

	skippedRefs map[string]bool
	healed      refs.Report
	wide        wide
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
	if opts.Offline || repo.MaybePartial() && heldBack(ctx, repo) {
		repo = repo.Offline()
	}
	store, err := refs.Open(ctx, repo)
	if err != nil {
		return nil, err
	}
	m := &Memory{opts: opts, repo: repo, store: store, rules: scan.NewSource(repo), seen: ledger.OpenSeen(repo.Local().OwnFile("seen")), answers: ledger.OpenAnswers(repo.Local().File("purges")), erased: ledger.OpenErased(repo.Local().File("erased")), examined: newExamined(repo), config: once(repo.Config)}
	m.judge = vouch.NewJudge(repo, store, m.config, opts.Now())
	if opts.View != nil {
		m.kept = opts.View(m)
		m.view = m.kept
	}
	m.signer = signing.New(signing.Options{
		Repo: repo, Store: store, Judge: m.judge, Rules: m.rules, Config: m.config, Now: opts.Now, Entropy: opts.Entropy,
	})
	return m, nil
}

// heldBack reports whether a repository has settings for the way to a remote that nobody accepted. Git would use them where it
// fetches what a partial clone lacks.
func heldBack(ctx context.Context, repo *git.Repo) bool {
	config, err := repo.Config(ctx)
	return err != nil || len(consent.Missing(repo, config)) > 0
}

// Close ends what the store keeps open, and keeps what was learned about signatures. It is an error where it could not be
// kept that this clone made a record.
func (m *Memory) Close() error {
	_ = m.examined.Keep() // It is found out again.
	m.judge.Keep()
	err := errors.Join(m.seen.Close(), m.store.Close())
	if m.kept != nil {
		err = errors.Join(err, m.kept.Close())
	}
	if m.wide.memory != nil {
		err = errors.Join(err, m.wide.memory.Close())
	}
	return err
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

// Judge says who vouches for the records.
func (m *Memory) Judge() *vouch.Judge { return m.judge }

// Signer signs what is stored.
func (m *Memory) Signer() *signing.Signer { return m.signer }

// Config returns the configuration of git, which is read once.
func (m *Memory) Config(ctx context.Context) (git.Config, error) { return m.config(ctx) }

// RuleSource is where the rules come from that everything is scanned by.
func (m *Memory) RuleSource() *scan.Source { return m.rules }

// Rules returns the rules of the repository, as [Source.Rules] does.
func (m *Memory) Rules(ctx context.Context) (*scan.Rules, error) { return m.rules.Rules(ctx) }

// Repo is the repository that the memory lies in.
func (m *Memory) Repo() *git.Repo { return m.repo }

// Skipped lists the records that could not be read so far, of many the first. They were left out of every answer.
func (m *Memory) Skipped() []RecordError { return m.skipped }

// The bounds of what is told of records that were left out.
const (
	mostSkipped = 64
	namedApart  = 8
)

// LeftOut says what was left out of every answer so far, each an error to tell: records that cannot be read, where they are many
// all in one, and events that are too many.
func (m *Memory) LeftOut() []error {
	var all []error
	if n := len(m.skippedRefs); n > namedApart {
		all = append(all, fmt.Errorf("%d records cannot be read and are left out; 'git ltm check' says why of each, as of the first: %w", n, &m.skipped[0]))
	} else {
		for i := range m.skipped {
			all = append(all, &m.skipped[i])
		}
	}
	if m.crowd > 0 {
		all = append(all, fmt.Errorf("%d events of people who are not trusted are left out: "+
			"there are too many of one kind about one record, of which the newest count", m.crowd))
	}
	return all
}

// Healed tells what was mended so far, before something was written.
func (m *Memory) Healed() refs.Report { return m.healed }

// skip remembers a record that cannot be read. An error that is not the
// record's own is returned.
func (m *Memory) skip(ref string, err error) error {
	if err == nil || !IsUnreadable(err) {
		return err
	}
	if m.skippedRefs[ref] {
		return nil
	}
	if m.skippedRefs == nil {
		m.skippedRefs = map[string]bool{}
	}
	m.skippedRefs[ref] = true
	if len(m.skipped) < mostSkipped {
		m.skipped = append(m.skipped, RecordError{Ref: ref, Err: err})
	}
	return nil
}

// heal mends what a crash or a garbage collection left, before anything is
// written.
func (m *Memory) heal(ctx context.Context) error {
	m.view = nil
	report, err := m.store.Heal(ctx)
	m.healed.Restored = append(m.healed.Restored, report.Restored...)
	m.healed.Quarantined = append(m.healed.Quarantined, report.Quarantined...)
	if err != nil {
		return fmt.Errorf("mend the store: %w", err)
	}
	return m.expire(ctx)
}
