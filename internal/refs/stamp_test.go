package refs_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// grown makes what has just changed in a repository look as if it had changed an hour earlier. What is older
// stays as it is.
func grown(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil || time.Since(info.ModTime()) > 10*time.Minute {
			return err
		}
		before := info.ModTime().Add(-time.Hour)
		return os.Chtimes(path, before, before)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// commonDir is where the refs of a repository lie.
func commonDir(t *testing.T, r *gittest.Repository) string {
	t.Helper()
	repo, err := git.Open(t.Context(), r.Dir, r.Env)
	if err != nil {
		t.Fatal(err)
	}
	return repo.CommonDir
}

// stampOf returns the stamp of a store.
func stampOf(t *testing.T, store *refs.Store) refs.Stamp {
	t.Helper()
	stamp, err := store.Stamp(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return stamp
}

func TestStore_Stamp(t *testing.T) {
	t.Parallel()
	everyStorage(t, func(t *testing.T, r *gittest.Repository) {
		store := open(t, r)
		first := save(t, store, 1)
		commit := r.Git("commit-tree", "-m", "a", r.Git("mktree"))
		before := map[string]string{}
		for _, step := range []struct {
			name   string
			change func()
		}{
			{"nothing", func() {}},
			{"a record", func() { save(t, store, 2) }},
			{"a tagged record", func() { save(t, store, 3) }},
			{"packed refs", func() { r.Git("pack-refs", "--all") }},
			{"a record beside packed refs", func() { save(t, store, 4) }},
			{"another object", func() {
				r.Git("update-ref", first.Full(), listed(t, store, refs.Query{Kind: refs.Packets})[1].Object)
			}},
			{"a removed record", func() { r.Git("update-ref", "-d", first.Full()) }},
			{"a note", func() { r.Git("update-ref", "refs/ltm/notes/"+string(id(5)), first.Object) }},
			{"a private record", func() {
				r.Git("update-ref", "refs/ltm-local/events/"+string(id(6)), first.Object)
			}},
			{"a tracking ref", func() {
				r.Git("update-ref", "refs/ltm-remotes/team/eu/packets/"+string(id(7)), first.Object)
			}},
			{"another tracking ref", func() {
				r.Git("update-ref", "refs/ltm-remotes/team/eu/packets/"+string(id(8)), first.Object)
			}},
			{"an archive", func() { r.Git("update-ref", "refs/ltm/archive/2026-Q3/"+commit, commit) }},
			{"an archive of a remote", func() {
				r.Git("update-ref", "refs/ltm-remotes/team/eu/archive/2026-Q3/"+commit, commit)
			}},
		} {
			step.change()
			grown(t, commonDir(t, r))
			stamp := stampOf(t, store).String()
			if stamp == "" {
				t.Errorf("after %s there is no stamp", step.name)
			}
			if other, ok := before[stamp]; ok {
				t.Errorf("the stamp after %s is the one after %s", step.name, other)
			}
			before[stamp] = step.name
			if again := stampOf(t, store).String(); again != stamp {
				t.Errorf("the stamp after %s is %q and then %q", step.name, stamp, again)
			}
		}
	})
}

// Where files tell what changed, the stamp of a change of a moment ago goes by what they hold: the next one
// may have its time.
func TestStore_Stamp_young(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	store := open(t, r)
	save(t, store, 1)
	grown(t, commonDir(t, r))
	dir := filepath.Join(r.Dir, ".git", "refs", "ltm", "packets")
	ahead := time.Now().Add(time.Minute)
	for _, moment := range []time.Time{time.Now(), ahead} {
		if err := os.Chtimes(dir, moment, moment); err != nil {
			t.Fatal(err)
		}
		before := stampOf(t, store)
		file := filepath.Join(dir, "01JDMB4W1YNJZQR7K8F3A2H5PZ")
		if err := os.WriteFile(file, []byte(moment.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(dir, moment, moment); err != nil {
			t.Fatal(err)
		}
		if stamp := stampOf(t, store); stamp.Loose == before.Loose || stamp.Loose == "" {
			t.Errorf("the stamp of a change at %v is %q, as before", moment, stamp.Loose)
		}
	}
}
