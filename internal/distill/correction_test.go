package distill_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// talk is a session in which the person and the agent speak in turn; the person begins.
func talk(texts ...string) transcript.Session {
	var s transcript.Session
	for i, text := range texts {
		if i%2 == 0 {
			s.Prompts = append(s.Prompts, transcript.Said{Text: text, N: i + 1})
		} else {
			s.Words = append(s.Words, transcript.Word{Text: text, Changed: true, N: i + 1})
			s.Last, s.LastN = text, i+1
		}
	}
	return s
}

// TestFrom_corrections: what the person said against the agent, and the agent conceded at once, is an attempt
// where the agent had said what proved wrong, and else a decision. A long text is a task, and who agrees that
// there is a fault had not been wrong.
func TestFrom_corrections(t *testing.T) {
	t.Parallel()
	const begin = "Show the size of each tile in the sidebar"
	for name, c := range map[string]struct {
		said     []string
		attempts []string // what was tried, and what was learned
		decided  []string
	}{
		"a belief": {
			said: []string{
				begin, "The index has no sizes of tiles. I would have to measure every file.",
				"no, the index of tiles has sizes since version 3, see its second column",
				"You're right, my mistake. The second column of the index holds the size in bytes. Let me read it.",
			},
			attempts: []string{"The index has no sizes of tiles => The second column of the index holds the size in " +
				"bytes. (the person: no, the index of tiles has sizes since version 3, see its second column)"},
		},
		"nothing said before": {
			said: []string{
				begin, "Done.", "bytes mean nothing to people, are they not too long?",
				"Good point. Kilobytes with one digit fit the column.",
			},
			decided: []string{"Kilobytes with one digit fit the column. => the person: bytes mean nothing to people, " +
				"are they not too long?"},
		},
		"conceded, and no more": {said: []string{
			begin, "Done.", "the label is wrong there",
			"You're right. Here it is:",
		}},
		"not conceded": {said: []string{
			begin, "Done.", "the label is wrong there",
			"The label is that of the index.",
		}},
		"answered later": {said: []string{
			begin, "Done.", "the label is wrong there", "Let me see.", "and the title",
			"You're right. The label came from the old index.",
		}, decided: []string{"and the title => the agent agreed: The label came from the old index."}},
		"agreed in part": {said: []string{
			begin, "Done.", "would a tooltip not be nicer there?",
			"You raise a fair point. A tooltip hides the size from keyboards.",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := packetOf(t, distill.From(talk(c.said...), distill.Extra{}))
			var attempts, decided []string
			for _, a := range p.Attempts {
				attempts = append(attempts, a.Tried+" => "+a.Learned)
			}
			for _, d := range p.Decisions {
				decided = append(decided, d.What+" => "+d.Why)
			}
			if diff := cmp.Diff([2][]string{c.attempts, c.decided}, [2][]string{attempts, decided}); diff != "" {
				t.Errorf("attempts and decisions (-want +got):\n%s", diff)
			}
		})
	}
}

// TestFrom_secondThoughts: what the agent announced, and then found to be impossible, is an attempt, which is
// met by an edit that brings together what does not go together.
func TestFrom_secondThoughts(t *testing.T) {
	t.Parallel()
	s := talk("Show the size of each tile in the sidebar", "Now let me also draw the sizes with `drawText`.",
		"go on")
	s.Prompts = s.Prompts[:1]
	for i, text := range []string{
		"Let me look at the `sidebar` first.",
		"`drawText` takes no `boldFont`, which means the sizes **cannot** be drawn in bold. The `sidebar` can't scroll.",
		"Done.",
	} {
		s.Words = append(s.Words, transcript.Word{Text: text, N: 4 + i})
	}
	p := packetOf(t, distill.From(s, distill.Extra{}))
	if len(p.Attempts) != 1 || p.Attempts[0].Tried != "draw the sizes with `drawText`" ||
		p.Attempts[0].Learned != "`drawText` takes no `boldFont`, which means the sizes cannot be drawn in bold." {
		t.Fatalf("attempts = %+v", p.Attempts)
	}
	rule := deadend.Rule{Words: p.Attempts[0].Match.Words, Derived: true}
	for written, met := range map[string]bool{"drawText(size, boldFont)": true, "drawText(size)": false} {
		action := deadend.Action{Paths: []string{"sidebar.go"}, Added: written}
		if got := len(deadend.New([]deadend.Rule{rule}).Meet(action.Read())) > 0; got != met {
			t.Errorf("an edit that writes %q meets %q: %t, want %t", written, rule.Words, got, met)
		}
	}
}

// TestFrom_cameOf: a goal says what came of the requests, since they often name nothing: in the words with
// which the agent ended its turns, and not in those about how it was before.
func TestFrom_cameOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		said []string
		want string
	}{
		"the fault that is gone": {
			[]string{
				"is this right?",
				"## The Problem\n\nThe size was added twice.\n\n## The Fix\n\n- `size.go`: Removed the second sum",
			},
			"is this right? (done: `size.go`: Removed the second sum)",
		},
		"a table": {
			[]string{
				"do all of it please",
				"All green.\n\n| # | What | Where |\n|---|---|---|\n| 1 | **Sum** — added it once only | size.go |",
			},
			"do all of it please (done: Sum — added it once only)",
		},
		"it ended in talk": {
			[]string{
				"have a look at TASK-7.md", "I added the column of sizes.\n\nWant me to sort by it?",
				"what would that cost?", "Sorting takes one more pass over the index.",
			},
			"have a look at TASK-7.md (done: I added the column of sizes)",
		},
		"only talk": {
			[]string{"does the index sort by size?", "It sorts by name. Would you like it by size?"},
			"does the index sort by size? (it ended: It sorts by name.)",
		},
		"how it is now": {
			[]string{
				"can you answer the comment?",
				"The fix is on line 9.\n\nWhen the index is gone, the list now says so.",
			},
			"can you answer the comment? (done: When the index is gone, the list now says so)",
		},
		"nothing done": {
			[]string{"does the index sort by size?", "The sizes should be added first."},
			"does the index sort by size? (it ended: The sizes should be added first.)",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := packetOf(t, distill.From(talk(c.said...), distill.Extra{})).Goal; got != c.want {
				t.Errorf("goal = %q, want %q", got, c.want)
			}
		})
	}
}

// TestFrom_endedInTalk: the outcome of a session that ended in talk begins with what was done before.
func TestFrom_endedInTalk(t *testing.T) {
	t.Parallel()
	p := packetOf(t, distill.From(talk("Show the sizes", "I added the column of sizes.",
		"what would sorting cost?", "Sorting takes one more pass over the index."), distill.Extra{}))
	const want = "I added the column of sizes; Sorting takes one more pass over the index."
	if got := distill.Ended(p.Outcome, 200); got != want {
		t.Errorf("it ended %q, want %q", got, want)
	}
}

// TestFrom_editsFollowed: a request after which files were written is a next step where the session ended in
// the midst of it.
func TestFrom_editsFollowed(t *testing.T) {
	t.Parallel()
	s := transcript.Session{
		Prompts: []transcript.Said{{Text: "Show the sizes of tiles", N: 1}},
		WorkN:   2, EditN: 2, Edited: []string{"size.go"},
	}
	p := packetOf(t, distill.From(s, distill.Extra{}))
	const want = "See whether this is done, and finish it: Show the sizes of tiles"
	if p.NextStep != want || len(p.OpenQuestions) != 0 {
		t.Errorf("next step %q, want %q; open questions %q, want none", p.NextStep, want, p.OpenQuestions)
	}
}

// TestFrom_agreements: what the agent proposed as one of several ways is a decision where the person agreed
// in a word or two. What only lets it go on settles nothing.
func TestFrom_agreements(t *testing.T) {
	t.Parallel()
	const options = "1. **Count bytes** in the index\n2. **Count tiles** when they are drawn\n\n"
	for name, c := range map[string]struct{ proposed, said, want string }{
		"another way": {
			"The index could hold it. That would be simpler than a second pass. " +
				"Want me to put the sizes into the index instead?", "yes please",
			"put the sizes into the index instead => That would be simpler than a second pass. (the person: yes please)",
		},
		"a reason behind": {
			"Should I keep the sizes in the index rather than in a file? Then one pass is enough.", "do it",
			"keep the sizes in the index rather than in a file => the agent proposed it (the person: do it)",
		},
		"a numbered one": {
			options + "Option 2 is cleaner, since nothing is kept. Want me to make that change?", "yes",
			"Count tiles when they are drawn => Option 2 is cleaner, since nothing is kept. (the person: yes)",
		},
		"in other words": {
			"A better way is to keep the old sizes of tiles. Want me to mark the new ones in the list?",
			"yes, keep the old sizes",
			"A better way is to keep the old sizes of tiles. => the agent proposed it (the person: yes, keep the old sizes)",
		},
		"by its number": {
			"What shall it be:\n\n" + options + "Which of them do you want?", "2, but cached",
			"Count tiles when they are drawn => the person chose: 2, but cached",
		},
		"by its number, and why": {
			options + "Which of them do you want?",
			"2, because support needs the count in messages. Then write it down for everybody who asks about sizes.",
			"Count tiles when they are drawn => the person chose: 2, because support needs the count in messages.",
		},
		"no such number": {"I read 3 files and the index of tiles. Shall I go on?", "3 of them are old", ""},
		"only work":      {"All pass. Want me to commit and push the sizes of tiles?", "yes please", ""},
		"no question":    {"It is simpler with the index instead.", "ok", ""},
		"a long answer":  {"Want me to use the index instead?", "yes, but first tell me what it would cost us all", ""},
		"another answer": {"Want me to use the index of tiles instead?", "what would that cost?", ""},
	} {
		got := ""
		for _, d := range packetOf(t, distill.From(talk("Show the sizes", c.proposed, c.said, "I did that now."),
			distill.Extra{})).Decisions {
			got += d.What + " => " + d.Why
		}
		if got != c.want {
			t.Errorf("%s: decided %q, want %q", name, got, c.want)
		}
	}
}

// TestFrom_answers: what the person answers to a question that asks which way to go is a decision in their words.
func TestFrom_answers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		asked, answer string
		decides       bool
	}{
		{
			"I can add it to requirements.txt, or to the Dockerfile. Which do you prefer?",
			"requirements.txt please, we don't control the base image", true,
		},
		{"Should I use Redis or Postgres for sessions?", "Postgres", true},
		{"Should I use Redis or Postgres for sessions?", "neither, use signed cookies", true},
		{"Shall I delete the old table?", "no, keep it until March", true},
		{"I could cache it, or index it. What do you think?", "index it", true},
		{"Should the API return 404 or 410?", "410, and document it", true},
		{"CI is red. What does it say there?", "the tests of the border, on Windows", false},
		{"Shall I go on with it?", "the index first", false},
		{"Shall I go on with it?", "no", false},
	} {
		d := packetOf(t, distill.From(talk("Fix the dates of orders", c.asked, c.answer, "It is there now."),
			distill.Extra{})).Decisions
		if len(d) > 0 != c.decides || c.decides && d[0].What != c.answer {
			t.Errorf("%q, %q: decisions %+v, want one: %t", c.asked, c.answer, d, c.decides)
		}
	}
}

// TestFrom_refusedThenWhy: what the person types when they stopped the agent is a decision in their words, where it
// refuses.
func TestFrom_refusedThenWhy(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{
		"no, no pandas. I said no dependencies. What else is there?": true,
		"Now make the index smaller than one megabyte, please":       false,
	} {
		d := packetOf(t, distill.From(transcript.Session{
			Decisions: []transcript.Decision{{Kind: transcript.Rejected, Question: "Bash: pip install pandas", N: 2}},
			Prompts:   []transcript.Said{{Text: "Read the file faster", N: 1}, {Text: said, Corrects: true, N: 3}},
		}, distill.Extra{})).Decisions
		if got := len(d) == 1 && d[0].What == said; got != want {
			t.Errorf("%q: decided %+v, want it: %t", said, d, want)
		}
	}
}

// TestFrom_goalIsNoCorrection: where a question began the session, what the person corrected is not what it was
// for.
func TestFrom_goalIsNoCorrection(t *testing.T) {
	t.Parallel()
	const asked = "Where do we fill in the sizes of tiles?"
	d := distill.From(talk(asked, "Nobody fills in the sizes of tiles.", "the index fills in the sizes when it is "+
		"written, look again", "You're right, the index fills them in when it is written."), distill.Extra{})
	if got := packetOf(t, d).Goal; !strings.HasPrefix(got, asked) {
		t.Errorf("goal %q", got)
	}
}

// TestFrom_choices: what the agent chose against another way, and why, is a decision where it says so when it
// closes a turn.
func TestFrom_choices(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"I put the sizes into the index rather than into a file, because one pass is enough.": "I put the sizes into " +
			"the index rather than into a file => one pass is enough.",
		"I deliberately left the names alone since they are read elsewhere.": "I deliberately left the names alone " +
			"=> they are read elsewhere.",
		"I put the sizes into the index because you said so.":         "",
		"The index holds them rather than a file, because it is one.": "",
	} {
		got := ""
		for _, d := range packetOf(t, distill.From(talk("Show the sizes", "Done. "+said), distill.Extra{})).Decisions {
			got += d.What + " => " + d.Why
		}
		if got != want {
			t.Errorf("%q: decided %q, want %q", said, got, want)
		}
	}
}

// TestFrom_ownRejections: a way that the agent found to be no good while it worked is an attempt where it
// names another one at once, and one of both is a name of the code.
func TestFrom_ownRejections(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"Hmm, `drawText` for sums is clunky. Let me use `drawSum` instead.": "`drawText` for sums is clunky => " +
			"Let me use `drawSum` instead.",
		"A second `index` is overkill — a simpler way is to sort the list. Then it is done.": "A second `index` is " +
			"overkill => a simpler way is to sort the list.",
		"A second index is overkill. Let me sort the list instead.":  "",
		"`drawText` won't work with sums. Let me look at it.":        "",
		"I can't find `drawText` here. Let me use the list instead.": "",
	} {
		s := talk("Show the sizes", said, "")
		s.Prompts = s.Prompts[:1]
		s.Words = append(s.Words, transcript.Word{Text: "I added the sums.", N: 3})
		got := ""
		for _, a := range packetOf(t, distill.From(s, distill.Extra{})).Attempts {
			got += a.Tried + " => " + a.Learned
		}
		if got != want {
			t.Errorf("%q: tried %q, want %q", said, got, want)
		}
	}
}

// TestFrom_refused: the reason of a refusal that says something of the work is a decision in the person's words,
// and no attempt, which would hold others back.
func TestFrom_refused(t *testing.T) {
	t.Parallel()
	for reason, decides := range map[string]bool{
		"the full run takes an hour, no?": true, "hold on, I will let you know": false, "": false,
		"is that not the same as before?": false,
	} {
		s := talk("Make the benchmark faster")
		s.Decisions = []transcript.Decision{
			{Kind: transcript.Rejected, Question: "Bash: make bench", Text: reason, N: 2},
		}
		p := packetOf(t, distill.From(s, distill.Extra{}))
		want := packet.Decision{What: reason, Why: "said when refusing: Bash: make bench"}
		if len(p.Decisions) > 0 != decides || decides && p.Decisions[0] != want || len(p.Attempts) != 0 {
			t.Errorf("%q: decisions %+v, one: %t; attempts %v, want none", reason, p.Decisions, decides, p.Attempts)
		}
	}
}

// TestFrom_understood: what the person said when breaking the agent off is a correction where the agent says
// that it understood.
func TestFrom_understood(t *testing.T) {
	t.Parallel()
	s := talk("Show the size of each tile", "Let me ask the server.", "the index has the sizes, use that",
		"Got it! The second column of the index has them.")
	if d := packetOf(t, distill.From(s, distill.Extra{})).Decisions; len(d) != 0 {
		t.Errorf("decisions = %v, want none where the agent was not broken off", d)
	}
	s.Prompts[1].Corrects = true
	want := []packet.Decision{{
		What: "the index has the sizes, use that",
		Why:  "the agent agreed: The second column of the index has them.",
	}}
	if diff := cmp.Diff(want, packetOf(t, distill.From(s, distill.Extra{})).Decisions); diff != "" {
		t.Errorf("decisions (-want +got):\n%s", diff)
	}
}

// TestFrom_questionCorrects: a question that breaks the agent off corrects nothing, unless the agent agrees
// that it was wrong.
func TestFrom_questionCorrects(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]bool{
		"can you use the index for that?": false,
		"use the index for that":          true,
	} {
		s := talk("Show the size of each tile", "Let me ask the server.", said, "Reading the index now.")
		s.Prompts[1].Corrects = true
		summary := distill.From(s, distill.Extra{}).Summary
		if got := strings.Contains(summary, "The person corrected:\n- "+said); got != want {
			t.Errorf("%q corrects: %t, want %t in\n%s", said, got, want, summary)
		}
	}
}

// TestFrom_refusedEdit: what was tried where the person refused an edit, and the agent conceded, is what it
// had said of it. A sentence that the agent only says again is no attempt.
func TestFrom_refusedEdit(t *testing.T) {
	t.Parallel()
	const (
		believed  = "The expected size of the tile is wrong, since the index counts bytes."
		announced = "Let me take the expected size of the tile out of checkTiles, as the index counts bytes."
		conceded  = "The expected size of the tile in the test has to be that of the index."
	)
	for name, c := range map[string]struct{ said, then, tried string }{
		"a belief":    {believed, conceded, strings.TrimSuffix(believed, ".")},
		"announced":   {announced, conceded, strings.Trim(announced[len("Let me "):], ".")},
		"said again":  {believed, believed, ""},
		"other words": {"The list is long.", conceded, ""},
	} {
		s := talk("Show the size of each tile", c.said, "", "You're right, sorry. "+c.then)
		s.Prompts = s.Prompts[:1]
		s.Decisions = []transcript.Decision{{
			Kind: transcript.Rejected, Question: "Edit: tile_test.go", Text: "no, that is what the test expects", N: 3,
		}}
		got := ""
		for _, a := range packetOf(t, distill.From(s, distill.Extra{})).Attempts {
			got += a.Tried
		}
		if got != c.tried {
			t.Errorf("%s: tried %q, want %q", name, got, c.tried)
		}
	}
}
