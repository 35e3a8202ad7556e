package distill

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/transcript"
	"github.com/git-ltm/git-ltm/internal/words"
)

// addDecisions takes over what the person rejected, approved and answered.
func (n *notes) addDecisions(s transcript.Session) {
	seen := map[decision]bool{}
	for _, d := range s.Decisions[max(0, len(s.Decisions)-n.most):] {
		made, origin := decisionOf(d)
		if made.What == "" || made.Why == "" || seen[made] {
			continue
		}
		seen[made] = true
		n.origins[fmt.Sprintf("/decisions/%d", len(n.doc.Decisions))] = origin
		n.doc.Decisions = append(n.doc.Decisions, made)
	}
}

// addRefused takes over the commands that the person refused with a reason, where the agent then ran another
// one of the same program and subcommand in its place. They are no attempts: what was not wanted there may be
// right elsewhere, and nobody shall be held back from it.
func (n *notes) addRefused(s transcript.Session) {
	for _, d := range s.Decisions {
		_, text, _ := strings.Cut(d.Question, ": ")
		if d.Kind != transcript.Rejected || len(words.Fields(d.Text)) < leastEnding || settlesWork(d.Text) ||
			isOwn(text) || lastDeed(text) == "" || phrases.In("stops", strings.ToLower(d.Text)) {
			continue
		}
		next := slices.DeleteFunc(slices.Clone(s.Commands), func(c transcript.Command) bool { return c.N < d.N })
		instead := slices.IndexFunc(next[:min(len(next), mostInstead)], func(c transcript.Command) bool {
			return lastDeed(c.Text) == lastDeed(text)
		})
		if instead < 0 || slices.ContainsFunc(next, func(c transcript.Command) bool {
			return !c.Failed && strings.Contains(plainCommand(c.Text), plainCommand(text)) // It was only put off.
		}) {
			continue
		}
		n.origins[fmt.Sprintf("/decisions/%d", len(n.doc.Decisions))] = "rejection"
		n.doc.Decisions = append(n.doc.Decisions, decision{
			What: cutLine(plainCommand(next[instead].Text), mostCommand) + " instead of " +
				cutLine(plainCommand(text), mostCommand),
			Why: "said when refusing: " + cutLine(d.Text, mostAnswered),
		})
	}
}

// decisionOf turns what the person decided into a decision of a packet. A refusal decides something where its
// reason states it; one without a reason, or whose reason is a question, says only that this one call was not
// wanted.
func decisionOf(d transcript.Decision) (made decision, origin string) {
	question, text := cutLine(d.Question, mostDecision), cutLine(d.Text, mostDecision)
	switch {
	case question == "" || isOwn(question):
	case d.Kind == transcript.Rejected && settlesWork(text):
		return decision{What: text, Why: "said when refusing: " + cutLine(question, mostSubject)}, "rejection"
	case d.Kind == transcript.Approved:
		title := planTitle(d.Question)
		if title == "" {
			return decision{}, ""
		}
		made = decision{What: "Plan: " + title, Why: cmp.Or(text, "the person approved the plan")}
		_, rest, _ := strings.Cut(strings.TrimSpace(d.Question), "\n")
		made.Consequences = cutLine(rest, mostDecision)
		return made, "approved plan"
	case d.Kind == transcript.Answered && text != "" && !steersWork(question):
		return decision{What: text, Why: "answer to: " + question}, "answer"
	}
	return decision{}, ""
}

// settlesWork tells a reason of a refusal that states something about the work, rather than asking or only
// stopping the agent. One that forbids something for good is a constraint.
func settlesWork(reason string) bool {
	all := words.Fields(reason)
	return len(all) > 3 && !strings.Contains(reason, "?") && !forbidsForGood(reason) &&
		!phrases.In("stops", strings.ToLower(reason))
}

// steersWork tells a question about how the session goes on, whose answer decides nothing about the project.
func steersWork(question string) bool {
	return phrases.In("steering questions", strings.ToLower(question))
}

// addConstraints takes over what prompts and refusals forbid or demand for good, in sentences that begin so.
func (n *notes) addConstraints(s transcript.Session) {
	for i, p := range s.Prompts {
		origin := fromLater
		if i == 0 {
			origin = fromFirst
		}
		if transcript.Typed(p.Text) {
			n.addConstraintsOf(p.Text, origin)
		}
	}
	for _, d := range s.Decisions {
		if d.Kind == transcript.Rejected {
			n.addConstraintsOf(d.Text, "rejection")
		}
	}
}

// addConstraintsOf takes over the constraints of one text.
func (n *notes) addConstraintsOf(said, origin string) {
	for _, para := range splitParagraphs(said) {
		for _, sentence := range splitSentences(para) {
			text := cutLine(withoutMarks(sentence), mostConstraint)
			if !forbidsForGood(text) || slices.Contains(n.doc.Constraints, text) || text == n.doc.Goal ||
				len(n.doc.Constraints) >= n.most/2 {
				continue
			}
			n.origins[fmt.Sprintf("/constraints/%d", len(n.doc.Constraints))] = origin
			n.doc.Constraints = append(n.doc.Constraints, text)
		}
	}
}

// forbidsForGood tells a sentence that states a constraint plainly: that something must never or must
// always be so, and not for now.
func forbidsForGood(text string) bool {
	if size := utf8.RuneCountInString(text); size > mostConstraint || strings.HasSuffix(text, "?") {
		return false
	}
	all := words.Fields(text)
	if len(all) < 3 || slices.Contains(all, "yet") || slices.Contains(all, "now") ||
		containsAny(strings.ToLower(text), []string{"let me know", "tell me"}) {
		return false
	}
	first, second := strings.ReplaceAll(all[0], "’", "'"), all[1]
	switch {
	case first == "never" || first == "always":
		return second != "mind"
	case first == "do" && second == "not" || first == "don't" || first == "dont":
		verb := second
		if first == "do" {
			verb = all[2]
		}
		return !phrases.Has("idle", verb)
	case first == "you" && second == "must":
		return true
	case first == "under" && second == "no":
		return true
	}
	return false
}
