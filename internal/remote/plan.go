package remote

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Plan is what init adds to the configuration of a repository.
type Plan struct {
	Remote string
	Add    []Setting // what is not there yet
}

// PlanFor says what init would add for a remote; "" is the default one.
func PlanFor(ctx context.Context, repo *git.Repo, name string) (Plan, error) {
	config, err := repo.Config(ctx)
	if err != nil {
		return Plan{}, err
	}
	if name == "" {
		name, err = Default(ctx, repo, config)
	} else {
		err = Exists(ctx, repo, config, name)
	}
	if err != nil {
		return Plan{}, err
	}
	if !refs.SafeRemote(name) {
		return Plan{}, fmt.Errorf("remote %q: %w", name, ErrName)
	}
	p := Plan{Remote: name}
	s := Tracking(name)
	if !slices.Contains(config.All(s.Key), s.Value) {
		p.Add = append(p.Add, s)
	}
	return p, nil
}

// Apply adds what is missing. Before each line is written, this clone keeps which bytes they are, so that
// Undo can take out those and no others.
func (p Plan) Apply(ctx context.Context, repo *git.Repo) error {
	return withLedger(ctx, repo, func(l *ledger) error {
		for _, s := range p.Add {
			// Adds one line where git would, and keeps its bytes.
			if err := repo.RewriteConfig(ctx, func(before []byte) ([]byte, error) {
				after, err := repo.WithConfig(ctx, before, s.Key, s.Value)
				if err != nil {
					return nil, err
				}
				at, text, ok := findInserted(before, after)
				if !ok {
					return nil, errMoreThanAdded
				}
				l.Added = slices.DeleteFunc(l.Added, func(a addition) bool { return a.Setting == s })
				l.Added = append(l.Added, addition{Remote: p.Remote, Setting: s, At: at, Text: text})
				return after, l.writeFile(repo)
			}); err != nil {
				return fmt.Errorf("add %s to the configuration: %w", s.Key, err)
			}
		}
		return nil
	})
}

// errMoreThanAdded says that a line cannot be taken out again by its bytes alone.
var errMoreThanAdded = errors.New("git would change other lines too")

// findInserted finds the bytes that after has and before has not, where these are all in one piece. Where the
// same text would come of several places, the last one that begins a line is meant.
func findInserted(before, after []byte) (at int, text []byte, ok bool) {
	n := len(after) - len(before)
	if n <= 0 {
		return 0, nil, false
	}
	same := 0
	for same < len(before) && before[same] == after[same] {
		same++
	}
	at = -1
	for i := same; i >= 0 && bytes.Equal(after[i+n:], before[i:]); i-- {
		if at < 0 {
			at = i
		}
		if i == 0 || after[i-1] == '\n' {
			at = i
			break
		}
	}
	if at < 0 {
		return 0, nil, false
	}
	return at, bytes.Clone(after[at : at+n]), true
}

// ledgerFile keeps what init wrote into this clone.
const ledgerFile = "init.json"

// initPatience is how long another init is waited for.
const initPatience = 5 * time.Second

// ledger is what init wrote, so that it can be taken out again to the byte. A clone without one has nothing
// of init's.
type ledger struct {
	Added []addition `json:"added,omitempty"`
}

// addition is a line of configuration with its very bytes.
type addition struct {
	Remote string `json:"remote,omitempty"`
	Setting
	At   int    `json:"at"`
	Text []byte `json:"text"`
}

// withLedger reads the ledger, calls do, and writes it again. Only one process does so at a time.
func withLedger(ctx context.Context, repo *git.Repo, do func(*ledger) error) (err error) {
	release, err := repo.Local().File("init.lock").Lock(ctx, initPatience)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	var l ledger
	if _, err := repo.Local().File(ledgerFile).ReadState(&l); err != nil {
		return err
	}
	if err := do(&l); err != nil {
		return err
	}
	return l.writeFile(repo)
}

// writeFile keeps the ledger. An empty one is no file.
func (l *ledger) writeFile(repo *git.Repo) error {
	if len(l.Added) == 0 {
		return repo.Local().File(ledgerFile).Remove()
	}
	return repo.Local().File(ledgerFile).WriteState(l)
}

// Undo is what init would take out again.
type Undo struct {
	Remove  []Setting // lines that init added
	Foreign []Setting // lines as init adds them, which it did not add; they stay
}

// UndoFor says what Undo would take out: the lines of these remotes, or all that init added.
func UndoFor(ctx context.Context, repo *git.Repo, remotes []string) (Undo, error) {
	config, err := repo.Config(ctx)
	if err != nil {
		return Undo{}, err
	}
	var l ledger
	if _, err := repo.Local().File(ledgerFile).ReadState(&l); err != nil {
		return Undo{}, err
	}
	var u Undo
	for _, a := range slices.Backward(l.Added) {
		if (len(remotes) == 0 || slices.Contains(remotes, a.Remote)) &&
			slices.Contains(config.All(a.Key), a.Value) {
			u.Remove = append(u.Remove, a.Setting)
		}
	}
	if name, err := Default(ctx, repo, config); len(remotes) == 0 && err == nil {
		remotes = []string{name} // Somebody who undoes would expect its line to go.
	}
	for _, name := range remotes {
		s := Tracking(name)
		if !slices.Contains(u.Remove, s) && slices.Contains(config.All(s.Key), s.Value) {
			u.Foreign = append(u.Foreign, s)
		}
	}
	return u, nil
}

// ChangedError is a line that can no longer be taken out by its bytes, because those around it were changed.
type ChangedError struct{ Setting }

func (e *ChangedError) Error() string {
	return fmt.Sprintf("%s = %s: it was changed since, or what stands around it", e.Key, e.Value)
}

// Command takes the line out, whatever stands around it.
func (s Setting) Command() string {
	return "git config --local --fixed-value --unset " + clean.ShellWord(s.Key) + " " + clean.ShellWord(s.Value)
}

// Apply takes out what init added, the last first, to the byte.
func (u Undo) Apply(ctx context.Context, repo *git.Repo) error {
	return withLedger(ctx, repo, func(l *ledger) error {
		for _, s := range u.Remove {
			i := slices.IndexFunc(l.Added, func(a addition) bool { return a.Setting == s })
			if i < 0 {
				continue // Another process was faster.
			}
			if err := l.Added[i].takeOut(ctx, repo); err != nil {
				return fmt.Errorf("take out a line of the configuration: %w", err)
			}
			l.Added = slices.Delete(l.Added, i, i+1)
			if err := l.writeFile(repo); err != nil {
				return err
			}
		}
		return nil
	})
}

// takeOut removes the bytes of a line. One that is gone already needs nothing.
func (a addition) takeOut(ctx context.Context, repo *git.Repo) error {
	return repo.RewriteConfig(ctx, func(text []byte) ([]byte, error) {
		entries, err := repo.ConfigEntries(ctx, text)
		if err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(entries, a.isEntry) {
			return text, nil
		}
		for _, c := range a.cutsIn(text) {
			left := slices.Concat(text[:c.from], text[c.to:])
			kept, err := repo.ConfigEntries(ctx, left)
			if err == nil && lacksOne(entries, kept, a.isEntry) {
				return left, nil
			}
		}
		return nil, &ChangedError{a.Setting}
	})
}

// isEntry tells the entry of the line, as git lists it.
func (a addition) isEntry(entry string) bool { return git.IsEntry(entry, a.Key, a.Value) }

// cut is a piece of a text.
type cut struct{ from, to int }

// mostCuts is how many places are tried; git is asked about each.
const mostCuts = 16

// cutsIn lists where the line may stand: all the bytes that were added, then the line alone, the nearest to
// the old place first.
func (a addition) cutsIn(text []byte) []cut {
	var all []cut
	whole := a.Text
	line := whole[bytes.LastIndexByte(bytes.TrimSuffix(whole, []byte("\n")), '\n')+1:]
	for _, piece := range [][]byte{whole, line} {
		var found []cut
		for from := 0; len(piece) > 0; from++ {
			i := bytes.Index(text[from:], piece)
			if i < 0 {
				break
			}
			from += i
			found = append(found, cut{from, from + len(piece)})
		}
		slices.SortStableFunc(found, func(x, y cut) int {
			return cmp.Compare(max(x.from-a.At, a.At-x.from), max(y.from-a.At, a.At-y.from))
		})
		all = append(all, found[:min(len(found), mostCuts)]...)
	}
	return all
}

// lacksOne reports whether after is before without one entry that is meant.
func lacksOne(before, after []string, is func(string) bool) bool {
	i := 0
	for i < len(after) && i < len(before) && before[i] == after[i] {
		i++
	}
	return i < len(before) && is(before[i]) && slices.Equal(before[i+1:], after[i:])
}
