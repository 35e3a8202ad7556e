package web_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
	"github.com/git-ltm/git-ltm/internal/web"
)

// today is the day on which the pages of tests are looked at.
func today() time.Time { return time.Date(2026, 11, 20, 9, 30, 0, 0, time.UTC) }

// A world is a repository with a memory that grew over some weeks.
type world struct {
	*gittest.Repository

	t   *testing.T
	now time.Time // when the next record is made
}

// object is JSON that is about to be stored.
type object = map[string]any

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{Repository: gittest.Repo(t, gittest.Plain), t: t, now: today()}
	named := filepath.Join(filepath.Dir(w.Dir), "tidewater")
	if err := os.Rename(w.Dir, named); err != nil {
		t.Fatal(err)
	}
	w.Dir = named
	return w
}

// options are those of pages of this world, today.
func (w *world) options() web.Options {
	return web.Options{Now: today, Open: func(ctx context.Context) (*memory.Memory, error) {
		return memory.Open(ctx, memory.Options{Dir: w.Dir, Env: w.Env, Now: today, Entropy: rand.Reader})
	}}
}

// use opens the memory at the time of the world.
func (w *world) use(do func(m *memory.Memory) error) {
	w.t.Helper()
	m, err := memory.Open(w.t.Context(), memory.Options{
		Dir: w.Dir, Env: w.Env, Now: func() time.Time { return w.now }, Entropy: rand.Reader,
	})
	if err == nil {
		if err = do(m); err == nil {
			err = m.Close()
		}
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// ago sets the time at which the next record is made.
func (w *world) ago(days, hours int) *world {
	w.now = today().Add(-time.Duration(days)*24*time.Hour - time.Duration(hours)*time.Hour)
	return w
}

// save stores a packet on a branch and returns its id.
func (w *world) save(branch, parent string, how gate.Signing, members object) (id string) {
	w.t.Helper()
	members["anchor"] = object{"branch": branch}
	data, err := json.Marshal(members)
	if err != nil {
		w.t.Fatal(err)
	}
	link := gate.Begin
	w.use(func(m *memory.Memory) error {
		r, err := m.Save(w.t.Context(),
			gate.SaveRequest{Data: data, Continue: parent, Link: link, Signing: how})
		id = string(r.ID)
		return err
	})
	return id
}

// note stores a note or a skip and returns its id.
func (w *world) note(members object) (id string) {
	w.t.Helper()
	return w.noteTo(replay.Shared, members)
}

// noteTo stores a note or a skip that goes so far.
func (w *world) noteTo(reach replay.Reach, members object) (id string) {
	w.t.Helper()
	if _, ok := members["anchor"]; !ok {
		members["anchor"] = object{"branch": "main"}
	}
	data, err := json.Marshal(members)
	if err != nil {
		w.t.Fatal(err)
	}
	w.use(func(m *memory.Memory) error {
		r, err := m.SaveSmall(w.t.Context(), gate.SaveRequest{Data: data, Reach: reach})
		id = string(r.ID)
		return err
	})
	return id
}

// happen says what became of records.
func (w *world) happen(event, target, by, why string) {
	w.t.Helper()
	h := gate.Happen{Event: event, Targets: []string{target}, Why: why}
	if by != "" {
		h.By = []string{by}
	}
	w.use(func(m *memory.Memory) error {
		_, err := m.Happen(w.t.Context(), h)
		return err
	})
}

// plant writes a record with plain git, so that nobody here made it. Its id is made of its time and a number.
func (w *world) plant(kind string, n int, members object) (id string) {
	w.t.Helper()
	id = idOf(w.now, n)
	all := object{
		"id": id, "created_at": w.now.UTC().Format(time.RFC3339),
		"provenance": object{"author_human": "mallory@example.com"},
	}
	if kind == "packet" {
		all["ltm_version"], all["project"] = "0.3", object{"name": "tidewater", "ref": "tidewater"}
	} else {
		all["type"] = kind
	}
	maps.Copy(all, members)
	data, err := json.Marshal(all)
	if err != nil {
		w.t.Fatal(err)
	}
	if rec, err := packet.Parse(data, packet.Stored); err == nil {
		data = rec.Encode() // Of events only those count that are written as the format says.
	}
	w.Git("update-ref", "refs/ltm/"+kind+"s/"+id, w.Feed(string(data), "hash-object", "-w", "--stdin"))
	return id
}

// idOf is an id that begins with a time.
func idOf(at time.Time, n int) string {
	const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
	id := make([]byte, 26)
	for i, left := 9, at.UnixMilli(); i >= 0; i-- {
		id[i], left = digits[left%32], left/32
	}
	for i := 25; i >= 10; i-- {
		id[i], n = digits[n%32], n/32
	}
	return string(id)
}

// put writes a file of the work tree.
func (w *world) put(name, text string) {
	w.t.Helper()
	path := filepath.Join(w.Dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

// commit commits everything and returns the commit.
func (w *world) commit() string {
	w.t.Helper()
	w.Git("add", "-A")
	w.Git("commit", "-q", "-m", "more")
	return w.Git("rev-parse", "HEAD")
}

// trustKey makes a key that counts here, if this machine can.
func (w *world) trustKey() gate.Signing {
	if keytest.Missing("ssh-keygen") != "" {
		return gate.NoSign
	}
	key, public := keytest.SSHKey(w.t, "ed25519", "ada")
	list := filepath.Join(w.t.TempDir(), "allowed_signers")
	if err := os.WriteFile(list, []byte("ada@example.com "+public+"\n"), 0o600); err != nil {
		w.t.Fatal(err)
	}
	for _, setting := range [][2]string{
		{"gpg.format", "ssh"},
		{"user.signingKey", key},
		{"gpg.ssh.allowedSignersFile", list},
		{"ltm.store", "01JDMB4W1YNJZQR7K8F3A2H5P9"},
		{"user.name", "Ada Tester"},
		{"user.email", "ada@example.com"},
	} {
		w.Git("config", setting[0], setting[1])
	}
	return gate.Sign
}
