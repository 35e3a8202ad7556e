package distill_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// TestFrom_lastCommand: where no words close a session, a commit at its end does; a commit or push whose end nobody
// saw comes next, and the request is then an open question: the work was being handed in.
func TestFrom_lastCommand(t *testing.T) {
	t.Parallel()
	const begun = "Begun, and nobody said how it went: Sort the tiles by their sizes"
	for name, c := range map[string]struct {
		commitN   int
		unseen    string
		todo      []transcript.Todo
		ended     string
		questions []string
	}{
		"a commit":         {4, "", nil, "Commits: Sizes It ended with a commit. ", nil},
		"written after it": {2, "", nil, "Commits: Sizes It ended in the midst of work. ", nil},
		"steps are left": {
			0, "",
			[]transcript.Todo{{Text: "the docs", Status: transcript.Pending}},
			"It ended in the midst of work. ",
			[]string{begun},
		},
		"not seen": {
			0, "git add . && git push -q && git log", nil,
			"It ended in the midst of work: git push was sent, its result was not seen.",
			[]string{begun},
		},
		"only named": {
			0, "cat > notes <<'EOF'\ngit push\nEOF", nil, "It ended in the midst of work. ", nil,
		},
	} {
		s := talk("Sort the tiles by their sizes", "The tests pass. Now let me finish it:")
		s.WorkN, s.EditN, s.TodosN = 3, 3, 3
		s.Unseen, s.Todos = c.unseen, c.todo
		if c.commitN > 0 {
			s.Commits = []transcript.Commit{{Subject: "Sizes", N: c.commitN}}
		}
		p := packetOf(t, distill.From(s, distill.Extra{}))
		if ended := strings.Join(strings.Fields(p.Outcome), " "); !strings.HasPrefix(ended, c.ended) {
			t.Errorf("%s: it ended %q, want %q", name, ended, c.ended)
		}
		if !slices.Equal(p.OpenQuestions, c.questions) {
			t.Errorf("%s: questions %q, want %q", name, p.OpenQuestions, c.questions)
		}
	}
}

// TestFrom_closing: what the last words of an agent leave open: a question or an offer at the end.
func TestFrom_closing(t *testing.T) {
	t.Parallel()
	const (
		asked   = "The agent asked, and nobody answered: "
		offered = "The agent offered, and nobody answered: "
	)
	for closing, want := range map[string][]string{
		"The plan is complete.\n\nReady to build?":   {asked + "Ready to build?"},
		"The plan is complete.\n\nShall I begin?":    {asked + "Shall I begin?"},
		"The plan is complete.\n\nWhat about tiles?": nil,
		"All pass. Ready to commit if you want these in.": {
			offered + "Ready to commit if you want these in.",
		},
		"All pass. Let me know if you'd like me to sort them.": {
			offered + "Let me know if you'd like me to sort them.",
		},
		"All pass. I can see the sizes.":          nil,
		"All pass. Let me know if you like them.": nil,
		"All pass, and it is ready to use.":       nil,
	} {
		got := packetOf(t, distill.From(talk("Show the sizes of tiles", closing), distill.Extra{})).OpenQuestions
		if !slices.Equal(got, want) {
			t.Errorf("%q leaves %q, want %q", closing, got, want)
		}
	}
}

// TestEnded_bare: headings that say nothing that was done, and pieces of code alone, are no part of how a
// session ended.
func TestEnded_bare(t *testing.T) {
	t.Parallel()
	for line, kept := range map[string]bool{
		"## How to show the sizes of tiles":    false,
		"**In the index of all tiles:**":       false,
		"| Sizes | `tiles --sizes all list` |": false,
		"## Fixed the sizes of the tiles":      true,
		"**Tiles** have one size each now":     true,
		"`tiles` and `sizes` print both sums":  true,
	} {
		outcome := "I added the column of sizes.\n\n" + line + "\n\nThe sum stands below it."
		got := distill.Ended(outcome, 300)
		if short := "I added the column of sizes. The sum stands below it."; (got != short) != kept {
			t.Errorf("%q is kept: %t, want %t in %q", line, !kept, kept, got)
		}
	}
}

// TestFrom_deeds: what a turn says that was done is of the agent where it changed something in that turn, or
// speaks of itself. A review that praises and a timeline that explains tell of others.
func TestFrom_deeds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		said    string
		changed bool
		ran     string
		want    string
	}{
		{"Added the column of sizes.", true, "", "Added the column of sizes"},
		{"Added the column of sizes.", false, "git checkout -b sizes", "Added the column of sizes"},
		{"Added the column of sizes.", false, "git log --stat", ""},
		{"Added the column of sizes.", false, "", ""},
		{"I added the column of sizes.", false, "", "I added the column of sizes"},
		{"Done. The column is removed.", false, "", "The column is removed"},
		{"- Clear comment in updated `tile.go`", true, "", ""},
		{"- Later removed by the second pass", true, "", ""},
		{"- It's created lazily by the second pass", true, "", ""},
		{"The list of tiles now shows:", true, "", ""},
		{"The list of tiles now shows sizes:", false, "", ""},
	} {
		s := talk("Show the sizes of tiles", c.said, "why not the sum of them?", "The index has no sums.")
		s.Words[0].Changed = c.changed
		if s.Words[1].Changed = false; c.ran != "" {
			s.Words[0].N, s.Prompts[1].N, s.Words[1].N, s.LastN = 3, 4, 5, 5
			s.Commands = []transcript.Command{{Text: c.ran, N: 2}}
		}
		goal := packetOf(t, distill.From(s, distill.Extra{})).Goal
		_, done, _ := strings.Cut(goal, "(done: ")
		if done = strings.TrimSuffix(done, ")"); done != c.want {
			t.Errorf("%q after %q: done %q, want %q", c.said, c.ran, done, c.want)
		}
	}
}

// TestFrom_lastWord: a word of the agent that only takes notice is not how it ended; what it said before is.
func TestFrom_lastWord(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"Understood.": "I added the column of sizes.",
		"The sum is next to it.": "Done earlier:\n- I added the column of sizes\n\n" +
			"The sum is next to it.",
	} {
		d := distill.From(talk("Show the sizes of tiles", "I added the column of sizes.",
			"good. next time, we should try to sort them", said), distill.Extra{})
		if got := packetOf(t, d).Outcome; got != want || strings.Contains(d.Summary, "Understood") {
			t.Errorf("%q: outcome %q, want %q; summary %q", said, got, want, d.Summary)
		}
	}
}

// TestFrom_followUps: the items below a heading of what comes next are the next step and open questions, at
// most five, also where the agent said them before its very last words. What was done after them, and a list
// below another heading, say nothing.
func TestFrom_followUps(t *testing.T) {
	t.Parallel()
	const steps = "The sizes are there.\n\n### Next Steps\n\n1. **Sort** the tiles\n2. Print sums:\n" +
		"   ```\n   - [ ] not this\n   ```\n   - nor this\n3. Drop the old index\n\n---\n"
	six := "Done.\n\nFollow-ups:\n- one\n- two\n- three\n- four\n- five\n- six"
	for name, c := range map[string]struct {
		said   []string
		editN  int
		next   string
		others []string
	}{
		"at the end": {
			[]string{"Show the sizes", steps}, 0, "Sort the tiles", []string{"Print sums", "Drop the old index"},
		},
		"before the last words": {
			[]string{"Show the sizes", steps, "", "The review is complete."},
			0,
			"Sort the tiles",
			[]string{"Print sums", "Drop the old index"},
		},
		"written after": {[]string{"Show the sizes", steps, "", "The review is complete."}, 3, "none", nil},
		"asked after":   {[]string{"Show the sizes", steps, "why?", "Bytes are small."}, 0, "none", nil},
		"too many":      {[]string{"Show the sizes", six}, 0, "one", []string{"two", "three", "four", "five"}},
		"another list":  {[]string{"Show the sizes", "## Changes\n- Sizes\n- Sums of tiles"}, 0, "none", nil},
		"nothing":       {[]string{"Show the sizes", "Done here.\n\n## Next steps\n- None"}, 0, "none", nil},
		"a paragraph ends it": {
			[]string{"Show the sizes", "## Remaining\n- Sums\n- Sorting\n\nI tested:\n- Sizes"},
			0,
			"Sums",
			[]string{"Sorting"},
		},
	} {
		s := talk(c.said...)
		s.Prompts = slices.DeleteFunc(s.Prompts, func(p transcript.Said) bool { return p.Text == "" })
		s.EditN = c.editN
		p := packetOf(t, distill.From(s, distill.Extra{}))
		var others []string
		for _, q := range p.OpenQuestions {
			others = append(others, strings.TrimPrefix(q, "Still to do: "))
		}
		if plainStep(p) != c.next || !slices.Equal(others, c.others) {
			t.Errorf("%s: next %q, then %q; want %q, %q", name, p.NextStep, others, c.next, c.others)
		}
	}
}

// TestFrom_putOff: what the person put off is the next step, with what the agent had asked of it, and an open
// question beside another next step. What they came back to is neither.
func TestFrom_putOff(t *testing.T) {
	t.Parallel()
	const asked = "Sorting the tiles needs a new index. Want me to add the index of tiles now?"
	for name, c := range map[string]struct {
		said        []string
		next, other string
	}{
		"for now": {
			[]string{"leave that for now, print the sums", "I added the sums of tiles."},
			"leave that for now, print the sums (after: add the index of tiles now?)", "",
		},
		"not now": {
			[]string{"hold off", "Holding off, nothing was changed in the index."},
			"hold off (after: add the index of tiles now?)", "",
		},
		"beside another step": {
			[]string{"do that later", "Done. Next: print the sums."},
			"print the sums.", "do that later (after: add the index of tiles now?)",
		},
		"come back to": {
			[]string{"do that later", "I see.", "now add the index of tiles for it", "I added it all now."},
			"none", "",
		},
		"no time": {[]string{"it is a list for now", "The list is there."}, "none", ""},
		"a word of the code": {
			[]string{"use defer to close the index for another agent", "The list is there."}, "none", "",
		},
		"an order": {
			[]string{"print the sums later than the sizes", "The list is there."}, "none", "",
		},
	} {
		p := packetOf(t, distill.From(talk(append([]string{"Show the sizes", asked}, c.said...)...),
			distill.Extra{}))
		if next := strings.TrimPrefix(plainStep(p), "The person put it off: "); next != c.next {
			t.Errorf("%s: next %q, want %q", name, next, c.next)
		}
		if got := strings.Join(p.OpenQuestions, "|"); got != "" != (c.other != "") ||
			!strings.HasSuffix(got, c.other) {
			t.Errorf("%s: questions %q, want %q", name, got, c.other)
		}
	}
}

// TestFrom_plannedLast: a session that ended with a plan leaves it as the next step; one that was put aside
// without a word, another session may have begun.
func TestFrom_plannedLast(t *testing.T) {
	t.Parallel()
	const plan = "# Move the cache to SQLite\n\n1. Add a table"
	for name, c := range map[string]struct {
		kind  transcript.DecisionKind
		editN int
		after string
		want  string
	}{
		"approved":     {transcript.Approved, 2, "", "Carry out the plan: Move the cache to SQLite"},
		"carried out":  {transcript.Approved, 4, "", "none"},
		"another wish": {transcript.Approved, 2, "what does it cost?", "none"},
		"refused":      {transcript.Rejected, 2, "", "none"},
		"without a word": {
			transcript.Unknown, 2, "", "Carry out this plan, unless another session has: Move the cache to SQLite",
		},
	} {
		s := talk("Plan the cache in a database", "I read it all and wrote a plan.")
		s.Decisions = []transcript.Decision{{Kind: c.kind, Question: plan, N: 3}}
		s.EditN = c.editN
		if c.after != "" {
			s.Prompts = append(s.Prompts, transcript.Said{Text: c.after, N: 5})
		}
		if got := plainStep(packetOf(t, distill.From(s, distill.Extra{}))); got != c.want {
			t.Errorf("%s: next %q, want %q", name, got, c.want)
		}
	}
}

// TestFrom_restOfList: where the person took one thing of a list first, and asked for nothing else since, the
// rest of it is left.
func TestFrom_restOfList(t *testing.T) {
	t.Parallel()
	const list = "These can be better:\n\n1. **Sort** the tiles by size\n2. Print the sum of widths\n" +
		"3. Drop the old index"
	const done = "I sorted the tiles by their size."
	for name, c := range map[string]struct {
		said []string
		want string
	}{
		"one first": {
			[]string{"let's first sort the tiles", done},
			"The person began with one thing (let's first sort the tiles). Left of what was listed: " +
				"Print the sum of widths; Drop the old index",
		},
		"and another": {[]string{"let's first sort the tiles", done, "now print the sum", "Printed it."}, "none"},
		"all of it":   {[]string{"do all of it please", done}, "none"},
		"not done yet": {
			[]string{"let's first sort the tiles", ""}, "The person said last: let's first sort the tiles",
		},
	} {
		s := talk(append([]string{"Look at the tiles", list}, c.said...)...)
		got := plainStep(packetOf(t, distill.From(s, distill.Extra{})))
		if got != c.want {
			t.Errorf("%s: next %q, want %q", name, got, c.want)
		}
	}
}

// TestFrom_replacedCommits: no text names a commit that another one took the place of, and one that was made
// anew is told once.
func TestFrom_replacedCommits(t *testing.T) {
	t.Parallel()
	s := talk("Show the sizes", "Done. Committed as `abc1234`, and the sums in 0badca5.")
	s.Commits = []transcript.Commit{
		{ID: "abc1234", Subject: "Show sizes", Replaced: true},
		{ID: "0badca5", Subject: "Print sums"},
		{ID: "abc5678", Replaced: true},
		{ID: "def4567", Subject: "Show sizes"},
	}
	d := distill.From(s, distill.Extra{})
	const want = "Commits: 0badca5 Print sums; def4567 Show sizes\n\nDone. Committed, and the sums in 0badca5."
	if got := packetOf(t, d).Outcome; got != want || strings.Contains(d.Summary, "abc1234") {
		t.Errorf("outcome %q, want %q; summary %q", got, want, d.Summary)
	}
}

// TestFrom_stillFailing: the check that a session left red is how it ended, and the next step where nothing
// else is; one that passed since, or that ran before the last edit, is neither.
func TestFrom_stillFailing(t *testing.T) {
	t.Parallel()
	at := func(n int, c transcript.Command) transcript.Command { c.N = n; return c }
	red := ran("pytest -q -k border", 1, "E  assert 3 == 2\nFAILED test_border")
	for name, c := range map[string]struct {
		s    transcript.Session
		want bool
	}{
		"red at the end": {transcript.Session{
			Commands: []transcript.Command{at(2, red), at(4, passed("python bench.py"))},
		}, true},
		"green since": {transcript.Session{
			Commands: []transcript.Command{at(2, red), at(3, passed("pytest -q"))},
		}, false},
		"edited since":    {transcript.Session{Commands: []transcript.Command{at(2, red)}, EditN: 3}, false},
		"somebody ended":  {transcript.Session{Commands: []transcript.Command{ran("pytest -q", 130, "")}}, false},
		"no tests at all": {transcript.Session{Commands: []transcript.Command{ran("./deploy", 1, "error: x")}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.s.Prompts, c.s.Last, c.s.LastN = said("Read quoted newlines"), "The border is at fault.", 5
			p := packetOf(t, distill.From(c.s, distill.Extra{}))
			const what = "`pytest -q -k border`: E assert 3 == 2; FAILED test_border"
			if got := strings.HasPrefix(p.Outcome, "Still failed at the end: "+what+".\n\nThe border"); got != c.want {
				t.Errorf("outcome %q", p.Outcome)
			}
			if got := p.NextStep == "See why this fails: "+what; got != c.want {
				t.Errorf("next step %q", p.NextStep)
			}
		})
	}
}
