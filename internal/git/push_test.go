package git_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// exchange is a clone, its empty remote and some objects.
type exchange struct {
	*gittest.Repository
	repo   *git.Repo
	remote string
	blobs  []string
}

// newExchange makes a clone of some kind with a bare remote named origin, and a hundred blobs.
func newExchange(t *testing.T, kind gittest.Kind) *exchange {
	t.Helper()
	e := &exchange{Repository: gittest.Repo(t, kind), remote: filepath.Join(t.TempDir(), "remote.git")}
	format := e.Git("rev-parse", "--show-object-format")
	e.Git("init", "-q", "--bare", "--object-format="+format, e.remote)
	if _, err := e.Try("remote", "get-url", "origin"); err == nil {
		e.Git("remote", "set-url", "origin", e.remote)
	} else {
		e.Git("remote", "add", "origin", e.remote)
	}
	var paths strings.Builder
	for i := range 100 {
		path := filepath.Join(t.TempDir(), "blob")
		if err := os.WriteFile(path, fmt.Appendf(nil, "blob %d\n", i), 0o600); err != nil {
			t.Fatal(err)
		}
		paths.WriteString(path + "\n")
	}
	e.blobs = strings.Fields(e.Feed(paths.String(), "hash-object", "-w", "--no-filters", "--stdin-paths"))
	e.repo = opened(t, e.Dir, e.Env)
	return e
}

// hook lets the remote run a script.
func (e *exchange) hook(t *testing.T, name, script string) {
	t.Helper()
	path := filepath.Join(e.remote, "hooks", name)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
}

// holds returns what the remote has below refs/ltm, one ref a line.
func (e *exchange) holds() string {
	return e.Git("--git-dir="+e.remote, "for-each-ref", "--format=%(refname) %(objectname)", "refs/ltm")
}

// verdicts returns which results are good.
func verdicts(results []git.PushResult) map[string]bool {
	found := map[string]bool{}
	for _, result := range results {
		found[result.Ref] = result.OK
	}
	return found
}

func TestRepo_PushRefs(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{
		gittest.Plain, gittest.SHA256, gittest.Bare, gittest.Partial,
		gittest.Shallow, gittest.Worktree, gittest.Reftable,
	} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			e := newExchange(t, kind)
			a, b, c := e.blobs[0], e.blobs[1], e.blobs[2]
			steps := []struct {
				name    string
				changes []git.PushChange
				want    map[string]bool
				after   string
			}{
				{
					"create",
					[]git.PushChange{{Ref: "refs/ltm/a", New: a}, {Ref: "refs/ltm/b", New: b}},
					map[string]bool{"refs/ltm/a": true, "refs/ltm/b": true},
					"refs/ltm/a " + a + "\nrefs/ltm/b " + b,
				},
				{
					"what is there is refused, or done",
					[]git.PushChange{
						{Ref: "refs/ltm/a", New: b},
						{Ref: "refs/ltm/b", New: b},
						{Ref: "refs/ltm/c", New: c},
					},
					map[string]bool{"refs/ltm/a": false, "refs/ltm/b": true, "refs/ltm/c": true},
					"refs/ltm/a " + a + "\nrefs/ltm/b " + b + "\nrefs/ltm/c " + c,
				},
				{
					"delete what it no longer holds",
					[]git.PushChange{
						{Ref: "refs/ltm/a", Old: b},
						{Ref: "refs/ltm/b", Old: b},
						{Ref: "refs/ltm/none", Old: b},
					},
					map[string]bool{"refs/ltm/a": false, "refs/ltm/b": true, "refs/ltm/none": false},
					"refs/ltm/a " + a + "\nrefs/ltm/c " + c,
				},
				{
					"all",
					[]git.PushChange{
						{Ref: "refs/ltm/a", Old: a, New: b},
						{Ref: "refs/ltm/c", Old: c},
						{Ref: "refs/ltm/d", New: c},
					},
					map[string]bool{"refs/ltm/a": true, "refs/ltm/c": true, "refs/ltm/d": true},
					"refs/ltm/a " + b + "\nrefs/ltm/d " + c,
				},
			}
			for _, step := range steps {
				results, err := e.repo.PushRefs(t.Context(), "origin", step.changes)
				if diff := cmp.Diff(step.want, verdicts(results)); diff != "" || err != nil {
					t.Errorf("%s: %v (-want +got):\n%s", step.name, err, diff)
				}
				for i, result := range results {
					if result.Ref != step.changes[i].Ref || result.OK == (result.Reason != "") {
						t.Errorf("%s: result %d is %+v", step.name, i, result)
					}
				}
				if diff := cmp.Diff(step.after, e.holds()); diff != "" {
					t.Errorf("after %s (-want +got):\n%s", step.name, diff)
				}
			}
		})
	}
}

// TestRepo_PushRefs_refused shows that each ref has the answer of the remote, in its words.
func TestRepo_PushRefs_refused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		set    func(t *testing.T, e *exchange)
		good   string
		reason string
	}{
		{"hidden refs", func(_ *testing.T, e *exchange) {
			e.Git("--git-dir="+e.remote, "config", "receive.hideRefs", "refs/ltm/hidden")
		}, "refs/ltm/open", "deny updating a hidden ref"},
		{"a hook that refuses one", func(t *testing.T, e *exchange) {
			t.Helper()
			e.hook(t, "update", "case $1 in refs/ltm/hidden/*) echo not those; exit 1;; esac\n")
		}, "refs/ltm/open", "hook declined"},
		{"a hook that refuses all", func(t *testing.T, e *exchange) {
			t.Helper()
			e.hook(t, "pre-receive", "exit 1\n")
		}, "", "pre-receive hook declined"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			e := newExchange(t, gittest.Plain)
			test.set(t, e)
			changes := []git.PushChange{
				{Ref: "refs/ltm/hidden/a", New: e.blobs[0]},
				{Ref: "refs/ltm/open", New: e.blobs[1]},
			}
			results, err := e.repo.PushRefs(t.Context(), "origin", changes)
			want := map[string]bool{"refs/ltm/hidden/a": false, "refs/ltm/open": test.good != ""}
			if diff := cmp.Diff(want, verdicts(results)); diff != "" || err != nil {
				t.Fatalf("%v (-want +got):\n%s", err, diff)
			}
			if !strings.Contains(results[0].Reason, test.reason) {
				t.Errorf("reason %q, want one with %q", results[0].Reason, test.reason)
			}
			if got := strings.TrimSuffix(e.holds(), " "+e.blobs[1]); got != test.good {
				t.Errorf("the remote holds %q, want %q", got, test.good)
			}
		})
	}
}

// TestRepo_PushRefs_undisturbed shows that what is configured for the user's own pushes changes nothing here:
// SPEC.
func TestRepo_PushRefs_undisturbed(t *testing.T) {
	t.Parallel()
	e := newExchange(t, gittest.Plain)
	e.Git("tag", "-a", "-m", "x", "v1")
	second := filepath.Join(t.TempDir(), "second.git")
	e.Git("init", "-q", "--bare", second)
	for _, entry := range [][2]string{
		{"remote.origin.mirror", "true"},
		{"push.default", "matching"},
		{"push.followTags", "true"},
		{"push.gpgSign", "true"},
		{"push.recurseSubmodules", "on-demand"},
		{"push.autoSetupRemote", "true"},
		{"push.useForceIfIncludes", "true"},
		{"remote.origin.push", "refs/heads/*:refs/heads/*"},
		{"color.ui", "always"},
		{"color.push", "always"},
		{"remote.origin.pushurl", "two:second.git"},
		{"url." + filepath.Dir(second) + "/.insteadOf", "two:"},
	} {
		e.Git("config", entry[0], entry[1])
	}
	e.Git("config", "--add", "remote.origin.pushurl", e.remote)
	e.Git("update-ref", "refs/heads/"+e.blobs[0], "HEAD")
	hook := filepath.Join(e.Dir, ".git", "hooks", "pre-push")
	if err := errors.Join(os.MkdirAll(filepath.Dir(hook), 0o700),
		os.WriteFile(hook, []byte("#!/bin/sh\nexit 1\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	results, err := e.repo.PushRefs(t.Context(), "origin",
		[]git.PushChange{{Ref: "refs/ltm/a", New: e.blobs[0]}})
	if err != nil || !results[0].OK {
		t.Fatalf("push: %+v, %v", results, err)
	}
	for _, remote := range []string{e.remote, second} {
		got := e.Git("--git-dir="+remote, "for-each-ref", "--format=%(refname) %(objectname)")
		if want := "refs/ltm/a " + e.blobs[0]; got != want {
			t.Errorf("%s holds %q, want %q", remote, got, want)
		}
	}
	e.Git("--git-dir="+second, "config", "receive.hideRefs", "refs/ltm")
	results, err = e.repo.PushRefs(t.Context(), "origin",
		[]git.PushChange{{Ref: "refs/ltm/b", New: e.blobs[1]}})
	if err != nil || results[0].OK {
		t.Errorf("one of two addresses refuses: %+v, %v, want a refusal", results, err)
	}
}

// TestRepo_PushRefs_addresses shows that a remote may have any name, or none.
func TestRepo_PushRefs_addresses(t *testing.T) {
	t.Parallel()
	e := newExchange(t, gittest.Plain)
	odd := filepath.Join(filepath.Dir(e.remote), "a=b.git")
	if err := os.Symlink(e.remote, odd); err != nil {
		t.Fatal(err)
	}
	e.Git("config", "remote.od/d=1.url", e.remote)
	e.Git("config", "remote.od/d=1.mirror", "true")
	for i, remote := range []string{e.remote, odd, "file://" + e.remote, "od/d=1"} {
		change := git.PushChange{Ref: fmt.Sprintf("refs/ltm/%d", i), New: e.blobs[i]}
		if results, err := e.repo.PushRefs(t.Context(), remote, []git.PushChange{change}); err != nil || !results[0].OK {
			t.Errorf("push to %q: %+v, %v", remote, results, err)
		}
	}
}

// TestRepo_PushRefs_errors shows what is no answer about refs.
func TestRepo_PushRefs_errors(t *testing.T) {
	t.Parallel()
	e := newExchange(t, gittest.Plain)
	good := git.PushChange{Ref: "refs/ltm/a", New: e.blobs[0]}
	none := strings.Repeat("1", 40)
	long := strings.Repeat("x", 1000)
	many := make([]git.PushChange, git.PushLimit+1)
	large := make([]git.PushChange, git.PushLimit)
	for i := range many {
		many[i] = git.PushChange{Ref: fmt.Sprintf("refs/ltm/%d", i), New: e.blobs[0]}
	}
	for i := range large {
		large[i] = git.PushChange{Ref: fmt.Sprintf("refs/ltm/%s/%d", long, i), New: e.blobs[0]}
	}
	tests := []struct {
		name    string
		remote  string
		changes []git.PushChange
		want    error
	}{
		{"a remote that is not there", "nowhere", []git.PushChange{good}, nil},
		{"an option for a remote", "--receive-pack=x", []git.PushChange{good}, nil},
		{"an object that is not here", "origin", []git.PushChange{{Ref: "refs/ltm/a", New: none}}, nil},
		{"a branch for an object", "origin", []git.PushChange{{Ref: "refs/ltm/a", New: "main"}}, nil},
		{"two refs in one", "origin", []git.PushChange{{Ref: "refs/ltm/a:refs/ltm/b", New: e.blobs[0]}}, nil},
		{"a pattern", "origin", []git.PushChange{{Ref: "refs/ltm/*", New: e.blobs[0]}}, nil},
		{"a short name", "origin", []git.PushChange{{Ref: "main", New: e.blobs[0]}}, nil},
		{"a deletion of anything", "origin", []git.PushChange{{Ref: "refs/ltm/a"}}, nil},
		{"a ref twice", "origin", []git.PushChange{good, {Ref: "refs/ltm/a", New: e.blobs[1]}}, nil},
		{"too many", "origin", many, git.ErrPushTooLarge},
		{"too long", "origin", large, git.ErrPushTooLarge},
	}
	for _, test := range tests {
		results, err := e.repo.PushRefs(t.Context(), test.remote, test.changes)
		if err == nil || (test.want != nil && !errors.Is(err, test.want)) ||
			len(results) != len(test.changes) {
			t.Errorf("%s: %d results, %v, want %v", test.name, len(results), err, test.want)
		}
		for _, result := range results {
			if result.OK {
				t.Errorf("%s: %+v", test.name, result)
			}
		}
	}
	if got := e.holds(); got != "" {
		t.Errorf("the remote holds %q", got)
	}
	if results, err := e.repo.PushRefs(t.Context(), "nowhere", nil); len(results) > 0 ||
		err != nil {
		t.Errorf("no change: %v, %v", results, err)
	}
}

// TestRepo_PushRefs_limit pushes as much as one call takes.
func TestRepo_PushRefs_limit(t *testing.T) {
	t.Parallel()
	e := newExchange(t, gittest.SHA256)
	changes := make([]git.PushChange, git.PushLimit)
	for i := range changes {
		changes[i] = git.PushChange{
			Ref: fmt.Sprintf("refs/ltm/packets/%026d", i),
			New: e.blobs[i%len(e.blobs)],
		}
	}
	results, err := e.repo.PushRefs(t.Context(), "origin", changes)
	if err != nil {
		t.Fatal(err)
	}
	for i, result := range results {
		if !result.OK || result.Ref != changes[i].Ref {
			t.Fatalf("result %d is %+v", i, result)
		}
	}
	if got := strings.Count(e.holds(), "\n") + 1; got != len(changes) {
		t.Errorf("the remote holds %d refs, want %d", got, len(changes))
	}
}
