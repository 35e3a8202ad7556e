package remote_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/remote"
)

// world is a few clones, two remotes, and what the model knows of them.
type world struct {
	dir, bin string
	env      []string
	random   *rand.Rand
	entropy  io.Reader
	began    time.Time
	now      int // seconds since the beginning
	clones   []*clone
	acked    map[packet.ID]refs.Kind // what was acknowledged to somebody
	maker    map[packet.ID]*clone    // who made it, where that is known
	tasks    map[packet.ID]bool
	purged   map[packet.ID]bool // by the clone that made it, or with its consent
	asked    map[packet.ID]bool // somebody else wants it removed: who made it has to be asked
	kept     map[packet.ID]bool // of those, what its maker refused to remove
	stones   map[packet.ID]bool // the events that are purges
	servers  map[string]bool    // the remotes that let records be created, and neither changed nor deleted
	log      []string
}

// clone is one clone, and what was acknowledged in it.
type clone struct {
	name, dir string
	remotes   []string
	skew      int // seconds that its clock runs ahead
	acked     map[packet.ID]bool
	users     string // what belongs to its user
}

// remotes are the names of the two remotes. Some clones know only one.
func remotes() []string { return []string{"one", "two"} }

// newWorld makes two remotes and three clones. The first clone knows both remotes.
func newWorld(ctx context.Context, seed uint64, env []string, bin string) (*world, error) {
	dir, err := os.MkdirTemp("", "m")
	if err != nil {
		return nil, err
	}
	random := rand.New(rand.NewPCG(seed, 2))
	var key [32]byte
	key[0], key[1], key[2], key[3] = byte(seed), byte(seed>>8), byte(seed>>16), 1
	w := &world{
		dir: dir, bin: bin, env: env, random: random, entropy: rand.NewChaCha8(key),
		began: time.Now().UTC().Truncate(time.Second).Add(-time.Hour),
		acked: map[packet.ID]refs.Kind{}, maker: map[packet.ID]*clone{}, tasks: map[packet.ID]bool{},
		purged: map[packet.ID]bool{},
		asked:  map[packet.ID]bool{}, kept: map[packet.ID]bool{}, stones: map[packet.ID]bool{},
		servers: map[string]bool{},
	}
	for i, name := range remotes() {
		if _, err := w.git(ctx, dir, "init", "-q", "--bare", name+".git"); err != nil {
			return nil, err
		}
		// One of four worlds has two such servers, two have one, one has none.
		if seed%4 == uint64(i) || seed%4 == 2 {
			w.servers[name] = true
			if err := w.createOnly(name); err != nil {
				return nil, err
			}
		}
	}
	for i := range 3 {
		if err := w.add(ctx, i); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// createOnly lets a remote refuse whatever changes or deletes a ref, as servers do whose rules protect refs.
func (w *world) createOnly(name string) error {
	const text = "#!/bin/sh\ncase $2 in *[!0]*) echo 'refs are only created here' >&2; exit 1;; esac\n"
	hooks := filepath.Join(w.dir, name+".git", "hooks")
	return errors.Join(os.MkdirAll(hooks, 0o700), os.WriteFile(filepath.Join(hooks, "update"), []byte(text), 0o700))
}

// add makes a clone.
func (w *world) add(ctx context.Context, choice int) error {
	c := &clone{
		name: "c" + strconv.Itoa(len(w.clones)), acked: map[packet.ID]bool{},
		skew: w.random.IntN(3) * 40,
	}
	c.dir = filepath.Join(w.dir, c.name)
	c.remotes = [][]string{remotes(), remotes()[:1], remotes()[1:]}[choice%3]
	calls := [][]string{
		{"init", "-q", "."},
		{"commit", "-q", "--allow-empty", "-m", "start of " + c.name},
		{"branch", "side"},
	}
	for _, name := range c.remotes {
		calls = append(calls, []string{"remote", "add", name, "../" + name + ".git"})
		if w.random.IntN(2) == 0 {
			calls = append(calls,
				[]string{"config", "--add", remote.Tracking(name).Key, remote.Tracking(name).Value})
		}
	}
	if w.random.IntN(3) == 0 {
		calls = append(calls, []string{"config", "fetch.prune", "true"})
	}
	if err := os.Mkdir(c.dir, 0o700); err != nil {
		return err
	}
	for _, args := range calls {
		if _, err := w.git(ctx, c.dir, args...); err != nil {
			return err
		}
	}
	w.clones = append(w.clones, c)
	var err error
	c.users, err = w.users(ctx, c)
	return err
}

// users is what belongs to the user of a clone: branches, tags, HEAD, the index and the configuration.
func (w *world) users(ctx context.Context, c *clone) (string, error) {
	branches, err := w.git(ctx, c.dir, "for-each-ref", "refs/heads", "refs/tags")
	all := []string{branches}
	for _, file := range []string{"HEAD", "index", "config"} {
		data, missing := os.ReadFile(filepath.Join(c.dir, ".git", file))
		if missing != nil {
			data = []byte("missing")
		}
		sum := sha256.Sum256(data)
		all = append(all, file+" "+hex.EncodeToString(sum[:]))
	}
	return strings.Join(all, "\n"), err
}

// git runs git and returns what it printed.
func (w *world) git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir, cmd.Env = dir, w.env
	var out, diag bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &diag
	if err := cmd.Run(); err != nil {
		return out.String(), fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, diag.String())
	}
	return out.String(), nil
}

// sayf notes what happened, for a sequence that fails.
func (w *world) sayf(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

// with opens the memory of a clone.
func (w *world) with(ctx context.Context, c *clone, do func(*memory.Memory) error) (err error) {
	now := func() time.Time { return w.began.Add(time.Duration(w.now+c.skew) * time.Second) }
	m, err := memory.Open(ctx, memory.Options{Dir: c.dir, Env: w.env, Now: now, Entropy: w.entropy})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	return do(m)
}

// acknowledge notes that a clone said that it holds a record.
func (w *world) acknowledge(c *clone, kind refs.Kind, ids ...packet.ID) {
	for _, id := range ids {
		w.acked[id] = kind
		c.acked[id] = true
	}
}

// made notes that a clone made a record, which it acknowledged.
func (w *world) made(c *clone, kind refs.Kind, ids ...packet.ID) {
	w.acknowledge(c, kind, ids...)
	for _, id := range ids {
		w.maker[id] = c
	}
}

// erased notes that somebody purged a record. What another clone made waits there for an answer.
func (w *world) erased(c *clone, id packet.ID) {
	if w.maker[id] == c {
		w.purged[id] = true
	} else {
		w.asked[id] = true
	}
}

// took notes what an exchange said that it took.
func (w *world) took(c *clone, out remote.Outcome) {
	for _, ref := range out.Pulled {
		if name, ok := refs.ParseName(ref); ok {
			w.acknowledge(c, name.Kind, name.ID) // A save that was killed may have made it without a word.
		}
	}
	if len(out.Pulled)+len(out.Pushed)+len(out.Removed)+len(out.Deleted)+len(out.Withheld) > 0 {
		w.sayf("     %s and %s: pulled %d, pushed %d, removed %d, deleted %d, withheld %v",
			c.name, out.Remote, len(out.Pulled), len(out.Pushed), len(out.Removed), len(out.Deleted),
			out.Withheld)
	}
}

// choose returns one of the records of a kind that were acknowledged in a clone and are not purged, or
// nothing.
func (w *world) choose(c *clone, kind refs.Kind, n int) packet.ID {
	var ids []packet.ID
	for id := range c.acked {
		if w.acked[id] == kind && !w.purged[id] && !w.asked[id] && !w.stones[id] {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	slices.Sort(ids)
	return ids[n%len(ids)]
}

// held lists what a repository holds in refs and archives of its own: names, blobs, and what the events made
// of them.
func (w *world) held(ctx context.Context, dir string,
	find func(context.Context, string, []string) (*git.Repo, error),
) (map[packet.ID]string, error) {
	repo, err := find(ctx, dir, w.env)
	if err != nil {
		return nil, err
	}
	store := refs.Open(repo)
	defer func() { _ = store.Close() }()
	held := map[packet.ID]string{}
	for _, kind := range []refs.Kind{refs.Packets, refs.Notes, refs.Skips, refs.Events} {
		for ref, err := range store.List(ctx, refs.Query{Kind: kind}) {
			if err != nil {
				return nil, err
			}
			obj, err := store.Read(ctx, ref)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", ref.Full(), err)
			}
			held[ref.Name.ID] = string(kind) + " " + obj.OID
		}
	}
	return held, nil
}

// built is where the real program lies once a test asked for it.
var built = sync.OnceValues(func() (string, error) {
	bin := filepath.Join(programs, "git-ltm")
	out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", bin,
		"github.com/git-ltm/git-ltm/cmd/git-ltm").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return bin, nil
})

// programs is the folder for what tests build, for as long as they run.
var programs string

func TestMain(m *testing.M) {
	var err error
	if programs, err = os.MkdirTemp("", "git-ltm-remote-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(programs)
	os.Exit(code)
}

// program builds the real program, which takes seconds, once for all tests.
func program(t *testing.T) string {
	t.Helper()
	bin, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return bin
}
