package git_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// The addresses that the configuration says are those that git says, and so are those that are read without a
// process.
func TestConfig_Addresses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string // pairs of a key and a value
		sure  bool
	}{
		"as cloned": {[]string{}, true},
		"a push elsewhere": {
			[]string{"remote.origin.pushurl", "b:two", "remote.origin.pushurl", "c:three"},
			true,
		},
		"two addresses": {[]string{"remote.origin.url", "b:two"}, true},
		"rewritten": {[]string{
			"url.https://h.example/.insteadOf", "a:",
			"url.https://longer.example/.insteadOf", "a:o",
		}, true},
		"equally long": {
			[]string{"url.https://one/.insteadOf", "a:", "url.https://two/.insteadOf", "a:"},
			true,
		},
		"for a push": {[]string{"url.https://h.example/.pushInsteadOf", "a:"}, true},
		"for a push of one of two": {[]string{
			"remote.origin.url", "b:two", "url.https://h.example/.pushInsteadOf", "a:",
			"url.https://i.example/.insteadOf", "a:",
		}, true},
		"for a push that has an address": {[]string{
			"remote.origin.pushurl", "a:push",
			"url.https://h.example/.pushInsteadOf", "a:",
		}, true},
		"a push that is rewritten": {[]string{
			"remote.origin.pushurl", "a:push",
			"url.https://h.example/.insteadOf", "a:",
		}, true},
		"the case of a name": {[]string{"remote.ORIGIN.url", "b:two"}, true},
		"what else stands there": {[]string{
			"remote.pushDefault", "b", "remotes.all", "origin",
			"user.name", `a "b" \ c`,
		}, true},
		"the address of another kind of thing": {[]string{"submodule.lib.url", "b:two"}, true},
		"quoted":                               {[]string{"remote.origin.pushurl", "a#b"}, false},
		"a quote in a name":                    {[]string{`url.a"b.insteadOf`, "a:"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			r.Git("config", "remote.origin.url", "a:one")
			for line := range slices.Chunk(c.lines, 2) {
				r.Git("config", "--add", line[0], line[1])
			}
			repo, err := git.Open(t.Context(), r.Dir, r.Env)
			must(t, err)
			config, err := repo.Config(t.Context())
			must(t, err)
			plain, sure := repo.Settings().PlainAddresses()
			if sure != c.sure {
				t.Errorf("sure: %t, want %t", sure, c.sure)
			}
			for what, config := range map[string]git.Config{"configuration": config, "files": plain} {
				if what == "files" && !sure {
					continue
				}
				fetch, push := config.Addresses("origin")
				if want := r.Git("remote", "get-url", "origin"); fetch != want {
					t.Errorf("%s: fetch from %q, git says %q", what, fetch, want)
				}
				if want := strings.Split(r.Git("remote", "get-url", "--push", "--all", "origin"),
					"\n"); !slices.Equal(push, want) {
					t.Errorf("%s: push to %q, git says %q", what, push, want)
				}
			}
		})
	}
}

// Where files of the configuration do not say it all, nothing is sure.
func TestRepo_PlainAddresses_unsure(t *testing.T) {
	t.Parallel()
	for name, prepare := range map[string]func(r *gittest.Repository) []string{
		"another file": func(r *gittest.Repository) []string {
			r.Git("config", "include.path", "own")
			return nil
		},
		"a work tree": func(r *gittest.Repository) []string {
			r.Git("config", "extensions.worktreeConfig", "true")
			r.Git("config", "--worktree", "remote.origin.url", "b")
			return nil
		},
		"one call": func(*gittest.Repository) []string {
			return []string{"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url.b.insteadOf", "GIT_CONFIG_VALUE_0=a"}
		},
	} {
		r := gittest.Repo(t, gittest.Plain)
		repo, err := git.Open(t.Context(), r.Dir, slices.Concat(r.Env, prepare(r)))
		must(t, err)
		if _, sure := repo.Settings().PlainAddresses(); sure {
			t.Errorf("%s: sure", name)
		}
	}
}
