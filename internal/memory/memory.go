// Package memory puts the memory of one repository together: the only way in and the only way out of the
// store.
//
// What reads, stores, purges, accepts, audits and drafts is a package of its own below, and is given the
// store here. Whoever holds a memory holds these parts and not the store, so that nothing goes past the gate.
package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/accept"
	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/purge"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// Options are what a Memory takes from its process.
type Options struct {
	Dir     string           // directory to start from; "" is the current one
	Env     []string         // required: environment for git
	Now     func() time.Time // required
	Entropy io.Reader        // required: for new ids

	Agent string // the agent that the person uses to write here; "" for none
	// what that agent was shown, as [gate.Options] has it; nil where a person writes
	Shown func(*Memory) gate.Shown
	// reach no server for what a partial clone lacks, as where somebody waits for a hook
	Offline bool

	// no program that signs may ask a person; what it would have to ask for is stored unsigned
	Unattended bool

	// View returns the view that lists and searches of a memory ask, until something is written; nil for
	// none.
	View func(*Memory) replay.View

	// the directory of the user-wide memory, which is opened instead of a repository's; "" for the latter
	UserStore string
}

// Memory is the memory of one repository. It is not safe for concurrent use.
type Memory struct {
	*replay.Reader
	*gate.Writer

	opts    Options
	repo    *git.Repo
	store   *refs.Store
	rules   *scan.Source
	config  func(context.Context) (git.Config, error) // reads it once
	judge   *trust.Judge
	signer  *gate.Signer
	seen    *ledger.Seen
	erased  *ledger.Erased
	view    replay.View // nil where none is kept
	source  *replay.Source
	threads *replay.Threads
	purges  *purge.Purges
	intake  *accept.Intake
	auditor *audit.Auditor
	drafts  *draft.Box
	healed  refs.Report
	wide    wide
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
	offline := opts.Offline
	if !offline && repo.MaybePartial() {
		// Git would use settings for the way to a remote that nobody accepted where it fetches what a partial
		// clone lacks.
		config, err := repo.Config(ctx)
		offline = err != nil || len(upstream.Missing(repo, config)) > 0
	}
	if offline {
		repo = repo.Offline()
	}
	store := refs.Open(repo)
	m := &Memory{
		opts: opts, repo: repo, store: store, rules: scan.NewSource(repo), config: readOnce(repo.Config),
		seen:   ledger.OpenSeen(repo.Local().OwnFile("seen")),
		erased: ledger.OpenErased(repo.Local().File("erased")),
	}
	answers := ledger.OpenAnswers(repo.Local().File("purges"))
	m.judge = trust.NewJudge(repo, store, m.config, opts.Now())
	read := replay.Options{
		Repo: repo, Store: store, Rules: m.rules, Judge: m.judge, Seen: m.seen, Answers: answers,
		Erased: m.erased,
		Now:    opts.Now, User: opts.UserStore != "",
	}
	m.signer = gate.NewSigner(gate.SignerOptions{
		Options: read, Config: m.config, Entropy: opts.Entropy, Unattended: opts.Unattended,
	})
	m.Reader = replay.New(read)
	m.source, m.threads = replay.NewSource(m.Reader), replay.NewThreads(m.Reader)
	var shown gate.Shown
	if opts.Shown != nil {
		shown = opts.Shown(m)
	}
	write := gate.Options{
		Options: read, Config: m.config, Signer: m.signer, Reader: m.Reader, Threads: m.threads,
		Heal: m.Heal, Entropy: opts.Entropy, Agent: opts.Agent, Shown: shown,
	}
	m.Writer = gate.New(write)
	tools := gate.Tools{Options: write, Writer: m.Writer}
	m.purges, m.auditor, m.drafts = purge.New(tools), audit.New(tools), draft.New(tools)
	m.intake = accept.New(accept.Options{Tools: tools, Purges: m.purges})
	if opts.View != nil {
		m.view = opts.View(m)
		m.BeginView(m.view)
	}
	return m, nil
}

// Purges is where records are removed for good, and where purges of others are answered.
func (m *Memory) Purges() *purge.Purges { return m.purges }

// Intake is what judges records that others made, and takes them in.
func (m *Memory) Intake() *accept.Intake { return m.intake }

// Audit is what looks through the whole memory.
func (m *Memory) Audit() *audit.Auditor { return m.auditor }

// Drafts is where the drafts of sessions lie.
func (m *Memory) Drafts() *draft.Box { return m.drafts }

// Threads are the packets that continue one another.
func (m *Memory) Threads() *replay.Threads { return m.threads }

// Arrivals returns what events of others did here.
func (m *Memory) Arrivals() *replay.Arrivals { return replay.NewArrivals(m.Reader) }

// Source is what an index reads.
func (m *Memory) Source() *replay.Source { return m.source }

// Close ends what the store keeps open, and keeps what was learned about signatures. It is an error where it
// could not be kept that this clone made a record.
func (m *Memory) Close() error {
	m.Reader.Close()
	err := errors.Join(m.seen.Close(), m.store.Close())
	if m.view != nil {
		err = errors.Join(err, m.view.Close())
	}
	if m.wide.memory != nil {
		err = errors.Join(err, m.wide.memory.Close())
	}
	return err
}

// readOnce calls a function one time, for several goroutines.
func readOnce[T any](call func(context.Context) (T, error)) func(context.Context) (T, error) {
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
func (m *Memory) Judge() *trust.Judge { return m.judge }

// Signer signs what is stored.
func (m *Memory) Signer() *gate.Signer { return m.signer }

// Config returns the configuration of git, which is read once.
func (m *Memory) Config(ctx context.Context) (git.Config, error) { return m.config(ctx) }

// RuleSource is where the rules come from that everything is scanned by.
func (m *Memory) RuleSource() *scan.Source { return m.rules }

// Rules returns the rules of the repository, as [Source.Rules] does.
func (m *Memory) Rules(ctx context.Context) (*scan.Rules, error) { return m.rules.Rules(ctx) }

// Remote is what this clone knows of a remote, by its name.
func (m *Memory) Remote(name string) refs.Remote { return m.store.Remote(name) }

// Repo is the repository that the memory lies in.
func (m *Memory) Repo() *git.Repo { return m.repo }

// Healed tells what was mended so far, before something was written.
func (m *Memory) Healed() refs.Report { return m.healed }

// Heal mends what a crash or a garbage collection left, before anything is written. What it did stands in
// [Memory.Healed].
func (m *Memory) Heal(ctx context.Context) error {
	m.BeginView(nil)
	report, err := m.store.Heal(ctx)
	m.healed.Restored = append(m.healed.Restored, report.Restored...)
	m.healed.Quarantined = append(m.healed.Quarantined, report.Quarantined...)
	if err != nil {
		return fmt.Errorf("mend the store: %w", err)
	}
	return m.purges.Expire(ctx)
}

// HealAll does what Heal does, and looks at every name for that.
func (m *Memory) HealAll(ctx context.Context) error {
	return errors.Join(m.store.Recheck(), m.Heal(ctx))
}

// Recover makes the refs again of records that this clone made, that nobody purged, and that lie nowhere any
// more although their objects do: a fetch that writes over refs/ltm, and prunes there, has deleted them. What
// it did stands in [Memory.Healed].
func (m *Memory) Recover(ctx context.Context) error {
	s, err := m.Fold(ctx)
	here, failed := m.store.Held(ctx)
	if err := cmp.Or(err, failed); err != nil {
		return err
	}
	var lost strings.Builder
	for known, err := range m.seen.All() {
		if err != nil {
			return err
		}
		name, was := known.Name, known.Was
		if !was.Made || was.Forgotten || here.Find(name.Ref()) != "" || s.Gone(name.Ref()) {
			continue
		}
		// Neither a list shows it nor is its object gone.
		archived, err := m.store.Archives.Lookup(ctx, name)
		object, whole := cmp.Or(was.Tag, was.Blob), false
		if err == nil && archived == "" {
			whole, err = m.store.SameBlob(ctx, object, was.Blob)
		}
		if err != nil {
			return err
		}
		if whole {
			lost.WriteString(object + " " + name.Ref() + "\n")
		}
	}
	restored := git.ReadRefList(lost.String(), func(_, _ string) bool { return true })
	if _, err := m.store.Import(ctx, restored); err != nil || restored.Len() == 0 {
		return err // Where another process has made one meanwhile, that is as good.
	}
	for ref := range restored.All() {
		m.healed.Restored = append(m.healed.Restored, ref)
	}
	m.Forget()
	return nil
}
