package remote_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// kills is how many commands the suite kills; LTM_KILLS asks for more.
const kills = 18

// TestKill kills the real program at random moments of each command that changes something. After each, the
// next command works, git finds the repository whole, and every id that was printed is there. In the end two
// clones agree. SPEC.
func TestKill(t *testing.T) {
	t.Parallel()
	k := newKiller(t)
	want := numberOf(t, "LTM_KILLS", kills)
	for round := 0; k.died < want; round++ {
		if k.round(round); t.Failed() {
			t.Fatalf("in round %d, after %d kills", round, k.died)
		}
		if round > 10*want {
			t.Fatalf("only %d of %d commands were killed, the others had ended before", k.died, round)
		}
	}
	t.Logf("%d commands were killed, %d had ended before; %d records were mended", k.died, k.ended, k.mended)
	k.agree()
}

// killer kills commands in one of two clones of a remote.
type killer struct {
	t                   *testing.T
	dir, bin            string
	env                 []string
	random              *rand.Rand
	printed             []string // the ids of packets that were printed, and not purged
	purged              []string // those that "purged" was printed for
	users               string
	died, ended, mended int
	usual               map[string]time.Duration // how long each command takes when nobody kills it, about
}

func newKiller(t *testing.T) *killer {
	t.Helper()
	k := &killer{
		t: t, dir: t.TempDir(), bin: program(t), env: gittest.Env(t),
		random: rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 3)),
		usual:  map[string]time.Duration{},
	}
	k.git(".", "init", "-q", "--bare", "remote.git")
	for _, name := range []string{"laptop", "desktop"} {
		k.git(".", "clone", "-q", "remote.git", name)
		k.git(name, "commit", "-q", "--allow-empty", "-m", "start")
	}
	k.users = k.git("laptop", "for-each-ref", "refs/heads") + k.git("laptop", "config", "--local", "--list")
	return k
}

// git runs git in a clone.
func (k *killer) git(in string, args ...string) string {
	k.t.Helper()
	out, diag, err := k.run(in, "git", args...)
	if err != nil {
		k.t.Fatalf("git %v in %s: %v\n%s", args, in, err, diag)
	}
	return out
}

// ltm runs the program in a clone, where it must succeed.
func (k *killer) ltm(in string, args ...string) (out, diag string) {
	k.t.Helper()
	out, diag, err := k.run(in, k.bin, args...)
	if err != nil {
		k.t.Fatalf("git-ltm %v in %s: %v\n%s%s", args, in, err, out, diag)
	}
	return out, diag
}

func (k *killer) run(in, program string, args ...string) (string, string, error) {
	cmd := exec.CommandContext(k.t.Context(), program, args...)
	cmd.Dir, cmd.Env = filepath.Join(k.dir, in), k.env
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	err := cmd.Run()
	return out.String(), diag.String(), err
}

// round kills one command, and looks at what is left.
func (k *killer) round(n int) {
	k.t.Helper()
	args := k.prepare(n)
	out, ended := k.kill(args)
	for line := range strings.SplitSeq(strings.TrimSpace(out), "\n") {
		id, purged := strings.CutPrefix(line, "purged ")
		switch {
		case purged:
			k.purged = append(k.purged, id)
		case stores(args) && len(line) == 26:
			k.printed = append(k.printed, line)
		}
	}
	if ended {
		k.ended++
	} else {
		k.died++
	}
	if err := oldLocks(filepath.Join(k.dir, "laptop", ".git")); err != nil {
		k.t.Fatal(err)
	}
	if err := noLocks(filepath.Join(k.dir, "remote.git")); err != nil {
		k.t.Fatal(err)
	}
	k.look(strings.Join(args, " "))
}

// stores tells a command that prints the id of what it stored.
func stores(args []string) bool {
	return args[0] == "save" || args[0] == "note" || len(args) > 1 && args[1] == "add"
}

// prepare makes work for a command, and returns it.
func (k *killer) prepare(n int) []string {
	k.t.Helper()
	switch n % 9 {
	case 0:
		return []string{"save", "--goal", "killed", "--next", "go on"}
	case 1:
		return []string{"note", "killed"}
	case 2:
		return []string{"skip", "add", "killed", "--why", "it hangs", "--until", "3d"}
	case 3:
		return []string{"task", "add", "killed", "--next", "begin"}
	case 4:
		task, _ := k.ltm("laptop", "task", "add", "whole", "--next", "begin")
		k.printed = append(k.printed, strings.TrimSpace(task))
		return []string{"task", "set", strings.TrimSpace(task), "--next", "go on", "--priority", "7"}
	case 5:
		k.save("laptop")
		return []string{"edit", k.printed[k.random.IntN(len(k.printed))], "--confirm"}
	case 6:
		k.save("laptop")
		k.save("desktop")
		k.ltm("desktop", "sync")
		return []string{"sync"}
	case 7:
		k.save("laptop")
		k.save("laptop")
		if k.random.IntN(2) == 0 {
			k.ltm("laptop", "sync")
		}
		return []string{"compact", "--older-than", "0d", "--keep", "1"}
	default:
		k.save("laptop")
		if k.random.IntN(2) == 0 {
			k.ltm("laptop", "sync")
		}
		at := k.random.IntN(len(k.printed))
		id := k.printed[at]
		k.printed = slices.Delete(k.printed, at, at+1) // Nobody promises anything about it any more.
		return []string{"purge", id, "--yes"}
	}
}

// save saves in a clone. Only what was saved in the laptop has to be there.
func (k *killer) save(in string) {
	k.t.Helper()
	out, diag := k.ltm(in, "save", "--goal", "whole", "--next", "go on")
	if in == "laptop" {
		k.printed = append(k.printed, strings.TrimSpace(out))
		k.mended += strings.Count(diag, "mended")
	}
}

// kill runs a command in the laptop and kills it at some moment of the time that it takes, alone or with all
// that it started.
func (k *killer) kill(args []string) (out string, ended bool) {
	k.t.Helper()
	usual := max(k.usual[args[0]], 20*time.Millisecond)
	ctx, cancel := context.WithCancel(k.t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, k.bin, args...)
	cmd.Dir, cmd.Env = filepath.Join(k.dir, "laptop"), k.env
	var text bytes.Buffer
	cmd.Stdout = &text
	family(cmd)
	began := time.Now()
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	end := func() { killFamily(cmd) }
	if k.random.IntN(3) == 0 {
		end = func() { _ = cmd.Process.Kill() }
	}
	timer := time.AfterFunc(time.Duration(k.random.Int64N(int64(usual))), end)
	err := cmd.Wait()
	timer.Stop()
	exit, failed := errors.AsType[*exec.ExitError](err)
	ended = err == nil || failed && exit.Exited()
	if ended {
		k.usual[args[0]] = (usual + time.Since(began)) / 2
	} else {
		k.usual[args[0]] = usual * 11 / 10
	}
	return text.String(), ended
}

// look checks the laptop: the next command works, every printed id is there, what was purged is not, and git
// has no complaint.
func (k *killer) look(after string) {
	k.t.Helper()
	k.save("laptop")
	listed := k.list("laptop")
	for _, id := range k.printed {
		if !strings.Contains(listed, id+" killed") && !strings.Contains(listed, id+" whole") {
			k.t.Errorf("after %q: %s was printed and is gone", after, id)
		}
	}
	for _, id := range k.purged {
		if strings.Contains(listed, id) {
			k.t.Errorf("after %q: %s was purged and is here", after, id)
		}
	}
	out, diag, err := k.run("laptop", "git", "fsck", "--strict", "--no-dangling", "--no-progress")
	if err != nil || out+diag != "" {
		k.t.Errorf("after %q: git fsck: %v\n%s%s", after, err, out, diag)
	}
	if users := k.git("laptop", "for-each-ref", "refs/heads") +
		k.git("laptop", "config", "--local", "--list"); users != k.users {
		k.t.Errorf("after %q: what belongs to the user is\n%swas\n%s", after, users, k.users)
	}
}

// list is every record of a clone, with the words that it was saved with.
func (k *killer) list(in string) string {
	k.t.Helper()
	listed, _ := k.ltm(in, "ls", "--kind", "all", "--all", "--limit", "0", "--format", "%(id) %(text)")
	return listed
}

// agree lets both clones sync, and compares them.
func (k *killer) agree() {
	k.t.Helper()
	for range 2 {
		k.ltm("laptop", "sync")
		k.ltm("desktop", "sync")
	}
	k.look("the last sync")
	k.ltm("laptop", "sync")
	k.ltm("desktop", "sync")
	here, there := k.list("laptop"), k.list("desktop")
	if here != there {
		k.t.Errorf("the laptop lists\n%sthe desktop\n%s", here, there)
	}
	all := k.git("remote.git", "for-each-ref", "--format=%(refname)")
	for _, id := range k.purged {
		if strings.Contains(all, "s/"+id) {
			k.t.Errorf("%s was purged and is on the remote", id)
		}
	}
	k.git("remote.git", "fsck", "--strict", "--no-dangling", "--no-progress")
}
