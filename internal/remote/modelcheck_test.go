package remote_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// keeps checks that every record that was acknowledged in a clone can be read there, or was purged, or may
// wait for an answer.
func (w *world) keeps(ctx context.Context, c *clone) error {
	repo, err := git.Find(ctx, c.dir, w.env)
	if err != nil {
		return err
	}
	store := refs.Open(repo)
	defer func() { _ = store.Close() }()
	for id := range c.acked {
		if w.purged[id] || w.asked[id] {
			continue
		}
		ref, err := store.Lookup(ctx, refs.Name{Kind: w.acked[id], ID: id})
		if err == nil {
			_, err = store.Read(ctx, ref)
		}
		if err != nil {
			return fmt.Errorf("%s was acknowledged in %s: %w", id, c.name, err)
		}
	}
	return nil
}

// rounds is how many full rounds of exchanges bring everything everywhere, over the one clone that knows both
// remotes.
const rounds = 4

// end lets all clones exchange in random order until all is everywhere, answers what others want removed, and
// compares them.
func (w *world) end(ctx context.Context) error {
	if err := w.settle(ctx); err != nil {
		return err
	}
	if len(w.asked) > 0 {
		if err := w.answer(ctx); err != nil {
			return err
		}
		if err := w.settle(ctx); err != nil {
			return fmt.Errorf("after the answers: %w", err)
		}
	}
	last, err := w.round(ctx)
	if err != nil {
		return err
	}
	var problems []error
	for _, out := range last {
		out.Pushed, out.Deleted = w.agreed(out.Pushed), w.agreed(out.Deleted)
		if n := len(out.Pulled) + len(out.Pushed) + len(out.Removed) + len(out.Deleted) +
			len(out.Withheld); n > 0 {
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
		maps.DeleteFunc(got, func(id packet.ID, _ string) bool {
			return w.kept[id] || w.servers[name] && w.purged[id]
		})
		problems = append(problems, err, differ("remote "+name, want, got), w.clean(ctx, dir))
	}
	return errors.Join(problems...)
}

// agreed leaves out the refs of what its maker refused to remove: that clone sends it again, and the one that
// purged it deletes it on the remote again, as long as the two do not agree.
func (w *world) agreed(names []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(full string) bool {
		name, ok := refs.ParseName(full)
		return ok && w.kept[name.ID]
	})
}

// settle lets all clones exchange as often as it takes.
func (w *world) settle(ctx context.Context) error {
	for range rounds {
		if _, err := w.round(ctx); err != nil {
			return err
		}
	}
	return nil
}

// answer says of every record that somebody else wants removed whether it shall be. Half of those that a
// clone made, which it then has to hold, are refused; what nobody here is known to have made, and events, are
// accepted.
func (w *world) answer(ctx context.Context) error {
	for _, id := range slices.Sorted(maps.Keys(w.asked)) {
		maker, flag := w.maker[id], "--accept"
		if maker != nil && w.acked[id] != refs.Events && w.random.IntN(2) == 0 {
			flag = "--refuse"
			w.kept[id] = true
		} else {
			w.purged[id] = true
		}
		for _, c := range w.clones {
			out, err := w.ltm(ctx, c, "purge", flag, string(id)) // It fails where nobody has to be asked.
			w.sayf("   %s: purge %s %s: %v", c.name, flag, id, err)
			if !w.kept[id] || c != maker {
				continue
			}
			if shown, missing := w.ltm(ctx, c, "show", string(id)); missing != nil {
				return fmt.Errorf("%s was made in %s, which refused its purge, and is lost: %w\n%s%s", id,
					c.name, missing, out, shown)
			}
		}
	}
	return nil
}

// ltm runs the real program in a clone.
func (w *world) ltm(ctx context.Context, c *clone, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, w.bin, args...)
	cmd.Dir, cmd.Env = c.dir, w.env
	out, err := cmd.CombinedOutput()
	return string(out), err
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
		if _, ok := held[id]; !ok && !w.purged[id] && !w.kept[id] {
			problems = append(problems, fmt.Errorf("%s was acknowledged and is lost", id))
		}
	}
	maps.DeleteFunc(held, func(id packet.ID, _ string) bool { return w.kept[id] })
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
	problems := []error{err, w.clean(ctx, c.dir)}
	for id := range w.kept {
		if _, ok := got[id]; !ok && w.maker[id] == c {
			problems = append(problems,
				fmt.Errorf("%s was refused to be removed in %s, and is lost", id, c.name))
		}
		delete(got, id)
	}
	problems = append(problems, differ(c.name, want, got))
	for _, name := range c.remotes {
		if out, err := w.ltm(ctx, c, "sync", name); err != nil {
			problems = append(problems,
				fmt.Errorf("sync of %s with %s, when all is exchanged: %w\n%s", c.name, name, err, out))
		}
	}
	first, err := w.states(ctx, w.clones[0])
	problems = append(problems, err)
	now, err := w.states(ctx, c)
	problems = append(problems, err)
	if diff := cmp.Diff(first, now); diff != "" {
		problems = append(problems,
			fmt.Errorf("the states of %s and %s (-first +this):\n%s", w.clones[0].name, c.name, diff))
	}
	users, err := w.users(ctx, c)
	if diff := cmp.Diff(c.users, users); diff != "" {
		problems = append(problems,
			fmt.Errorf("what belongs to the user of %s (-before +after):\n%s", c.name, diff))
	}
	all, listing := w.git(ctx, c.dir, "for-each-ref", "--format=%(refname)")
	for ref := range strings.FieldsSeq(all) {
		if len(w.servers) > 0 && strings.HasPrefix(ref, "refs/ltm-remotes/") {
			continue // A plain fetch brings again what such a server keeps.
		}
		for id := range w.purged {
			if strings.Contains(ref, string(id)) {
				problems = append(problems, fmt.Errorf("%s was purged, and %s has %s", id, c.name, ref))
			}
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

// states is what a clone says of every packet, note and skip, as far as all clones agree on it: what has
// words in it, and what weighs, depends on whom a clone trusts.
func (w *world) states(ctx context.Context, c *clone) (states []string, err error) {
	err = w.with(ctx, c, func(m *memory.Memory) error {
		for _, kind := range []packet.Kind{packet.KindPacket, packet.KindNote, packet.KindSkip} {
			for e, err := range m.List(ctx, replay.Query{Kind: kind, Hidden: true}) {
				if err != nil {
					return err
				}
				if !w.kept[e.ID] {
					l := e.Life
					states = append(states,
						fmt.Sprintln(e.ID, l.Retracted, l.Archived, l.Closed, l.Superseded))
				}
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
