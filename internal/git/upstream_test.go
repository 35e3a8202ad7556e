package git_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// The upstream that is told without a process is the one that git names.
func TestRepo_PlainUpstream(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name    string
		prepare func(r *gittest.Repository)
		sure    bool
	}{
		{"as cloned", func(*gittest.Repository) {}, true},
		{"of another name", func(r *gittest.Repository) {
			r.Git("config", "branch.main.merge", "refs/heads/topic")
		}, true},
		{"no upstream", func(r *gittest.Repository) {
			r.Git("config", "--unset", "branch.main.merge")
		}, false},
		{"of this clone", func(r *gittest.Repository) { r.Git("config", "branch.main.remote", ".") }, false},
		{"another branch in capitals", func(r *gittest.Repository) {
			r.Git("config", "branch.MAIN.merge", "refs/heads/topic")
		}, true},
		{"fetched elsewhere", func(r *gittest.Repository) {
			r.Git("config", "remote.origin.fetch", "+refs/heads/*:refs/elsewhere/*")
		}, false},
		{"quoted", func(r *gittest.Repository) {
			r.Git("config", "branch.main.merge", "refs/heads/a#b")
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			r.Git("branch", "-M", "main")
			r.Git("config", "remote.origin.url", "/nowhere")
			r.Git("config", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*")
			r.Git("config", "branch.main.remote", "origin")
			r.Git("config", "branch.main.merge", "refs/heads/main")
			for _, name := range []string{"main", "topic"} {
				r.Git("update-ref", "refs/remotes/origin/"+name, "HEAD")
			}
			c.prepare(r)
			repo, err := git.Open(t.Context(), r.Dir, r.Env)
			if err != nil {
				t.Fatal(err)
			}
			got, sure := repo.Settings().PlainUpstream("main")
			if sure != c.sure {
				t.Fatalf("sure: %t, want %t (%q)", sure, c.sure, got)
			}
			if want := r.Git("for-each-ref", "--format=%(upstream)", "refs/heads/main"); sure && got != want {
				t.Errorf("%q, git says %q", got, want)
			}
		})
	}
}
