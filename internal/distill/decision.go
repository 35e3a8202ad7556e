package distill

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/transcript"
)

// decisions takes over what the person rejected, approved and answered.
func (n *notes) decisions(s transcript.Session) {
	seen := map[decision]bool{}
	for _, d := range s.Decisions[max(0, len(s.Decisions)-n.most):] {
		made, origin := decided(d)
		if made.What == "" || made.Why == "" || seen[made] {
			continue
		}
		seen[made] = true
		n.origins[fmt.Sprintf("/decisions/%d", len(n.doc.Decisions))] = origin
		n.doc.Decisions = append(n.doc.Decisions, made)
	}
}

// decided turns what the person decided into a decision of a packet.
func decided(d transcript.Decision) (made decision, origin string) {
	question, text := line(d.Question, mostDecision), line(d.Text, mostDecision)
	switch d.Kind {
	case transcript.Rejected:
		if question == "" || isOwn(question) {
			return decision{}, ""
		}
		return decision{What: "Rejected: " + question, Why: cmp.Or(text, "the person did not allow it")}, "rejection"
	case transcript.Approved:
		title := planTitle(d.Question)
		if title == "" {
			return decision{}, ""
		}
		made = decision{What: "Plan: " + title, Why: cmp.Or(text, "the person approved the plan")}
		if rest := strings.TrimSpace(strings.TrimPrefix(unmarked(question), title)); rest != "" {
			made.Consequences = line(rest, mostDecision)
		}
		return made, "approved plan"
	case transcript.Answered:
		if text == "" || question == "" {
			return decision{}, ""
		}
		return decision{What: text, Why: "answer to: " + question}, "answer"
	}
	return decision{}, ""
}

// constraints takes over what prompts forbid or demand for good, in sentences that begin so.
func (n *notes) constraints(s transcript.Session) {
	seen := map[string]bool{}
	for i, p := range s.Prompts {
		if isMachine(strings.TrimSpace(p.Text)) {
			continue
		}
		for _, para := range paragraphs(p.Text) {
			for _, sentence := range sentences(para) {
				text := unmarked(sentence)
				if !forbids(text) || seen[text] || text == n.doc.Goal || len(n.doc.Constraints) >= n.most/2 {
					continue
				}
				seen[text] = true
				origin := fromLater
				if i == 0 {
					origin = fromFirst
				}
				n.origins[fmt.Sprintf("/constraints/%d", len(n.doc.Constraints))] = origin
				n.doc.Constraints = append(n.doc.Constraints, line(text, mostConstraint))
			}
		}
	}
}

// forbids tells a sentence that states a constraint plainly: that something must never or must always be so.
func forbids(text string) bool {
	if size := utf8.RuneCountInString(text); size > mostConstraint || strings.HasSuffix(text, "?") {
		return false
	}
	all := words(text)
	if len(all) < 3 {
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
		return !isIdle(verb)
	case first == "you" && second == "must":
		return true
	case first == "under" && second == "no":
		return true
	}
	return false
}

// isIdle tells verbs with which "do not" forbids nothing that lasts.
func isIdle(verb string) bool {
	switch verb {
	case "worry", "bother", "forget", "hesitate", "know", "think", "understand", "see", "get", "care", "mind", "ask", "stop", "wait", "give", "need",
		"have", "want", "like", "believe", "remember", "be", "you", "we", "i", "panic", "just", "even", "explain":
		return true
	}
	return false
}
