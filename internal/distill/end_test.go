package distill_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// TestFrom_lastCommand: where no words close a session, what git said of its last command does; a commit or
// push whose end nobody saw is an open question.
func TestFrom_lastCommand(t *testing.T) {
	t.Parallel()
	const (
		begun  = "Begun, and nobody said how it went: Sort the tiles by their sizes"
		asked  = "Did git push succeed? It was sent last, and its result was not seen."
		rebase = "Successfully rebased and updated refs/heads/sizes."
	)
	for name, c := range map[string]struct {
		settled, unseen string
		todo            []transcript.Todo
		ended           string
		questions       []string
	}{
		"settled": {rebase, "", nil, "Its last command succeeded: " + rebase, nil},
		"steps are left": {
			rebase, "",
			[]transcript.Todo{{Text: "the docs", Status: transcript.Pending}},
			"It ended in the midst of work. ",
			[]string{begun},
		},
		"not seen": {
			"", "git add . && git push -q && git log", nil,
			"It ended in the midst of work: git push was sent, its result was not seen.",
			[]string{begun, asked},
		},
		"only named": {
			"", "cat > notes <<'EOF'\ngit push\nEOF", nil, "It ended in the midst of work. ", []string{begun},
		},
	} {
		s := talk("Sort the tiles by their sizes", "The tests pass. Now let me finish it:")
		s.WorkN, s.EditN, s.TodosN = 3, 3, 3
		s.Settled, s.Unseen, s.Todos = c.settled, c.unseen, c.todo
		p := packetOf(t, distill.From(s, distill.Extra{}))
		if ended := strings.Join(strings.Fields(p.Outcome), " "); !strings.HasPrefix(ended, c.ended) {
			t.Errorf("%s: it ended %q, want %q", name, ended, c.ended)
		}
		if !slices.Equal(p.OpenQuestions, c.questions) {
			t.Errorf("%s: questions %q, want %q", name, p.OpenQuestions, c.questions)
		}
	}
}
