package git_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/git/gittest"
)

// Whoever works after a hook finds the same repository, and nobody can be asked.
func TestUnattended(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, config string
		env, want    []string
	}{
		{
			"nothing set", "", nil,
			[]string{
				"GIT_SSH_COMMAND=ssh -o BatchMode=yes -o 'PubkeyAcceptedKeyTypes=-sk-*'",
				"GIT_ASKPASS=",
			},
		},
		{
			"a command of ssh", "",
			[]string{"GIT_SSH_COMMAND=/usr/bin/ssh -i key"},
			[]string{"GIT_SSH_COMMAND=/usr/bin/ssh -i key -o BatchMode=yes -o 'PubkeyAcceptedKeyTypes=-sk-*'"},
		},
		{
			"the command of the configuration", "ssh -4", nil,
			[]string{"GIT_SSH_COMMAND=ssh -4 -o BatchMode=yes -o 'PubkeyAcceptedKeyTypes=-sk-*'"},
		},
		{
			"the variable before it", "ssh -4",
			[]string{"GIT_SSH_COMMAND=ssh -6"},
			[]string{"GIT_SSH_COMMAND=ssh -6 -o BatchMode=yes -o 'PubkeyAcceptedKeyTypes=-sk-*'"},
		},
		{"another program", "plink -batch", nil, []string{"GIT_SSH_COMMAND="}},
		{
			"another program by variable", "",
			[]string{"GIT_SSH=plink"},
			[]string{"GIT_SSH=plink", "GIT_SSH_COMMAND="},
		},
		{"a program for passwords", "", []string{"GIT_ASKPASS=/bin/answer"}, []string{"GIT_ASKPASS="}},
		{
			"what git sets for hooks", "",
			[]string{"GIT_INDEX_FILE=x", "GIT_PREFIX=deep/"},
			[]string{"GIT_INDEX_FILE=", "GIT_PREFIX="},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r := gittest.Repo(t, gittest.Plain)
			if test.config != "" {
				r.Git("config", "core.sshCommand", test.config)
			}
			repo := opened(t, r.Dir, slices.Concat(r.Env, test.env))
			config, err := repo.Config(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			env := git.Unattended(repo.EnvOutside(), config)
			for _, want := range append(test.want, "GIT_TERMINAL_PROMPT=0", "SSH_ASKPASS_REQUIRE=never",
				"GIT_DIR="+repo.GitDir, "GIT_WORK_TREE="+repo.WorkTree) {
				name, value, _ := strings.Cut(want, "=")
				if got := last(env, name); got != value {
					t.Errorf("%s is %q, want %q", name, got, value)
				}
			}
		})
	}
}

// last is the value of a variable as a process would see it.
func last(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}
