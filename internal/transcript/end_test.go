package transcript_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// TestRead_end: what git said of the last command of all is told, and a last command whose end is not there.
func TestRead_end(t *testing.T) {
	t.Parallel()
	const made = "[sizes 4f5a6b7] Show the size of tiles\n 1 file changed"
	commit := ran("1", "Bash", `{"command":"git commit -m sizes"}`, false, made)
	rebase := func(failed bool, answer string) string {
		return ran("2", "Bash", `{"command":"git rebase --continue 2>&1"}`, failed, answer)
	}
	const picked = "[detached HEAD 4f5a6b7] Show the size of tiles\n"
	for name, test := range map[string]struct{ text, settled, unseen string }{
		"a commit":        {commit, "[sizes 4f5a6b7] Show the size of tiles", ""},
		"words after it":  {commit + spoke, "[sizes 4f5a6b7] Show the size of tiles", ""},
		"a prompt":        {commit + typed(t, "and the docs"), "", ""},
		"another command": {commit + ran("3", "Bash", `{"command":"make"}`, false, "ok"), "", ""},
		"a failed one":    {commit + rebase(true, made), "", ""},
		"one of a rebase": {rebase(false, picked), "", ""},
		"a conflict":      {rebase(false, made+"\nCONFLICT (content): Merge conflict in a.go"), "", ""},
		"a rebase": {
			rebase(false, picked+"Successfully rebased and updated refs/heads/sizes."),
			"Successfully rebased and updated refs/heads/sizes.", "",
		},
		"only printed":     {ran("3", "Bash", `{"command":"cat log"}`, false, made), "", ""},
		"no answer":        {strings.SplitAfter(commit, "\n")[0], "", "git commit -m sizes"},
		"answer elsewhere": {strings.SplitAfter(commit, "\n")[0] + rebase(false, "ok"), "", ""},
	} {
		s := read(t, []byte(test.text), transcript.ClaudeCode)
		if s.Settled != test.settled || s.Unseen != test.unseen {
			t.Errorf("%s: settled %q, unseen %q; want %q, %q", name, s.Settled, s.Unseen, test.settled, test.unseen)
		}
	}
}

// TestRead_changed: words tell whether a file was written or a commit made since the last prompt.
func TestRead_changed(t *testing.T) {
	t.Parallel()
	write := ran("1", "Write", `{"file_path":"tile.go"}`, false, "ok")
	commit := ran("2", "Bash", `{"command":"git commit -m sizes"}`, false, "[sizes 4f5a6b7] Sizes")
	for text, want := range map[string]bool{
		spoke:                            false,
		write + spoke:                    true,
		commit + spoke:                   true,
		write + typed(t, "why?") + spoke: false,
		typed(t, "why?") + write + spoke: true,
		ran("3", "Bash", `{"command":"git log"}`, false, "[sizes 4f5a6b7] Sizes") + spoke: false,
	} {
		s := read(t, []byte(text), transcript.ClaudeCode)
		if got := s.Words[len(s.Words)-1].Changed; got != want {
			t.Errorf("changed %t, want %t after\n%s", got, want, text)
		}
	}
}
