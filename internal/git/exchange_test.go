package git_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// TestRepo_FetchInto fetches far more refs than a command line takes, each by its name, and nothing else:
// SPEC.
func TestRepo_FetchInto(t *testing.T) {
	t.Parallel()
	for _, kind := range []gittest.Kind{gittest.Plain, gittest.Partial, gittest.SHA256, gittest.Reftable} {
		t.Run(string(kind), func(t *testing.T) {
			t.Parallel()
			e := newExchange(t, kind)
			many := 300
			if kind == gittest.Plain {
				many = 1000
			}
			e.fill(t, many)
			e.Git("config", "fetch.prune", "true")
			e.Git("config", "remote.origin.tagOpt", "--tags")
			e.Git("update-ref", "refs/ltm-remotes/origin/packets/gone", "HEAD")
			hook := filepath.Join(e.repo.CommonDir, "hooks", "reference-transaction")
			script := "#!/bin/sh\ntouch '" + e.remote + "/hook-ran'\nexit 1\n"
			if err := errors.Join(os.MkdirAll(filepath.Dir(hook), 0o700),
				os.WriteFile(hook, []byte(script), 0o700)); err != nil {
				t.Fatal(err)
			}
			before := strings.Fields(e.Git("for-each-ref", "--format=%(refname)"))
			var refspecs []string
			for i := range many {
				refspecs = append(refspecs,
					fmt.Sprintf("+refs/ltm/packets/%026d:refs/ltm-remotes/origin/packets/%026d", i, i))
			}
			if err := e.repo.FetchInto(t.Context(), "origin", refspecs); err != nil {
				t.Fatal(err)
			}
			after := strings.Fields(e.Git("for-each-ref", "--format=%(refname)"))
			if len(after) != len(before)+many {
				t.Errorf("%d refs, want %d more than %d", len(after), many, len(before))
			}
			name := fmt.Sprintf("refs/ltm-remotes/origin/packets/%026d", many-1)
			if got := e.Git("cat-file", "blob", name); got != fmt.Sprintf("packet %d", many-1) {
				t.Errorf("%s holds %q", name, got)
			}
			if !slices.Contains(after, "refs/ltm-remotes/origin/packets/gone") {
				t.Error("a ref that the remote does not hold was pruned")
			}
			if _, err := os.Lstat(filepath.Join(e.remote, "hook-ran")); err == nil {
				t.Error("a hook of the clone ran")
			}
			if _, err := os.Lstat(filepath.Join(e.repo.GitDir, "FETCH_HEAD")); err == nil {
				t.Error("FETCH_HEAD was written")
			}
		})
	}
}

// fill gives the remote so many packets, a tag and another ref.
func (e *exchange) fill(t *testing.T, many int) {
	t.Helper()
	var blobs, update strings.Builder
	for i := range many {
		text := fmt.Sprintf("packet %d", i)
		fmt.Fprintf(&blobs, "blob\nmark :%d\ndata %d\n%s\n", i+1, len(text), text)
	}
	marks := filepath.Join(t.TempDir(), "marks")
	e.Feed(blobs.String(), "--git-dir="+e.remote, "fast-import", "--quiet", "--export-marks="+marks)
	data, err := os.ReadFile(marks)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		var mark int
		var oid string
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &oid); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&update, "create refs/ltm/packets/%026d %s\n", mark-1, oid)
	}
	e.Feed(update.String(), "--git-dir="+e.remote, "update-ref", "--stdin")
	e.Git("push", "-q", e.remote, e.blobs[0]+":refs/tags/v1", e.blobs[1]+":refs/other/one")
}

// TestRepo_FetchInto_whole shows that a clone that leaves blobs out gets those of an archive.
func TestRepo_FetchInto_whole(t *testing.T) {
	t.Parallel()
	r := gittest.Repo(t, gittest.Partial)
	origin := filepath.Join(filepath.Dir(r.Dir), "origin")
	blob := r.Feed("archived\n", "-C", origin, "hash-object", "-w", "--stdin")
	tree := r.Feed("100644 blob "+blob+"\tone\n", "-C", origin, "mktree")
	r.Git("-C", origin, "update-ref", "refs/ltm/archive/aaaaaaaa",
		r.Git("-C", origin, "commit-tree", "-m", "x", tree))
	repo := opened(t, r.Dir, r.Env)
	if err := repo.FetchInto(t.Context(), "origin",
		[]string{"refs/ltm/archive/aaaaaaaa:refs/ltm-remotes/origin/archive/aaaaaaaa"}); err != nil {
		t.Fatal(err)
	}
	r.Git("remote", "set-url", "origin", "nowhere")
	if got := r.Git("cat-file", "blob", blob); got != "archived" {
		t.Errorf("the blob holds %q", got)
	}
	if got := r.Git("config", "remote.origin.partialclonefilter"); got != "blob:none" {
		t.Errorf("the filter of the clone is now %q", got)
	}
}

func TestRepo_FetchInto_errors(t *testing.T) {
	t.Parallel()
	e := newExchange(t, gittest.Plain)
	e.fill(t, 2)
	before := e.Git("for-each-ref")
	tests := []struct {
		name, remote string
		refspecs     []string
	}{
		{"a remote that is not there", "nowhere", []string{"refs/ltm/*:refs/ltm-remotes/nowhere/*"}},
		{"an option for a remote", "--upload-pack=x", []string{"refs/ltm/*:refs/ltm-remotes/nowhere/*"}},
		{"a ref that is not there", "origin", []string{"refs/ltm/none:refs/ltm-remotes/origin/none"}},
		{"two in one", "origin", []string{"refs/ltm/a:refs/x\nrefs/heads/main:refs/heads/main"}},
		{"an empty one", "origin", []string{""}},
	}
	for _, test := range tests {
		if err := e.repo.FetchInto(t.Context(), test.remote, test.refspecs); err == nil {
			t.Errorf("%s was fetched", test.name)
		}
	}
	if err := e.repo.FetchInto(t.Context(), "origin", nil); err != nil {
		t.Errorf("nothing to fetch: %v", err)
	}
	if diff := cmp.Diff(before, e.Git("for-each-ref")); diff != "" {
		t.Errorf("refs (-want +got):\n%s", diff)
	}
}

// TestRepo_LsRemote_hostile shows that odd names are passed over, and that no answer is not an empty one.
func TestRepo_LsRemote_hostile(t *testing.T) {
	t.Parallel()
	e := newExchange(t, gittest.Plain)
	oid := e.blobs[0]
	good := git.Ref{Name: "refs/ltm/packets/A", Object: oid, Peeled: e.blobs[1]}
	answer := []string{
		good.Name, good.Name + "^{}", "refs/ltm/esc\x1b[31m", "refs/ltm/line\n" + oid + "\trefs/heads/x",
		"refs/ltm/b c", "refs/heads/refs/ltm/tail", "refs/ltm/\x7f", "refs/ltm/\x01^{}", "refs/ltm/st*r",
	}
	var packets strings.Builder
	for i, name := range answer {
		object := oid
		if i == 1 {
			object = e.blobs[1]
		}
		line := object + " " + name
		if i == 0 {
			line += "\x00 agent=x"
		}
		fmt.Fprintf(&packets, "%04x%s\n", len(line)+5, line)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"answer": packets.String() + "0000",
		"serve":  "#!/bin/sh\ncat '" + dir + "/answer'\nexec cat >/dev/null\n",
		"silent": "#!/bin/sh\nexit 0\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	e.Git("config", "remote.origin.uploadpack", filepath.Join(dir, "serve"))
	got, err := e.repo.LsRemote(t.Context(), "origin", "refs/ltm/*")
	// A line break ends a name for git, and what follows is another name.
	if diff := cmp.Diff([]git.Ref{{Name: "refs/ltm/line", Object: oid}, good}, got); diff != "" ||
		err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	e.Git("config", "remote.origin.uploadpack", filepath.Join(dir, "silent"))
	if got, err := e.repo.LsRemote(t.Context(), "origin", "refs/ltm/*"); err == nil {
		t.Errorf("a server that says nothing: %v, want an error", got)
	}
	for _, remote := range []string{"nowhere", filepath.Join(dir, "none.git"), dir} {
		if got, err := e.repo.LsRemote(t.Context(), remote, "refs/ltm/*"); err == nil {
			t.Errorf("%q: %v, want an error", remote, got)
		}
	}
	e.Git("config", "--unset", "remote.origin.uploadpack")
	if got, err := e.repo.LsRemote(t.Context(), "origin", "refs/ltm/*"); len(got) > 0 || err != nil {
		t.Errorf("an empty remote: %v, %v", got, err)
	}
}
