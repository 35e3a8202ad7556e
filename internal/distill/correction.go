package distill

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/transcript"
	"github.com/git-ltm/git-ltm/internal/words"
)

// A belief or an approach that proved wrong seldom shows as a command that failed. It shows where the person
// says so and the agent agrees at once, or where the agent itself says that what it was about to do cannot
// be.

// The bounds of what may be such a thing: a longer prompt is a task, and fewer words in common are chance.
const (
	mostCorrecting = 60 // words
	leastShared    = 3
	leastPart      = 5 // one of so many words
)

// correction is what the person said against the agent, what the agent had said, and what it then conceded.
type correction struct {
	n               int
	said, was, then string
	match           *match // what a later call would repeat it by
}

// findCorrections are those of a session, in order.
func findCorrections(s transcript.Session) []correction {
	var all []correction
	add := func(n int, said string, lists ...string) {
		then := ""
		at := slices.IndexFunc(s.Words, func(w transcript.Word) bool { return w.N > n && !w.Summary })
		if at >= 0 && !slices.ContainsFunc(s.Prompts, func(p transcript.Said) bool {
			return p.N > n && p.N < s.Words[at].N
		}) {
			then = concededWords(s.Words[at].Text, lists)
		}
		if size := len(words.Fields(said)); then != "" && size > 2 && size <= mostCorrecting {
			was := saidBefore(s, n, said+" "+then)
			if saysSame(was, then) {
				was = ""
			}
			all = append(all, correction{n: n, said: said, was: was, then: then})
		}
	}
	for i, p := range s.Prompts {
		switch text, plan := askedFor(p.Text); {
		case i == 0 || plan:
		case corrects(p): // What is only understood elsewhere was wrong before it was broken off.
			add(p.N, text, "concessions", "understood")
		default:
			add(p.N, text, "concessions")
		}
	}
	for _, d := range s.Decisions {
		if d.Kind == transcript.Rejected && !isOwn(d.Question) {
			add(d.N, d.Text, "concessions")
		}
	}
	slices.SortStableFunc(all, func(a, b correction) int { return cmp.Compare(a.n, b.n) })
	return all
}

// corrects tells a prompt that was typed against what the agent did. A question corrects nothing, whenever
// it was typed.
func corrects(p transcript.Said) bool {
	return p.Corrects && !strings.HasSuffix(strings.TrimSpace(p.Text), "?")
}

// addCorrections takes over what the person corrected: as an attempt where the agent had said what proved
// wrong, and else as a decision. What the agent found out itself is an attempt, too.
func (n *notes) addCorrections(s transcript.Session) {
	all := slices.Concat(findCorrections(s), secondThoughts(s), ownRejections(s))
	slices.SortStableFunc(all, func(a, b correction) int { return cmp.Compare(a.n, b.n) })
	for _, c := range all[max(0, len(all)-n.most/2):] {
		learned, origin := c.then, "the agent, on second thought"
		if c.said != "" {
			learned, origin = c.then+" (the person: "+cutLine(c.said, mostAnswered)+")", fromCorrection
		}
		if c.was != "" {
			tried := strings.TrimRight(announcing().ReplaceAllString(c.was, ""), ":.")
			n.addAttempt(attempt{Tried: tried, Learned: learned, Match: c.match}, origin)
		} else if !slices.ContainsFunc(n.doc.Decisions, func(d decision) bool { return d.What == c.said }) {
			d := decision{What: cutLine(c.said, mostDecision), Why: "the agent agreed: " + c.then}
			if strings.HasSuffix(c.said, "?") { // A question decides nothing; what the agent conceded does.
				d = decision{What: c.then, Why: "the person: " + cutLine(c.said, mostDecision)}
			}
			n.addDecision(d, origin)
		}
	}
}

// secondThoughts are what the agent announced, and then found that it cannot be: both of its sentences name
// the same thing of the code.
func secondThoughts(s transcript.Session) []correction {
	var all []correction
	for i, w := range s.Words {
		if w.Summary || i == 0 || closesTurn(s, i) || closesTurn(s, i-1) {
			continue
		}
		sentences := splitSentences(w.Text)
		at := slices.IndexFunc(sentences, saysCannot)
		if at < 0 {
			continue
		}
		then := sentences[at]
		var before []string
		for _, b := range slices.Backward(s.Words[max(0, i-3):i]) {
			before = append(before, splitSentences(b.Text)...)
		}
		for _, said := range before {
			common := slices.DeleteFunc(codeIn(said), func(name string) bool {
				return !strings.Contains(then,
					name)
			})
			if !announcesWork(said) || len(common) == 0 {
				continue
			}
			c := correction{
				n: w.N, was: cutLine(withoutMarks(said), mostAnswered), then: cutLine(withoutMarks(then),
					mostAnswered),
			}
			for _, other := range codeIn(then) {
				if c.match == nil && !strings.Contains(common[0], other) { // They do not go together.
					c.match = &match{Words: strings.ReplaceAll(common[0]+" "+other, "()", "")}
				}
			}
			if !saysSame(c.was, c.then) {
				all = append(all, c)
			}
			break
		}
	}
	return all
}

// ownRejections are what the agent found to be no good way while it worked, and in whose place it named
// another at once.
func ownRejections(s transcript.Session) []correction {
	var all []correction
	for i, w := range s.Words {
		if w.Summary || closesTurn(s, i) {
			continue
		}
		for _, para := range splitParagraphs(w.Text) {
			sentences := splitSentences(para)
			for at, sentence := range sentences {
				was, then := withoutMarks(sentence), ""
				if !phrases.In("no good", strings.ToLower(was)) || findsNothing().MatchString(was) {
					continue
				}
				if first, second, ok := cutClause(was); ok && phrases.In("no good", strings.ToLower(first)) &&
					phrases.In("in its place", strings.ToLower(second)) {
					was, then = first, second
				} else if at+1 < len(sentences) {
					then = withoutMarks(sentences[at+1])
				}
				if phrases.In("in its place", strings.ToLower(then)) && len(codeIn(was+" "+then)) > 0 {
					was, then = cutLine(was, mostAnswered), cutLine(then, mostAnswered)
					all = append(all, correction{n: w.N, was: was, then: then})
				}
			}
		}
	}
	return all
}

// findsNothing finds that something only was not found, which leaves no way.
var findsNothing = words.Compiled(`(?i)\bcan(?:['’]t|not) (?:find|see|read|locate|check|verify)\b`)

// cutClause parts a sentence at its first dash.
func cutClause(text string) (before, after string, ok bool) {
	for _, dash := range []string{" — ", " – ", " - "} {
		if before, after, ok = strings.Cut(text, dash); ok {
			return before, after, true
		}
	}
	return text, "", false
}

// saysCannot tells a sentence that says that something cannot be, and why.
func saysCannot(text string) bool {
	low := strings.ToLower(strings.ReplaceAll(text, "*", ""))
	return containsAny(low, []string{"cannot ", "can't ", "won't work", "doesn't work", "is not possible"}) &&
		containsAny(low, []string{"because ", "since ", "which means", "so ", "("})
}

// announcesWork tells a sentence in which the agent says what it is about to do.
func announcesWork(text string) bool {
	low := strings.ToLower(text)
	return containsAny(low, []string{"let me ", "i'll ", "i will ", "let's "}) &&
		!slices.ContainsFunc(words.Fields(low), func(w string) bool { return phrases.Has("looking", w) })
}

// announcing finds the words with which an agent announces what it is about to do.
var announcing = words.Compiled(`(?i)^(?:(?:now|let me|i'll|i will|also|let's|so|hmm,|i see there's) )+`)

// codeIn are the names of code that a text sets in backquotes.
func codeIn(text string) []string {
	var all []string
	for i, part := range strings.Split(text, "`") {
		if i%2 == 1 && len(part) > 3 {
			all = append(all, part)
		}
	}
	return all
}

// fromCorrection is the origin of what the person corrected.
const fromCorrection = "the person, and the agent agreed"

// concededWords is what an agent says after the words with which it agrees that it was wrong; "" where it
// does not, or says no more.
func concededWords(text string, lists []string) string {
	para := ""
	if all := splitParagraphs(text); len(all) > 0 {
		para = all[0]
	}
	for {
		rest, found := cutPhrase(lists[0], para)
		for _, list := range lists[1:] {
			if !found {
				rest, found = cutPhrase(list, para)
			}
		}
		if !found {
			return ""
		}
		// What follows may concede once more, as in "You're right, my mistake."
		end := strings.IndexAny(rest, ".!-—,;:")
		if end < 0 || end > 60 {
			return ""
		}
		para = strings.TrimLeft(rest[end:], ".!-—,;: \n")
		if !phrases.Begins("concessions", strings.ToLower(para)) {
			break
		}
	}
	all := splitSentences(para)
	for len(all) > 1 && leadsOver(strings.TrimSpace(all[len(all)-1])) {
		all = all[:len(all)-1]
	}
	para = strings.TrimSpace(strings.Join(all, ""))
	if len(words.Fields(para)) < leastEnding ||
		len(all) == 1 && leadsOver(para) && strings.HasSuffix(para, ":") {
		return ""
	}
	return cutLine(strings.TrimSuffix(para, ":"), mostAnswered)
}

// saidBefore is the sentence of the agent before a place in the session that has the most words in common
// with a text; "" where too few are.
func saidBefore(s transcript.Session, n int, text string) string {
	about := stemsOf(text)
	from := promptBefore(s, n)
	best, most := "", leastShared
	for _, w := range s.Words {
		if w.N < from || w.N > n || w.Summary {
			continue
		}
		for _, sentence := range sentencesOf(w.Text) {
			if shared := countShared(stemsOf(sentence), about); shared >= most &&
				shared*leastPart >= len(about) {
				best, most = cutLine(sentence, mostAnswered), shared
			}
		}
	}
	return best
}

// saysSame tells two sentences of which the one says hardly anything that the other does not.
func saysSame(a, b string) bool {
	one, other := stemsOf(a), stemsOf(b)
	return len(one) > 0 && countShared(one, other)*leastPart >= max(len(one), len(other))*(leastPart-1)
}

// countShared counts the telling words that two texts have in common.
func countShared(a, b []string) int {
	n := 0
	for _, w := range a {
		if slices.Contains(b, w) {
			n++
		}
	}
	return n
}

// stemsOf are the telling words of a text, each once, without their endings.
func stemsOf(text string) []string {
	var all []string
	for _, w := range words.Fields(text) {
		w = strings.Trim(w, "'’")
		if len(w) > 2 && !isSmall(w) && !words.IsStop(w) {
			all = append(all, words.Stem(w))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
