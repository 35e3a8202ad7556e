package distill

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// A condensed session is what a model needs of it, in order: what the person said, refused and chose; what
// the agent said between its calls; its commits and what failed; and, where there is room, plans and
// summaries. What files hold, what calls printed and what they were in detail is left out: measured, hardly
// anything stands there alone.

// The bounds of a condensed session, in bytes of its texts. What the person and the agent said has room to
// the second, all else to the first.
const (
	usualCondensed = 30 << 10
	mostCondensed  = 60 << 10
)

// The most that is kept of one text, in characters.
const (
	mostSaidByPerson = 3000
	mostReasonGiven  = 600
	mostBetween      = 700  // of the agent, between calls
	mostBefore       = 2500 // of the agent, before a prompt and at the end
	mostSummed       = 6000
	mostPlanned      = 2000
	mostFailed       = 250
	leastSaid        = 60 // to which texts are shortened before whole ones go
	mostNamed        = 40
)

// tier says what gives way first: the highest.
type tier int

const (
	tierPerson tier = iota
	tierAgent
	tierWork
	tierRest
)

// step is one thing of a condensed session.
type step struct {
	Who  string `json:"who"`
	Text string `json:"text"`

	tier tier
	n    int
}

// told is the JSON shape of what a model is told.
type told struct {
	Session []step   `json:"session"`
	Edited  []string `json:"edited_files,omitempty"`
	Open    []string `json:"open_steps,omitempty"`
	Draft   document `json:"draft"`
}

// stepsOf are the steps of a session, in order.
func stepsOf(s transcript.Session, x Extra) []step {
	var all []step
	add := func(n int, t tier, who, text string, most int) {
		if text = cutMiddle(clean.Text(transcript.Told(text)), most); text != "" {
			all = append(all, step{Who: who, Text: text, tier: t, n: n})
		}
	}
	for _, p := range s.Prompts {
		who := "person"
		if corrects(p) {
			who = "person, correcting"
		}
		add(p.N, tierPerson, who, p.Text, mostSaidByPerson)
	}
	for _, d := range s.Decisions {
		subject := cutMiddle(clean.Line(d.Question), mostBetween)
		switch d.Kind {
		case transcript.Rejected:
			add(d.N, tierPerson, "person, refusing "+subject, cmp.Or(d.Text, "no reason given"),
				mostReasonGiven)
		case transcript.Answered:
			add(d.N, tierPerson, "person, asked "+subject, d.Text, mostReasonGiven)
		case transcript.Approved:
			add(d.N, tierRest, "plan that the person approved", d.Question, mostPlanned)
		case transcript.Unknown:
			add(d.N, tierRest, "plan, undecided", d.Question, mostPlanned)
		}
	}
	for i, w := range s.Words {
		switch {
		case w.Summary:
			add(w.N, tierRest, "summary by the client, stale after this point", w.Text, mostSummed)
		case closesTurn(s, i):
			add(w.N, tierAgent, "agent", w.Text, mostBefore)
		default:
			add(w.N, tierAgent, "agent", w.Text, mostBetween)
		}
	}
	for _, c := range s.Commits {
		add(c.N, tierWork, "commit", c.ID+" "+c.Subject, mostFailed)
	}
	for _, c := range slices.Concat(s.Commands, unseenFailures(s, x)) {
		if c.Failed && !isOwn(c.Text) && !wasEnded(c) {
			add(c.N, tierWork, "failed", cutLine(plainCommand(c.Text),
				mostSubject)+": "+tellingLines(c.Output),
				mostSubject+mostFailed)
		}
	}
	slices.SortStableFunc(all, func(a, b step) int { return cmp.Compare(a.n, b.n) })
	return all
}

// fitSteps leaves steps out, the oldest of the highest tier first, and then shortens what the agent and at
// last what the person said, until they fit their bounds.
func fitSteps(all []step) []step {
	size := 0
	for _, s := range all {
		size += len(s.Who) + len(s.Text)
	}
	for _, t := range []tier{tierRest, tierWork} {
		all = slices.DeleteFunc(all, func(s step) bool {
			over := s.tier == t && size > usualCondensed
			if over {
				size -= len(s.Who) + len(s.Text)
			}
			return over
		})
	}
	for _, t := range []tier{tierAgent, tierPerson} {
		for most := mostBefore; size > mostCondensed && most >= leastSaid; most /= 2 {
			for i := range all {
				if all[i].tier == t {
					size -= len(all[i].Text)
					all[i].Text = cutMiddle(all[i].Text, most)
					size += len(all[i].Text)
				}
			}
		}
	}
	for ; size > mostCondensed; all = all[1:] {
		size -= len(all[0].Who) + len(all[0].Text)
	}
	return all
}

// cutMiddle returns a text cut to a number of characters: a third of it is its head, and the rest its tail,
// where more stands.
func cutMiddle(text string, most int) string {
	size := utf8.RuneCountInString(text)
	if size <= most {
		return text
	}
	runes, head := []rune(text), most*35/100
	return strings.TrimSpace(string(runes[:head])) + " […] " +
		strings.TrimSpace(string(runes[size-(most-head):]))
}

// refusedActions names the commands and plans that the person refused and that were not done later, for
// whoever checks what a model says.
func refusedActions(s transcript.Session) []string {
	var all []string
	for _, d := range s.Decisions {
		what := planTitle(d.Question)
		if d.Kind == transcript.Rejected {
			_, what, _ = strings.Cut(clean.Line(d.Question), ": ")
		}
		done := slices.ContainsFunc(s.Commands, func(c transcript.Command) bool {
			return c.N > d.N && !c.Failed && commandKey(c.Text) == commandKey(what)
		}) ||
			slices.ContainsFunc(s.Edited, func(p string) bool { return strings.HasSuffix(what, p) })
		if (d.Kind == transcript.Rejected || d.Kind == transcript.Unknown) && !done &&
			utf8.RuneCountInString(what) >= leastRefused {
			all = append(all, cutLine(plainCommand(what), mostCommand))
		}
	}
	return all
}

// leastRefused is how many characters name what was refused, so that it is not found by chance.
const leastRefused = 8
