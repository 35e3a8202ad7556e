package remote_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/remote"
)

// keeps checks that every record that was acknowledged in a clone can be read there, or was purged.
func (w *world) keeps(ctx context.Context, c *clone) error {
	repo, err := git.Find(ctx, c.dir, w.env)
	if err != nil {
		return err
	}
	store, err := refs.Open(ctx, repo)
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	for id := range c.acked {
		if w.purged[id] {
			continue
		}
		ref, err := store.Lookup(ctx, w.acked[id], id)
		if err == nil {
			_, err = store.Read(ctx, ref, 1<<20)
		}
		if err != nil {
			return fmt.Errorf("%s was acknowledged in %s: %w", id, c.name, err)
		}
	}
	return nil
}

// rounds is how many full rounds of exchanges bring everything everywhere, over the one clone that knows both remotes.
const rounds = 4

// end lets all clones exchange in random order until all is everywhere, and compares them.
func (w *world) end(ctx context.Context) error {
	for range rounds {
		if _, err := w.round(ctx); err != nil {
			return err
		}
	}
	last, err := w.round(ctx)
	if err != nil {
		return err
	}
	var problems []error
	for _, out := range last {
		if n := len(out.Pulled) + len(out.Pushed) + len(out.Removed) + len(out.Deleted) + len(out.Withheld); n > 0 {
			problems = append(problems, fmt.Errorf("round %d is not the last: %+v", rounds+1, out))
		}
	}
	want, err := w.all(ctx)
	problems = append(problems, err)
	for _, c := range w.clones {
		problems = append(problems, w.compare(ctx, c, want))
	}
	for _, name := range remotes() {
		dir := filepath.Join(w.dir, name+".git")
		got, err := w.held(ctx, dir, git.FindBare)
		problems = append(problems, err, differ("remote "+name, want, got), w.clean(ctx, dir))
	}
	return errors.Join(problems...)
}

// round lets every clone exchange with every remote that it knows, in a random order.
func (w *world) round(ctx context.Context) (outs []remote.Outcome, err error) {
	w.now++
	for _, i := range w.random.Perm(len(w.clones)) {
		c := w.clones[i]
		for _, j := range w.random.Perm(len(c.remotes)) {
			err := w.with(ctx, c, func(m *memory.Memory) error {
				out, err := remote.Sync(ctx, m, remote.Request{Remote: c.remotes[j]})
				w.took(c, out)
				outs = append(outs, out)
				return err
			})
			if err != nil {
				return nil, fmt.Errorf("sync of %s with %s: %w", c.name, c.remotes[j], err)
			}
		}
	}
	return outs, nil
}

// all is what every clone has to hold: what the first one does, where that is what the model says.
func (w *world) all(ctx context.Context) (map[packet.ID]string, error) {
	held, err := w.held(ctx, w.clones[0].dir, git.Find)
	if err != nil {
		return nil, err
	}
	var problems []error
	for id := range w.acked {
		if _, ok := held[id]; !ok && !w.purged[id] {
			problems = append(problems, fmt.Errorf("%s was acknowledged and is lost", id))
		}
	}
	for id := range held {
		if w.purged[id] {
			problems = append(problems, fmt.Errorf("%s was purged and is back", id))
		}
	}
	return held, errors.Join(problems...)
}

// compare compares a clone with what all have to hold, and with what was its user's.
func (w *world) compare(ctx context.Context, c *clone, want map[packet.ID]string) error {
	got, err := w.held(ctx, c.dir, git.Find)
	problems := []error{err, differ(c.name, want, got), w.clean(ctx, c.dir)}
	first, err := w.states(ctx, w.clones[0])
	problems = append(problems, err)
	now, err := w.states(ctx, c)
	problems = append(problems, err)
	if diff := cmp.Diff(first, now); diff != "" {
		problems = append(problems, fmt.Errorf("the states of %s and %s (-first +this):\n%s", w.clones[0].name, c.name, diff))
	}
	users, err := w.users(ctx, c)
	if diff := cmp.Diff(c.users, users); diff != "" {
		problems = append(problems, fmt.Errorf("what belongs to the user of %s (-before +after):\n%s", c.name, diff))
	}
	all, listing := w.git(ctx, c.dir, "for-each-ref", "--format=%(refname)")
	for id := range w.purged {
		if strings.Contains(all, string(id)) {
			problems = append(problems, fmt.Errorf("%s was purged, and %s has a ref of it", id, c.name))
		}
	}
	return errors.Join(append(problems, err, listing)...)
}

func differ(name string, want, got map[packet.ID]string) error {
	if diff := cmp.Diff(want, got); diff != "" {
		return fmt.Errorf("%s holds something else (-want +got):\n%s", name, diff)
	}
	return nil
}

// states is what a clone says of every packet, note and skip.
func (w *world) states(ctx context.Context, c *clone) (states []string, err error) {
	err = w.with(ctx, c, func(m *memory.Memory) error {
		for _, kind := range []packet.Kind{packet.KindPacket, packet.KindNote, packet.KindSkip} {
			for e, err := range m.List(ctx, memory.Query{Kind: kind, Hidden: true}) {
				if err != nil {
					return err
				}
				states = append(states, fmt.Sprintf("%s %+v", e.ID, e.Life))
			}
		}
		return nil
	})
	slices.Sort(states)
	return states, err
}

// clean asks git whether a repository is whole.
func (w *world) clean(ctx context.Context, dir string) error {
	out, err := w.git(ctx, dir, "fsck", "--strict", "--no-dangling", "--no-progress")
	if err != nil || strings.TrimSpace(out) != "" {
		return fmt.Errorf("git fsck in %s: %w\n%s", filepath.Base(dir), err, out)
	}
	return nil
}
