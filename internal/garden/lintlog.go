package garden

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// lintLog looks for a text that tells what happened where it should say what holds.
// An attempt, a goal, a task and an achievement may tell a story, and so may a
// reason; but a goal names what it is about.
func (l *linter) lintLog() {
	if l.item.Kind == packet.ItemGoal && isVague(l.words) {
		l.addAdvice(l.item.Place, RuleLog,
			"Say what the work was for, as to somebody who was not there: \"Cache the tokens of a login\" "+
				"rather than \"Done\".")
	}
	switch l.item.Kind {
	case packet.ItemAttempt, packet.ItemGoal, packet.ItemQuestion, packet.ItemNext, packet.ItemOutcome,
		packet.ItemSkip, "achievement", kindTask, kindIdentity:
		return // What happened is what it is about.
	}
	report := l.reason == "" && isReport(l.words)
	for i, t := range l.words {
		if report || (t.begins || t.clause || isListed("then", wordAt(l.words, i-1))) && isStory(l.words[i:]) {
			l.addAdvice(l.item.Place, RuleLog,
				"Write what to do or what holds, and why, as to somebody who was not there: \"Never X: Y "+
					"breaks\" rather than \"I tried X\".")
			return
		}
	}
}

// isStory says whether the words begin as a report does: "we then ran", "fixed
// the".
func isStory(words []token) bool {
	rest := words
	for len(rest) > 0 && isListed("then", rest[0].word) {
		rest = rest[1:]
	}
	if len(rest) < 2 {
		return false
	}
	switch who := rest[0].word; {
	case who == "i", who == "we":
	case (who == "the" || who == "this") && isListed("actors", rest[1].word):
		rest = rest[1:]
	default:
		return words[0].begins && isListed("deeds", who) && isListed("pointers", rest[1].word)
	}
	rest = rest[1:]
	for len(rest) > 0 && isListed("then", rest[0].word) {
		rest = rest[1:]
	}
	return len(rest) > 0 && isListed("deeds", rest[0].word)
}

// The words of a text that may be but a line of a log, and those behind its first clause. What is longer says
// more.
const (
	reportWords = 20
	reportRest  = 6
)

// isReport says whether a text is but one line of a log: it tells of one thing that somebody did, or that a
// program did once, and neither what holds nor what follows. "Deleted users stay in the index" and "Read the
// notes first" are none.
func isReport(words []token) bool {
	if len(words) < 3 || len(words) > reportWords || hasOrder(words[1:]) || hasReason(words) ||
		holdsListed("lasting", words) {
		return false
	}
	for i, t := range words[1:min(len(words), 6)] {
		if !isListed("happened", t.word) || isListed("finite", words[i].word) {
			continue
		}
		// "Fix failed tests" is an order.
		return i > 0 || !isListed("orders", words[0].word) || isListed("towards", wordAt(words, 2))
	}
	first, next := words[0].word, words[1].word
	switch {
	case isListed("talks", first) && isListed("towards", next):
		return true
	case first == "read":
		return isVerdict(words)
	case !isListed("deeds", first) && !isListed("reports", first) || words[0].ends || isPlural(next) ||
		isListed("towards", next) || next == "by":
		return false
	}
	for i, t := range words[1:] {
		if isListed("finite", t.word) || i == 1 && isPlural(t.word) {
			return false
		}
		if t.ends { // What stands behind the comma may be what the sentence says.
			return len(words)-i-2 <= reportRest && !isListed("subjects", wordAt(words, i+2))
		}
	}
	return true
}

// isVerdict says whether a text ends with a clause that only says how somebody found it.
func isVerdict(words []token) bool {
	for _, t := range slices.Backward(words) {
		if listed := isListed("verdicts", t.word); t.clause || !listed {
			return listed
		}
	}
	return false
}

// isPlural says whether a word looks like several things, or like a verb of one.
func isPlural(word string) bool {
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us")
}
