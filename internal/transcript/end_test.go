package transcript_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// TestRead_end: a last command of all whose end is not there is told.
func TestRead_end(t *testing.T) {
	t.Parallel()
	commit := ran("1", "Bash", `{"command":"git commit -m sizes"}`, false, "[sizes 4f5a6b7] Show the size of tiles")
	asked := strings.SplitAfter(commit, "\n")[0]
	for name, test := range map[string]struct{ text, unseen string }{
		"an answer":        {commit, ""},
		"no answer":        {asked, "git commit -m sizes"},
		"answer elsewhere": {asked + ran("2", "Bash", `{"command":"git rebase --continue"}`, false, "ok"), ""},
		"a prompt":         {asked + typed(t, "and the docs"), ""},
	} {
		if s := read(t, []byte(test.text), transcript.ClaudeCode); s.Unseen != test.unseen {
			t.Errorf("%s: unseen %q, want %q", name, s.Unseen, test.unseen)
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
