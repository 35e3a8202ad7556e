package git_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

func TestConfig(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	more := "[One \"Two.Three\"]\n\tKey = a\n\tkey = line\\nbreak\n\talone\n\tempty =\n\tnumber = 2\n\toff = OFF\n\todd = maybe\n"
	if err := os.WriteFile(filepath.Join(r.Dir, ".git", "more"), []byte(more), 0o600); err != nil {
		t.Fatal(err)
	}
	r.Git("config", "include.path", "more")
	config, err := opened(t, r.Dir, r.Env).Config(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if value, ok := config.Get("oNE.Two.Three.KEY"); value != "line\nbreak" || !ok {
		t.Errorf("get: %q, %v", value, ok)
	}
	if _, ok := config.Get("one.two.three.key"); ok {
		t.Error("the case of a subsection was ignored")
	}
	if diff := cmp.Diff([]string{"a", "line\nbreak"}, config.All("one.Two.Three.key")); diff != "" {
		t.Errorf("all (-want +got):\n%s", diff)
	}
	tests := map[string]bool{"alone": true, "empty": false, "number": true, "off": false, "missing": true}
	for key, want := range tests {
		if got, err := config.Bool("one.Two.Three."+key, true); got != want || err != nil {
			t.Errorf("bool %s: %v, %v, want %v", key, got, err, want)
		}
	}
	if _, err := config.Bool("one.Two.Three.odd", true); err == nil {
		t.Error("a word that is no boolean was accepted")
	}
}

func TestRepo_AddConfig(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	repo := opened(t, r.Dir, r.Env)
	for _, value := range []string{"--plain", "+refs/ltm/*:x", "-"} {
		if err := repo.Settings().Add(t.Context(), "ltm.test", value); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := repo.Settings().Unset(t.Context(), git.Local, "ltm.test", "+refs/ltm/*:x"); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.Git("config", "--get-all", "ltm.test"); got != "--plain\n-" {
		t.Errorf("left: %q", got)
	}
	if err := repo.Settings().Add(t.Context(), "--global", "x"); err == nil {
		t.Error("an option was accepted as a key")
	}
}

func TestBatch(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.SHA256} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, kind)
			repo := opened(t, r.Dir, r.Env)
			data := bytes.Repeat([]byte("ab\n\x00"), 5000)
			oid, err := repo.WriteObject(t.Context(), "blob", data)
			if err != nil {
				t.Fatal(err)
			}
			r.Git("replace", oid, r.Feed("something else", "hash-object", "-w", "--stdin"))
			batch, err := repo.Objects(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			checkBatch(t, batch, oid, data)
			if err := batch.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// checkBatch asks everything that can be asked about one blob.
func checkBatch(t *testing.T, batch *git.Batch, oid string, data []byte) {
	t.Helper()
	for range 2 {
		if _, got, err := batch.Read(oid, int64(len(data))); !bytes.Equal(got, data) || err != nil {
			t.Errorf("read: %d bytes, %v", len(got), err)
		}
		typ, _, err := batch.Read(oid, 10)
		if large, ok := errors.AsType[*git.TooLargeError](err); !ok || large.Size != int64(len(data)) || typ != "blob" {
			t.Errorf("read of ten bytes: %v, want a TooLargeError", err)
		}
		for _, none := range []string{strings.Repeat("1", len(oid)), "HEAD", "a\nb", ""} {
			if _, _, err := batch.Read(none, 10); !errors.Is(err, git.ErrMissing) {
				t.Errorf("read %q: %v, want ErrMissing", none, err)
			}
		}
	}
}

func TestRepo_WriteObject(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	repo := opened(t, r.Dir, r.Env)
	tag := "object " + repo.Head.Commit + "\ntype commit\ntag x\ntagger A <a@example.org> 1 +0000\n\nx\n"
	oid, err := repo.WriteObject(t.Context(), "tag", []byte(tag))
	if err != nil || r.Git("cat-file", "tag", oid)+"\n" != tag {
		t.Errorf("tag: %s, %v", oid, err)
	}
	if _, err := repo.WriteObject(t.Context(), "tag", []byte("nonsense")); err == nil {
		t.Error("a tag that is none was written")
	}
	if _, err := repo.WriteObject(t.Context(), "--path=x", nil); err == nil {
		t.Error("an option was accepted as a type")
	}
}

func TestRepo_history(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	first, second := r.Git("rev-parse", "HEAD~1"), r.Git("rev-parse", "HEAD")
	r.Git("checkout", "-q", "-b", "side")
	side := r.Commit("side")
	r.Git("checkout", "-q", "main")
	r.Git("merge", "-q", "--no-ff", "-m", "merge", "side")
	r.Git("branch", "away", first)
	r.Git("checkout", "-q", "away")
	away := r.Commit("away")
	r.Git("checkout", "-q", "main")
	none := strings.Repeat("2", 40)
	repo := opened(t, r.Dir, r.Env)
	got, err := repo.History().Ancestry(t.Context(),
		[]string{repo.Head.Commit, side, second, first, away, none, "HEAD", "--all"})
	want := map[string]int{repo.Head.Commit: 0, side: 1, second: 1, first: 2}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("ancestry: %v (-want +got):\n%s", err, diff)
	}
	for old, want := range map[string]bool{first: true, side: true, away: false} {
		if got, err := repo.History().IsAncestor(t.Context(), old, repo.Head.Commit); got != want || err != nil {
			t.Errorf("is ancestor %s: %v, %v, want %v", old, got, err, want)
		}
	}
	if _, err := repo.History().IsAncestor(t.Context(), none, second); !errors.Is(err, git.ErrMissing) {
		t.Errorf("ancestor that is not here: %v, want ErrMissing", err)
	}
}

func TestRepo_ChangedSince(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	write := func(name, text string) {
		t.Helper()
		path := filepath.Join(r.Dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700),
			os.WriteFile(path, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	write("dir/a b", "1")
	write("*", "1")
	write("same", "1")
	r.Git("add", ".")
	base := r.Commit("base")
	r.Commit("more")
	write("dir/a b", "2")
	write("untracked", "2")
	repo := opened(t, filepath.Join(r.Dir, "dir"), r.Env)
	paths := []string{"file", "dir", "dir/a b", "*", "same", "untracked", "none", ":(glob)**"}
	got, err := repo.History().ChangedSince(t.Context(), base, paths)
	if diff := cmp.Diff(map[string]bool{"file": true, "dir": true, "dir/a b": true}, got); diff != "" ||
		err != nil {
		t.Errorf("changed: %v (-want +got):\n%s", err, diff)
	}
	if _, err := repo.History().ChangedSince(t.Context(), strings.Repeat("3", 40), paths); !errors.Is(err,
		git.ErrMissing) {
		t.Errorf("commit that is not here: %v, want ErrMissing", err)
	}
	repo = opened(t, filepath.Join(r.Dir, ".git"), r.Env)
	got, err = repo.History().ChangedSince(t.Context(), base, paths)
	if diff := cmp.Diff(map[string]bool{"file": true}, got); diff != "" || err != nil {
		t.Errorf("changed, without a work tree: %v (-want +got):\n%s", err, diff)
	}
}

func TestRepo_Identity(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	name, email, err := opened(t, r.Dir, r.Env).Identity(t.Context())
	if name != "A Tester" || email != "tester@example.org" || err != nil {
		t.Errorf("identity: %q, %q, %v", name, email, err)
	}
	env := append(slices.Clone(r.Env), "GIT_CONFIG_GLOBAL="+os.DevNull)
	name, email, err = opened(t, r.Dir, env).Identity(t.Context())
	if name != "" || email != "" || err != nil {
		t.Errorf("none is configured: %q, %q, %v", name, email, err)
	}
}

func TestRepo_LsRemote(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Shallow)
	origin := filepath.Join(filepath.Dir(r.Dir), "origin")
	r.Git("-C", origin, "tag", "-a", "-m", "x", "v1")
	repo := opened(t, r.Dir, r.Env)
	got, err := repo.LsRemote(t.Context(), "origin", "refs/tags/*")
	want := []git.Ref{{
		Name: "refs/tags/v1", Object: r.Git("-C", origin, "rev-parse", "v1"),
		Peeled: r.Git("-C", origin, "rev-parse", "v1^{}"),
	}}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("ls-remote: %v (-want +got):\n%s", err, diff)
	}
	if _, err := repo.LsRemote(t.Context(), "--upload-pack=touch x", "y"); err == nil {
		t.Error("an option was accepted as a remote")
	}
}

func TestEdit(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Plain)
	file := filepath.Join(t.TempDir(), "a file")
	env := append(slices.Clone(r.Env), `GIT_EDITOR=f() { cat >"$1"; echo shown; }; f`)
	var out bytes.Buffer
	streams := git.Streams{In: strings.NewReader("typed"), Out: &out, Err: &out}
	if err := git.Edit(t.Context(), r.Dir, env, streams, file); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); string(text) != "typed" || out.String() != "shown\n" || err != nil {
		t.Errorf("edited: %q, shown %q, %v", text, out.String(), err)
	}
	env = append(slices.Clone(r.Env), "GIT_EDITOR=false")
	if err := git.Edit(t.Context(), r.Dir, env, streams, file); err == nil {
		t.Error("an editor that fails was taken for success")
	}
}
