package remote_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// op is something that happens to a clone, and how often it does.
type op struct {
	name   string
	weight int
	do     func(ctx context.Context, w *world, c *clone, s step) error
}

// ops is all that happens.
func ops() []op {
	return []op{
		{"save", 9, save},
		{"note", 3, small("note")},
		{"skip", 2, small("skip")},
		{"task", 2, small("task")},
		{"set task", 2, setTask},
		{"happen", 4, happen},
		{"rm", 4, change("retract")},
		{"restore", 3, change("restore")},
		{"purge", 3, purge(refs.Packets)},
		{"purge note", 2, purge(refs.Notes)},
		{"purge skip", 1, purge(refs.Skips)},
		{"purge event", 1, purge(refs.Events)},
		{"stranger's purge", 2, strangersPurge},
		{"sync", 10, exchange(remote.Both)},
		{"push", 2, exchange(remote.Push)},
		{"pull", 3, exchange(remote.Pull)},
		{"compact", 3, compact},
		{"thin", 1, thin},
		{"gc", 2, plain("gc", "-q", "--prune=now")},
		{"pack-refs", 2, plain("pack-refs", "--all")},
		{"fetch --prune", 2, plainRemote("fetch", "-q", "--prune", "REMOTE")},
		{"prefetch", 1, plain("maintenance", "run", "--task=prefetch")},
		{"plain push", 2, plainRemote("push", "-q", "REMOTE", "refs/ltm/*")},
		{"plain fetch into", 1, plainRemote("fetch", "-q", "--no-prune", "REMOTE", "refs/ltm/*:refs/ltm/*")},
		{"mirror prune", 1, mirrorPrune},
		{"plain delete", 1, plainDelete},
		{"remote gc", 1, remoteGC},
		{"clone", 1, fresh},
		{"refusing remote", 2, refusing},
		{"broken remote", 1, broken},
		{"cancelled sync", 2, cancelled},
		{"killed sync", 1, killed("sync")},
		{"killed save", 1, killed("save")},
		{"killed purge", 1, killedPurge},
		{"two syncs", 2, together},
	}
}

func save(ctx context.Context, w *world, c *clone, s step) error {
	return w.with(ctx, c, func(m *memory.Memory) error {
		data := fmt.Sprintf(`{"goal":"step %d in %s","next_step":"go on"}`, s.at, c.name)
		got, err := m.Save(ctx, gate.SaveRequest{Data: []byte(data), Link: gate.Begin})
		if err != nil {
			return err
		}
		w.sayf("%2d %s: saved %s", s.at, c.name, got.ID)
		w.made(c, refs.Packets, got.ID)
		return nil
	})
}

// small stores a note, a skip or a task.
func small(what string) func(context.Context, *world, *clone, step) error {
	return func(ctx context.Context, w *world, c *clone, s step) error {
		kind, data := refs.Notes,
			fmt.Sprintf(`{"type":"note","kind":"fact","text":"step %d in %s"}`, s.at, c.name)
		switch what {
		case "skip":
			kind, data = refs.Skips,
				fmt.Sprintf(`{"type":"skip","item":"step %d","reason":"in %s","expires_at":%q}`, s.at, c.name,
					w.began.Add(30*24*time.Hour).Format(time.RFC3339))
		case "task":
			data = fmt.Sprintf(`{"type":"note","kind":"task","text":"step %d in %s","next_action":"begin"}`,
				s.at, c.name)
		}
		return w.with(ctx, c, func(m *memory.Memory) error {
			got, err := m.SaveSmall(ctx, gate.SaveRequest{Data: []byte(data)})
			if err != nil {
				return err
			}
			w.sayf("%2d %s: %s %s", s.at, c.name, what, got.ID)
			w.made(c, kind, got.ID)
			w.tasks[got.ID] = what == "task"
			return nil
		})
	}
}

// setTask changes a task that somebody made.
func setTask(ctx context.Context, w *world, c *clone, s step) error {
	id := w.choose(c, refs.Notes, s.a)
	if !w.tasks[id] {
		return nil
	}
	value := fmt.Sprintf(`{"status":%q,"priority":%d,"next_action":"step %d"}`,
		[]string{"active", "completed"}[s.b%2], s.b%10, s.at)
	return w.event(ctx, c, s, gate.Happen{Event: "set", Targets: []string{string(id)}, Value: value})
}

// happen stores an event about a note, of any kind that needs no more than it, or takes another event back.
func happen(ctx context.Context, w *world, c *clone, s step) error {
	kinds := []string{"archive", "confirm", "contradict", "close", "reopen", "supersede", "undo"}
	h := gate.Happen{Event: kinds[s.b%len(kinds)], Why: "step " + strconv.Itoa(s.at)}
	target, other := w.choose(c, refs.Notes, s.a), w.choose(c, refs.Notes, s.a+1)
	if h.Event == "undo" {
		target = w.choose(c, refs.Events, s.a)
	}
	if target == "" || other == target {
		return nil
	}
	h.Targets = []string{string(target)}
	if h.Event == "supersede" {
		h.By = []string{string(other)}
	}
	return w.event(ctx, c, s, h)
}

// event stores an event.
func (w *world) event(ctx context.Context, c *clone, s step, h gate.Happen) error {
	return w.with(ctx, c, func(m *memory.Memory) error {
		got, err := m.Happen(ctx, h)
		if errors.Is(err, replay.ErrTombstone) { // A purge that was killed may have made it without a word.
			w.stones[packet.ID(h.Targets[0])] = true
			return nil
		}
		if err != nil || got.Event == "" {
			return err
		}
		w.sayf("%2d %s: %s %s by %s", s.at, c.name, h.Event, h.Targets[0], got.Event)
		w.made(c, refs.Events, got.Event)
		return nil
	})
}

// change retracts or restores a packet.
func change(kind string) func(context.Context, *world, *clone, step) error {
	return func(ctx context.Context, w *world, c *clone, s step) error {
		id := w.choose(c, refs.Packets, s.a)
		if id == "" {
			return nil
		}
		return w.with(ctx, c, func(m *memory.Memory) error {
			got, err := m.Happen(ctx,
				gate.Happen{Event: kind, Targets: []string{string(id)}, Why: "step " + strconv.Itoa(s.at)})
			if err != nil || got.Event == "" {
				return err
			}
			w.sayf("%2d %s: %s %s by %s", s.at, c.name, kind, id, got.Event)
			w.made(c, refs.Events, got.Event)
			return nil
		})
	}
}

// purge removes a record for good, and half of the time at once on a remote too.
func purge(kind refs.Kind) func(context.Context, *world, *clone, step) error {
	return func(ctx context.Context, w *world, c *clone, s step) error {
		id := w.choose(c, kind, s.a)
		if id == "" {
			return nil
		}
		return w.with(ctx, c, func(m *memory.Memory) error {
			got, err := m.Purges().Purge(ctx, []string{string(id)}, replay.ReasonMistake)
			// A purge that was killed may have made it without a word.
			if errors.Is(err, replay.ErrTombstone) {
				w.stones[id] = true
				return nil
			}
			if err != nil {
				return err
			}
			w.sayf("%2d %s: purged %s by %s", s.at, c.name, id, got.Events)
			w.made(c, refs.Events, got.Events...)
			for _, event := range got.Events {
				w.stones[event] = true
			}
			w.erased(c, id)
			if err := w.about(ctx, c, m); err != nil || s.b%2 == 0 {
				return err
			}
			out, err := remote.Sync(ctx, m,
				remote.Request{Remote: c.remotes[s.b%len(c.remotes)], Way: remote.Push})
			w.took(c, out)
			return err
		})
	}
}

// strangersPurge puts a purge on a remote that no clone made: an event without a signature, by git alone,
// about a few records.
func strangersPurge(ctx context.Context, w *world, c *clone, s step) error {
	var targets []string
	for i, kind := range []refs.Kind{refs.Packets, refs.Notes, refs.Skips} {
		if id := w.choose(c, kind, s.a+i); id != "" && !slices.Contains(targets, string(id)) {
			targets = append(targets, string(id))
		}
	}
	if len(targets) == 0 {
		return nil
	}
	at := w.began.Add(time.Duration(w.now) * time.Second)
	id, err := packet.NewID(at, w.entropy, "")
	if err != nil {
		return err
	}
	event, err := packet.Parse(fmt.Appendf(nil,
		`{"type":"event","id":%q,"created_at":%q,"event":"purge","targets":["%s"],"value":"other"}`,
		id, at.Format(time.RFC3339), strings.Join(targets, `","`)), packet.Stored)
	if err != nil {
		return err
	}
	file := filepath.Join(w.dir, "event")
	if err := os.WriteFile(file, event.Encode(), 0o600); err != nil {
		return err
	}
	dir := filepath.Join(w.dir, c.remotes[s.b%len(c.remotes)]+".git")
	oid, err := w.git(ctx, dir, "hash-object", "-w", file)
	if err != nil {
		return err
	}
	if _, err := w.git(ctx, dir, "update-ref", "refs/ltm/events/"+string(id), strings.TrimSpace(oid)); err !=
		nil {
		return err
	}
	w.sayf("%2d a stranger purges %s by %s on %s", s.at, targets, id, filepath.Base(dir))
	w.stones[id] = true
	for _, target := range targets {
		w.asked[packet.ID(target)] = true
	}
	return nil
}

func exchange(way remote.Way) func(context.Context, *world, *clone, step) error {
	return func(ctx context.Context, w *world, c *clone, s step) error {
		w.sayf("%2d %s: exchange %d", s.at, c.name, way)
		return w.sync(ctx, c, c.remotes[s.a%len(c.remotes)], way)
	}
}

// sync is one exchange. What it withholds is no error here: in the end nothing may be withheld.
func (w *world) sync(ctx context.Context, c *clone, with string, way remote.Way) error {
	return w.with(ctx, c, func(m *memory.Memory) error {
		out, err := remote.Sync(ctx, m, remote.Request{Remote: with, Way: way})
		w.took(c, out)
		return err
	})
}

// compact moves records of a clone into archives: all, or all but the newest.
func compact(ctx context.Context, w *world, c *clone, s step) error {
	return w.with(ctx, c, func(m *memory.Memory) error {
		done, err := m.Compact(ctx, memory.CompactRequest{Keep: s.a % 3})
		w.sayf("%2d %s: compacted %d, left %d", s.at, c.name, len(done.Records), done.Left)
		if err == nil && done.Left > 0 {
			err = errors.New("a compaction left records that it should have moved")
		}
		return err
	})
}

// thin takes refs out on a remote that an archive holds there.
func thin(ctx context.Context, w *world, c *clone, s step) error {
	return w.with(ctx, c, func(m *memory.Memory) error {
		with := c.remotes[s.a%len(c.remotes)]
		out, err := remote.Sync(ctx, m, remote.Request{Remote: with, Way: remote.Archive})
		w.sayf("%2d %s: thin", s.at, c.name)
		w.took(c, out)
		return err
	})
}

// plain runs git alone.
func plain(args ...string) func(context.Context, *world, *clone, step) error {
	return func(ctx context.Context, w *world, c *clone, s step) error {
		w.sayf("%2d %s: git %s", s.at, c.name, strings.Join(args, " "))
		_, err := w.git(ctx, c.dir, args...)
		return err
	}
}

// plainRemote runs git alone with a remote. A remote may refuse some of the refs.
func plainRemote(args ...string) func(context.Context, *world, *clone, step) error {
	return func(ctx context.Context, w *world, c *clone, s step) error {
		line := strings.Split(
			strings.ReplaceAll(strings.Join(args, "\n"), "REMOTE", c.remotes[s.a%len(c.remotes)]), "\n")
		_, err := w.git(ctx, c.dir, line...)
		w.sayf("%2d %s: git %s: %v", s.at, c.name, strings.Join(line, " "), err)
		return nil
	}
}

// mirrorPrune is a fetch that takes out what the remote does not hold, and then a command that heals: it brings
// back what this clone made. What came from another remote comes again with the next exchange, as the end checks.
func mirrorPrune(ctx context.Context, w *world, c *clone, s step) error {
	name := c.remotes[s.a%len(c.remotes)]
	// It may well find nothing.
	_, _ = w.git(ctx, c.dir, "fetch", "-q", "--prune", name, "+refs/ltm/*:refs/ltm/*")
	w.sayf("%2d %s: mirrored %s", s.at, c.name, name)
	if err := w.age(c, "ltm/spool", time.Minute); err != nil {
		return err
	}
	return w.with(ctx, c, func(m *memory.Memory) error {
		if err := m.Heal(ctx); err != nil {
			return err
		}
		maps.DeleteFunc(c.acked, func(id packet.ID, _ bool) bool { return w.maker[id] != c })
		return m.Recover(ctx)
	})
}

// age makes files of a clone older.
func (w *world) age(c *clone, below string, by time.Duration) error {
	files, _ := filepath.Glob(filepath.Join(c.dir, ".git", filepath.FromSlash(below), "*"))
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		if err := os.Chtimes(file, info.ModTime().Add(-by), info.ModTime().Add(-by)); err != nil {
			return err
		}
	}
	return nil
}

// plainDelete takes a record out on a remote, which is no purge.
func plainDelete(ctx context.Context, w *world, c *clone, s step) error {
	if id := w.choose(c, refs.Packets, s.b); id != "" {
		return plainRemote("push", "-q", "REMOTE", ":refs/ltm/packets/"+string(id))(ctx, w, c, s)
	}
	return nil
}

func remoteGC(ctx context.Context, w *world, c *clone, s step) error {
	_, err := w.git(ctx, filepath.Join(w.dir, c.remotes[s.a%len(c.remotes)]+".git"), "gc", "-q",
		"--prune=now")
	return err
}

// mostClones bounds the clones of a world.
const mostClones = 5

func fresh(ctx context.Context, w *world, _ *clone, s step) error {
	if len(w.clones) == mostClones {
		return nil
	}
	w.sayf("%2d a new clone", s.at)
	return w.add(ctx, s.a)
}

// refusing is a sync with a remote that refuses some refs, or all, or only deletions.
func refusing(ctx context.Context, w *world, c *clone, s step) error {
	name := c.remotes[s.a%len(c.remotes)]
	condition := []string{
		"true", `test "$new" = 0000000000000000000000000000000000000000`,
		`case "$ref" in *[02468ACEGJMPRTWY]) true;; *) false;; esac`,
	}[s.b%3]
	hook := filepath.Join(w.dir, name+".git", "hooks", "update")
	text := "#!/bin/sh\nref=$1 old=$2 new=$3\nif " + condition + "; then exit 1; fi\n"
	if err := os.WriteFile(hook, []byte(text), 0o700); err != nil {
		return err
	}
	err := w.sync(ctx, c, name, remote.Both)
	w.sayf("%2d %s: sync with %s, which refuses %q: %v", s.at, c.name, name, condition, err)
	if w.servers[name] {
		return w.createOnly(name)
	}
	return os.Remove(hook)
}

// broken is a sync with a remote that is not there.
func broken(ctx context.Context, w *world, c *clone, s step) error {
	name := c.remotes[s.a%len(c.remotes)]
	here, away := filepath.Join(w.dir, name+".git"), filepath.Join(w.dir, "away.git")
	if err := os.Rename(here, away); err != nil {
		return err
	}
	if err := w.sync(ctx, c, name, remote.Both); err == nil {
		return errors.New("a sync with a remote that is not there succeeded")
	}
	return os.Rename(away, here)
}

// cancelled is a sync that somebody interrupts.
func cancelled(ctx context.Context, w *world, c *clone, s step) error {
	short, cancel := context.WithTimeout(ctx, time.Duration(1+s.b%80)*time.Millisecond)
	defer cancel()
	err := w.sync(short, c, c.remotes[s.a%len(c.remotes)], remote.Both)
	w.sayf("%2d %s: cancelled after %d ms: %v", s.at, c.name, 1+s.b%80, err)
	return nil
}

// killed is the real program, which dies at some moment with every git that it started. What it printed
// counts.
func killed(verb string) func(context.Context, *world, *clone, step) error {
	return func(ctx context.Context, w *world, c *clone, s step) error {
		args := []string{"sync", c.remotes[s.a%len(c.remotes)]}
		if verb == "save" {
			args = []string{"save", "--goal", "killed", "--next", "go on"}
		}
		out, err := kill(ctx, w.bin, c.dir, w.env, time.Duration(s.b%120)*time.Millisecond, args...)
		if err != nil {
			return err
		}
		w.sayf("%2d %s: killed %s after %d ms: %q", s.at, c.name, verb, s.b%120, out)
		if id, err := packet.ParseID(strings.TrimSpace(out)); err == nil && verb == "save" {
			w.made(c, refs.Packets, id)
		}
		return w.after(c)
	}
}

// killedPurge is a purge that dies at some moment. Whether it counts, the purge that follows decides.
func killedPurge(ctx context.Context, w *world, c *clone, s step) error {
	id := w.choose(c, refs.Packets, s.a)
	if id == "" {
		return nil
	}
	out, err := kill(ctx, w.bin, c.dir, w.env, time.Duration(s.b%80)*time.Millisecond, "purge", string(id),
		"--yes")
	if err != nil {
		return err
	}
	w.sayf("%2d %s: killed purge of %s after %d ms: %q", s.at, c.name, id, s.b%80, out)
	w.erased(c, id)
	if err := w.after(c); err != nil {
		return err
	}
	return w.with(ctx, c, func(m *memory.Memory) error {
		got, err := m.Purges().Purge(ctx, []string{string(id)}, replay.ReasonMistake)
		w.made(c, refs.Events, got.Events...)
		for _, event := range got.Events {
			w.stones[event] = true
		}
		return errors.Join(err, w.about(ctx, c, m))
	})
}

// about notes the events that went with a record that was purged, because they spoke of nothing else.
func (w *world) about(ctx context.Context, c *clone, m *memory.Memory) error {
	stones, err := m.Tombstones(ctx)
	for id := range stones {
		switch kind, acked := w.acked[id]; {
		case !acked || w.purged[id] || w.asked[id]:
		case kind != refs.Events:
			return fmt.Errorf("a purge of another record purged %s", id)
		default:
			w.erased(c, id)
		}
	}
	return err
}

// kill runs a command, ends it and all that it started after a time, and returns what it printed.
func kill(ctx context.Context, bin, dir string, env []string, after time.Duration,
	args ...string,
) (string, error) {
	cmd := exec.CommandContext(ctx, bin, args...)
	var out strings.Builder
	cmd.Dir, cmd.Env, cmd.Stdout = dir, env, &out
	family(cmd)
	if err := cmd.Start(); err != nil {
		return "", err
	}
	timer := time.AfterFunc(after, func() { killFamily(cmd) })
	_ = cmd.Wait() // It was killed, or not.
	timer.Stop()
	return out.String(), nil
}

// after makes the locks that were left behind old in a clone, as they are when somebody comes back. On the
// remotes, which lie on this machine and died too, they are removed, as whoever runs a server does.
func (w *world) after(c *clone) error {
	problems := []error{oldLocks(filepath.Join(c.dir, ".git"))}
	for _, name := range remotes() {
		problems = append(problems, noLocks(filepath.Join(w.dir, name+".git")))
	}
	return errors.Join(problems...)
}

// oldLocks makes the locks below a directory two hours old.
func oldLocks(dir string) error {
	then := time.Now().Add(-2 * time.Hour)
	return locks(dir, func(path string) error { return os.Chtimes(path, then, then) })
}

// noLocks removes the locks below a directory.
func noLocks(dir string) error { return locks(dir, os.Remove) }

// locks does something with each lock of git below a directory.
func locks(dir string, do func(path string) error) error {
	return filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".lock") {
			return nil //nolint:nilerr // What is gone is no lock.
		}
		if err := do(path); !errors.Is(err, os.ErrNotExist) {
			return err
		}
		return nil
	})
}

// together is two clones that exchange with one remote at the same moment.
func together(ctx context.Context, w *world, c *clone, s step) error {
	other := w.clones[s.a%len(w.clones)]
	if other == c {
		return nil
	}
	var errs [2]error
	var both sync.WaitGroup
	outs := make([]remote.Outcome, 2)
	for i, who := range []*clone{c, other} {
		both.Go(func() {
			errs[i] = w.with(ctx, who, func(m *memory.Memory) error {
				var err error
				outs[i], err = remote.Sync(ctx, m, remote.Request{Remote: who.remotes[s.b%len(who.remotes)]})
				return err
			})
		})
	}
	both.Wait()
	w.sayf("%2d %s and %s: at once: %v", s.at, c.name, other.name, errors.Join(errs[:]...))
	w.took(c, outs[0])
	w.took(other, outs[1])
	return errors.Join(errs[:]...)
}
