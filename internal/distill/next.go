package distill

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/transcript"
	"github.com/git-ltm/git-ltm/internal/words"
)

// stillFailed stands before the check that a session left red.
const stillFailed = "Still failed at the end: "

// mostLeft is how many things that were left over become open questions.
const mostLeft = 6

// left is something that was left over: how it reads as the next step and as an open question. Without one of
// them it is none.
type left struct{ next, question, origin string }

// leftAs are some things that were left over, each behind the words that say what it is.
func leftAs(origin, next, question string, texts ...string) []left {
	var all []left
	for _, text := range texts {
		if text != "" {
			all = append(all, left{next + text, question + text, origin})
		}
	}
	return all
}

// addNext says what comes next, where something plainly says so: what the person said for another day, or
// last, the agent's own list, its last words, a summary that no work followed, what the person put off, a
// call or work in whose midst the session ended, or a check that it left red. Nothing is left only where that
// is certain, and else the draft tells how the session ended. What else was left over are open questions.
func (n *notes) addNext(s transcript.Session, x Extra) {
	const todo, asked, midst = "Still to do: ", "last message", "work in whose midst it ended"
	handed, put := forLater(s)
	all := slices.Concat(
		leftAs("what the person said for another day", "", todo, handed),
		leftAs("what the person said last", "The person said last: ", "The person said last: ", saidLast(s)),
		leftAs("todo list", "", todo, openSteps(s)...),
		leftAs(asked, "", todo, followUps(s)...),
		leftAs(asked, "", todo, statedStep(closingWords(s))),
		leftAs(fromSummary, "", todo, findSection(cmp.Or(x.Summary, currentSummary(s)),
			phrases.List("summary headings")...)),
		leftAs("the plan that came last", "", todo, plannedLast(s)),
		leftAs("what the person put off", "The person put it off: ", "Put off by the person: ", put...),
		leftAs("what the agent listed, and the person began with", "", "", restOfList(s)),
		leftAs("the last call", "See whether this succeeded, since its result was not seen: ",
			"Sent last, and its result was not seen: ", sentToGit(s)),
		leftAs(midst, "See whether this is done, and finish it: ",
			"Begun, and nobody said how it went: ", unfinishedWork(s)),
		leftAs("the last check", "See why this fails: ", stillFailed, failingCheck(s)),
	)
	next := left{packet.NoNextStep, "", "nothing was left"}
	if len(all) > 0 {
		next, all = all[0], all[1:]
	} else if !isFinished(s) {
		next = left{endedOpen(s, x), "", "how it ended"}
	}
	n.doc.Next, n.origins["/next_step"] = cutLine(next.next, mostNext), next.origin
	for _, l := range all {
		if !strings.HasSuffix(l.question, next.next) {
			n.addQuestion(l.question, l.origin)
		}
	}
	if text := openQuestion(closingWords(s)); text != "" && saidLast(s) == "" { // That would answer it.
		n.addQuestion(text, asked)
	}
}

// addQuestion adds an open question, if there is room.
func (n *notes) addQuestion(text, origin string) {
	if text = cutLine(text, mostDecision); len(n.doc.Questions) < min(mostLeft, n.most) &&
		!slices.Contains(n.doc.Questions, text) {
		n.origins[fmt.Sprintf("/open_questions/%d", len(n.doc.Questions))] = origin
		n.doc.Questions = append(n.doc.Questions, text)
	}
}

// lastPrompt is the place of the last thing that the person typed.
func lastPrompt(s transcript.Session) int { return promptBefore(s, math.MaxInt) }

// promptBefore is the place of the last thing that the person typed before a place; 0 where there is none.
func promptBefore(s transcript.Session, n int) int {
	from := 0
	for _, p := range s.Prompts {
		if p.N < n {
			from = p.N
		}
	}
	return from
}

// closingWords are the last words of the agent, where neither work nor a prompt followed them.
func closingWords(s transcript.Session) string { return closingText(s, s.Last, s.LastN) }

// currentSummary is the client's summary, where neither work nor a prompt followed it.
func currentSummary(s transcript.Session) string { return closingText(s, s.Summary, s.SummaryN) }

// closingText is a text at a place, unless work or a prompt followed it.
func closingText(s transcript.Session, text string, n int) string {
	if n < s.WorkN || n < lastPrompt(s) {
		return ""
	}
	return text
}

// openSteps are the steps that are not done, the one in progress first. A list that the agent left as it was
// while it worked on a later prompt says nothing.
func openSteps(s transcript.Session) []string {
	if slices.ContainsFunc(s.Prompts, func(p transcript.Said) bool {
		return p.N > s.TodosN && p.N < s.WorkN
	}) {
		return nil
	}
	var open []string
	for _, status := range []transcript.TodoStatus{transcript.InProgress, transcript.Pending} {
		for _, t := range s.Todos {
			if text := cutLine(t.Text, mostNext); t.Status == status && text != "" && len(open) < mostLeft {
				open = append(open, text)
			}
		}
	}
	return open
}

// unfinishedWork is the last thing that the person asked for, where the session ended before the agent
// said how that went. A word to go on says nothing about what is left, and neither does what was committed.
func unfinishedWork(s transcript.Session) string {
	if len(s.Prompts) == 0 || s.WorkN == 0 || closingWords(s) != "" {
		return ""
	}
	last := s.Prompts[len(s.Prompts)-1]
	if n := len(s.Commits); n > 0 && s.Commits[n-1].N > max(last.N, s.EditN) {
		return ""
	}
	text, _ := askedFor(last.Text)
	if !saysEnough(text) {
		return ""
	}
	return text
}

// openQuestion is the question or the offer with which the last words of an agent end; "" for none.
func openQuestion(closing string) string {
	paras := splitParagraphs(closing)
	if len(paras) == 0 {
		return ""
	}
	all := splitSentences(strings.TrimSpace(paras[len(paras)-1]))
	text := withoutMarks(all[len(all)-1])
	low := strings.ToLower(text)
	switch size := len(words.Fields(text)); {
	case strings.HasSuffix(text, "?") && (size > 3 || size == 3 && phrases.Begins("offers", low)):
		return "The agent asked, and nobody answered: " + text
	case phrases.Begins("offers", low) && phrases.In("offered to", low):
		return "The agent offered, and nobody answered: " + text
	}
	return ""
}

// mostFollowUps is how many items of a list of what comes next count.
const mostFollowUps = 5

// followUps are the items below a heading of what comes next, in the last words of the agent that have one
// since the last prompt. Where a file was written after them they say nothing, and neither do they where the
// agent said them before a prompt.
func followUps(s transcript.Session) []string {
	closing := closingWords(s)
	if items := itemsBelow(closing); closing == "" || len(items) > 0 {
		return items
	}
	for _, w := range slices.Backward(s.Words) {
		if w.N < lastPrompt(s) || w.N < s.EditN {
			break
		}
		if items := itemsBelow(w.Text); !w.Summary && len(items) > 0 {
			return items
		}
	}
	return nil
}

// itemsBelow are the items of the list below a heading of what comes next, or what stands below it where
// it is no list. Text of code and what hangs below an item are left out; the list ends at the next
// heading and at a line that is none of it.
func itemsBelow(text string) []string {
	var items []string
	below, fenced := false, false
	for l := range strings.Lines(text) {
		said := withoutMarks(l)
		inner := l[0] == ' ' || l[0] == '\t'
		isItem := !inner && l[0] != '#' && said != strings.TrimSpace(strings.ReplaceAll(l, "**", ""))
		label, _, _ := strings.Cut(said, ":")
		switch {
		case strings.HasPrefix(said, "```"):
			fenced = !fenced
		case fenced || said == "" || strings.HasPrefix(said, "---"):
		case !below && !isItem && phrases.Has("next headings", strings.ToLower(strings.Trim(label, " *_"))):
			below = true
		case below && isItem && len(items) < mostFollowUps:
			if !strings.Contains(l, "[x]") {
				items = append(items, someOf(strings.TrimRight(said, ":"))...)
			}
		case below && !inner:
			if len(items) == 0 {
				return someOf(said)
			}
			return items
		}
	}
	return items
}

// someOf is what a text says, unless it says that there is nothing.
func someOf(text string) []string {
	if isNone(text) {
		return nil
	}
	return []string{text}
}

// saidLastBefore is what the agent said last before a place.
func saidLastBefore(s transcript.Session, n int) string {
	said := ""
	for _, w := range s.Words {
		if w.N < n && !w.Summary {
			said = w.Text
		}
	}
	return said
}

// lastQuestion is the last question of a text, without the words that offer something; "" for none.
func lastQuestion(text string) string {
	last := ""
	for _, sentence := range sentencesOf(text) {
		if strings.HasSuffix(sentence, "?") {
			last = cmp.Or(withoutOffer(sentence), sentence)
		}
	}
	return last
}

// plannedLast says that a plan is to be carried out, where a session ended with it: nothing was written and
// nothing asked for since. Of one that was put aside without a word, another session may have begun.
func plannedLast(s transcript.Session) string {
	if len(s.Decisions) == 0 {
		return ""
	}
	d := s.Decisions[len(s.Decisions)-1]
	title := planTitle(d.Question)
	if d.Kind != transcript.Approved && d.Kind != transcript.Unknown || title == "" || d.N < s.EditN ||
		d.N < lastPrompt(s) {
		return ""
	}
	if d.Kind == transcript.Unknown {
		return "Carry out this plan, unless another session has: " + title
	}
	return "Carry out the plan: " + title
}

// restOfList is what is left of a list of the agent of which the person took something first, and asked for
// nothing else since.
func restOfList(s transcript.Session) string {
	if len(s.Prompts) == 0 || closingWords(s) == "" {
		return ""
	}
	last := s.Prompts[len(s.Prompts)-1]
	if !phrases.In("takes first", strings.ToLower(last.Text)) ||
		len(words.Fields(last.Text)) > mostPuttingOff {
		return ""
	}
	var left []string
	done := stemsOf(last.Text + " " + closingWords(s))
	for _, i := range itemsOf(saidLastBefore(s, last.N)) {
		if i.number == "1" {
			left = nil
		}
		if all := stemsOf(i.text); countShared(all, done)*2 < len(all) {
			left = append(left, cutLine(i.text, mostSubject))
		}
	}
	if len(left) == 0 {
		return ""
	}
	return "The person began with one thing (" + clean.Line(last.Text) + "). Left of what was listed: " +
		strings.Join(left, "; ")
}

// mostPuttingOff is how many words a prompt has that puts something off.
const mostPuttingOff = 20

// statedStep returns the next step that the last words of an agent state, in a sentence that begins so.
func statedStep(last string) string {
	for _, text := range sentencesOf(last) {
		if !strings.HasSuffix(text, "?") &&
			phrases.Begins("next", strings.ReplaceAll(strings.ToLower(text), ", ", " ")) {
			if label, rest, _ := strings.Cut(text, ": "); phrases.Has("next headings", strings.ToLower(label)) {
				text = rest
			}
			return text
		}
	}
	return ""
}
