package transcript_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

func TestSessionPath(t *testing.T) {
	t.Parallel()
	s := newShelves(t)
	s.write(".copilot/session-state/one/events.jsonl", "{}")
	s.write(".copilot/outside/events.jsonl", "{}")
	s.write("moved/session-state/two/events.jsonl", "{}")
	s.mkdir(s.abs(".copilot/session-state/folder/events.jsonl"))
	if err := os.Symlink(s.abs(".copilot/outside"), s.abs(".copilot/session-state/link")); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	none := func(string) (string, bool) { return "", false }
	moved := func(name string) (string, bool) { return s.abs("moved"), name == "COPILOT_HOME" }
	for _, test := range []struct {
		format  transcript.Format
		getenv  func(string) (string, bool)
		session string
		want    string
	}{
		{transcript.Copilot, none, "one", ".copilot/session-state/one/events.jsonl"},
		{transcript.Copilot, moved, "two", "moved/session-state/two/events.jsonl"},
		{transcript.Copilot, moved, "one", ""},
		{transcript.Copilot, none, "gone", ""},
		{transcript.Copilot, none, "", ""},
		{transcript.Copilot, none, ".", ""},
		{transcript.Copilot, none, "..", ""},
		{transcript.Copilot, none, "../outside", ""},
		{transcript.Copilot, none, "link", ""},
		{transcript.Copilot, none, "folder", ""},
		{transcript.ClaudeCode, none, "one", ""},
	} {
		want := test.want
		if want != "" {
			want = filepath.Clean(s.abs(want))
		}
		if got := transcript.SessionPath(s.home, test.getenv, test.format, test.session); got != want {
			t.Errorf("SessionPath(%s, %q) = %q, want %q", test.format, test.session, got, want)
		}
	}
}
