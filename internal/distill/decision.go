package distill

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
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
		n.addDecision(made, origin)
	}
}

// addDecision adds a decision.
func (n *notes) addDecision(d decision, origin string) {
	n.origins[fmt.Sprintf("/decisions/%d", len(n.doc.Decisions))] = origin
	n.doc.Decisions = append(n.doc.Decisions, d)
}

// addAgreements takes over what the person agreed to in a word or two, where the agent had named one of
// several ways: it alone says what was settled; and what they chose of what it had asked, by its number or in
// its words. What only lets the agent go on with its work settles nothing.
func (n *notes) addAgreements(s transcript.Session) {
	for _, p := range s.Prompts {
		low, short := strings.ToLower(strings.TrimSpace(p.Text)), len(words.Fields(p.Text)) <= mostAgreeing
		answer, asked := clean.Line(splitSentences(strings.TrimSpace(p.Text) + "\n")[0]), saidLastBefore(s, p.N)
		reason := givenReason().FindStringSubmatch(answer)
		var made decision
		var origin string
		switch item := optionOf(asked, answer, chosenNumber()); {
		case item != "" && (short || reason != nil):
			made, origin = decision{What: item, Why: "the person chose: " + answer},
				"the agent's list, and the person chose"
		case short && phrases.Begins("agreements", low) && !strings.Contains(low, "?"):
			made.What, made.Why = proposedBefore(s, p.N, low)
			made.Why = cmp.Or(made.Why, "the agent proposed it") + " (the person: " + clean.Line(p.Text) + ")"
			origin = "the agent proposed it, and the person agreed"
		case answersQuestion(asked, low):
			made.What, made.Why, origin = clean.Line(p.Text), "answer to: "+lastQuestion(asked), "answer"
		}
		if made.What != "" && !isTakenBack(s, p.N, made.What) {
			n.addDecision(decision{
				What: cutLine(made.What, mostDecision), Why: cutLine(made.Why, mostDecision),
			}, origin)
		}
	}
}

// answersQuestion tells an answer that says no and more, or takes up words of a question that asks which way
// to go.
func answersQuestion(asked, answer string) bool {
	all, sentences := words.Fields(answer), sentencesOf(asked)
	if len(all) == 0 || len(all) > mostCorrecting || len(sentences) == 0 || strings.Contains(answer, "?") {
		return false
	}
	question := strings.ToLower(sentences[len(sentences)-1])
	return strings.HasSuffix(question, "?") && (len(all) >= leastShared && phrases.Has("refusing", all[0]) ||
		phrases.Begins("questions", question) && countShared(stemsOf(answer), stemsOf(asked)) > 0)
}

// addChoices takes over what the agent chose itself, and said why when it closed a turn: "I kept one index
// rather than two, because ...".
func (n *notes) addChoices(s transcript.Session) {
	for i, w := range s.Words {
		if w.Summary || !closesTurn(s, i) {
			continue
		}
		for _, sentence := range sentencesOf(w.Text) {
			m := givenReason().FindStringSubmatch(sentence)
			if m != nil && phrases.Begins("own choices", strings.ToLower(m[1])) &&
				phrases.In("against another", strings.ToLower(m[1])) {
				n.addDecision(decision{What: cutLine(m[1], mostDecision), Why: cutLine(m[2], mostDecision)},
					"the agent's own choice")
			}
		}
	}
}

// givenReason parts a sentence before the reason that it gives.
var givenReason = words.Compiled(`^(.*?),? (?:because|since) (.+)$`)

// mostAgreeing is how many words a prompt has that only agrees.
const mostAgreeing = 8

// proposedBefore is what the agent proposed at the end of what it said last before a place, as one of several
// ways, and why.
func proposedBefore(s transcript.Session, n int, agreed string) (what, why string) {
	said := saidLastBefore(s, n)
	paras := splitParagraphs(said)
	if len(paras) == 0 {
		return "", ""
	}
	all := splitSentences(paras[len(paras)-1])
	for at, sentence := range slices.Backward(all) {
		var ok bool
		if what, ok = strings.CutSuffix(withoutOffer(withoutMarks(sentence)), "?"); !ok {
			continue
		}
		for i, other := range slices.Backward(all) {
			if i != at && phrases.In("choices", strings.ToLower(other)) {
				why = withoutMarks(other)
				break
			}
		}
		break
	}
	switch item := optionOf(said, why+" "+what, optionNumber()); {
	case what == "" || why == "" && !phrases.In("choices", strings.ToLower(what)):
		return "", ""
	case item != "":
		return item, why
	case len(stemsOf(what)) < leastShared,
		countShared(stemsOf(why), stemsOf(agreed)) > countShared(stemsOf(what), stemsOf(agreed)):
		return why, ""
	}
	return what, why
}

// withoutOffer is what an agent offers to do, without the words that offer it; "" for another sentence.
func withoutOffer(text string) string {
	rest, ok := cutPhrase("offers", text)
	if !ok || !strings.HasPrefix(rest, " ") {
		return ""
	}
	return strings.TrimPrefix(rest[1:], "to ")
}

// optionOf is the item of a list whose number a text names, as a pattern finds it.
func optionOf(list, text string, number *regexp.Regexp) string {
	item := ""
	if m := number.FindStringSubmatch(text); m != nil {
		for _, i := range itemsOf(list) {
			if strings.EqualFold(i.number, m[1]) {
				item = i.text
			}
		}
	}
	return item
}

// item is one of a list of the agent.
type item struct{ number, text string }

// itemsOf are the items of the numbered lists of a text.
func itemsOf(text string) (all []item) {
	for l := range strings.Lines(text) {
		l = strings.TrimLeft(strings.ReplaceAll(clean.Line(l), "*", ""), "# ")
		if m := numberedItem().FindStringSubmatch(l); m != nil {
			all = append(all, item{m[1] + m[2], m[3]})
		}
	}
	return all
}

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	numberedItem = words.Compiled(`^(?:(\d+)[.)]|(?i:option (\w)):) (.*)`)
	optionNumber = words.Compiled(`(?i)\boption (\w)\b`)
	chosenNumber = words.Compiled(`^(?:(?:yes|yeah|ok|okay|option|number|just|let's|do|go|with),? )*` +
		`(\d)(?:[,.]|$| and )`)
)

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
	case d.Kind == transcript.Answered && text != "" &&
		!phrases.In("steering questions",
			strings.ToLower(question)): // How the session goes on decides nothing.
		return decision{What: text, Why: "answer to: " + question}, "answer"
	}
	return decision{}, ""
}

// settlesWork tells a reason of a refusal that states something about the work, if with a "no?" behind it, rather
// than asking or only stopping the agent. One that forbids something for good is a constraint.
func settlesWork(reason string) bool {
	all := words.Fields(reason)
	return len(all) > 3 && (!strings.Contains(reason, "?") || isSmall(all[len(all)-1])) &&
		!forbidsForGood(reason) &&
		!phrases.In("stops", strings.ToLower(reason))
}

// addConstraints takes over what prompts and refusals forbid or demand for good, in sentences that begin so.
func (n *notes) addConstraints(s transcript.Session) {
	for i, p := range s.Prompts {
		origin := fromLater
		if i == 0 {
			origin = fromFirst
		}
		n.addConstraintsOf(s, p.N, ownSentences(p), origin)
	}
	for _, d := range s.Decisions {
		if d.Kind == transcript.Rejected {
			n.addConstraintsOf(s, d.N, sentencesOf(d.Text), "rejection")
		}
	}
}

// addConstraintsOf takes over the constraints among the sentences of a text at a place.
func (n *notes) addConstraintsOf(s transcript.Session, at int, said []string, origin string) {
	for _, sentence := range said {
		text := lasting(sentence)
		if text == "" || slices.Contains(n.doc.Constraints, text) || text == n.doc.Goal ||
			len(n.doc.Constraints) >= n.most/2 || isTakenBack(s, at, text) {
			continue
		}
		n.origins[fmt.Sprintf("/constraints/%d", len(n.doc.Constraints))] = origin
		n.doc.Constraints = append(n.doc.Constraints, text)
	}
}

// lasting is what a sentence demands for good, without a word that joins it to the one before; "" for
// nothing.
func lasting(sentence string) string {
	text := cutLine(withoutLead(sentence), mostConstraint)
	switch {
	case saysWhen(text):
		return ""
	case forbidsForGood(text):
		return text
	}
	return lastingDemand(text)
}

// beforeQuote is what a person wrote of a prompt, before the words of others that they pass on: a letter, or
// what stands behind a colon and an empty line.
func beforeQuote(prompt string) string {
	text := withoutLetter(prompt)
	if at := quoting().FindStringIndex(text); at != nil {
		return text[:at[0]]
	}
	return text
}

// withoutLetter is a text before the line with which a letter greets. Of one that ends as letters do, and
// greets nobody, nothing is left.
func withoutLetter(text string) string {
	if at := greeting().FindStringIndex(text); at != nil {
		return strings.TrimRight(text[:at[0]], ": \r\n")
	}
	if signing().MatchString(text) {
		return ""
	}
	return text
}

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	quoting  = words.Compiled(`:[ \t]*\r?\n\s*\n`)
	greeting = words.Compiled(`(?im)^(?:hello|hi|hey|dear|good (?:day|morning|evening))\b[^\n.!?:]{0,60},\s*$` +
		`|\n(?:hello|hi|hey|dear)\b[^\n.!?:,]{1,40},`) // Whoever begins with it and goes on greets the agent.
	signing = words.Compiled(`(?im)^(?:best,|(?:kind|warm|best) (?:regards|wishes)|regards|sincerely|yours )` +
		`[^\n!?]{0,30}$`)
)

// isTakenBack tells whether the person changed later in a session what a text at a place says.
func isTakenBack(s transcript.Session, at int, text string) bool {
	about := stemsOf(text)
	return slices.ContainsFunc(turns(s), func(p transcript.Said) bool {
		return p.N > at && countShared(stemsOf(p.Text), about) > 0
	})
}

// lastingDemand is the part of a sentence that demands something for good, in words that name no single deed:
// what is made sure of always, kept as it is, or the measure of all else; "" where nothing does.
func lastingDemand(text string) string {
	low := strings.ToLower(text)
	if phrases.Begins("remembers", low) {
		return text
	}
	if labelled().MatchString(text) {
		return ""
	}
	if at := strings.Index(low, "make sure"); at >= 0 && phrases.In("lasting", " "+low[at:]+" ") {
		return text[at:]
	}
	if phrases.In("reproaches", low) {
		return ""
	}
	if phrases.Begins("keeps", low) && phrases.In("as it is", low) || phrases.In("for good", low) {
		return text
	}
	return ""
}

// forbidsForGood tells a sentence that states a constraint plainly: that something must never or must
// always be so, and not for now.
func forbidsForGood(text string) bool {
	all := words.Fields(text)
	if len(all) < 3 || slices.Contains(all, "yet") || slices.Contains(all, "now") ||
		phrases.Begins("now only", strings.ToLower(text)) && slices.ContainsFunc(all, isPronoun) ||
		containsAny(strings.ToLower(text), []string{"let me know", "tell me"}) {
		return false
	}
	m := forbidding().FindStringSubmatch(text)
	return refusesThing().MatchString(text) || saysEver().MatchString(text) ||
		m != nil && !phrases.Has("idle", strings.ToLower(m[1])) && !reporting().MatchString(text)
}

// isPronoun tells a word that names something at hand.
func isPronoun(word string) bool { return phrases.Has("pronouns", word) }

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	// labelled finds a line of a program: its name, a place or a level stands before it.
	labelled = words.Compiled(`^\S+: `)
	// reporting finds what tells how things are or were: "never worked", "always fails".
	reporting = words.Compiled(`(?i)^(?:we )?(?:never|always) +\pL+(?:ed|ing|[^s]s)\b`)
)

// forbidding finds how a sentence begins that forbids or demands something, and what.
var forbidding = words.Compiled(`(?i)^(?:please,? )?(?:(?:we )?(?:never|always)|(?:you|we) must|` +
	`under no|do not|don['’]?t) +([\pL'’]+)`)
