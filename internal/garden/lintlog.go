package garden

import "github.com/git-ltm/git-ltm/internal/packet"

// log looks for a text that tells what happened where it should say what holds.
// An attempt, a goal, a task and an achievement may tell a story, and so may a
// reason.
func (l *linter) log() {
	if mayTell(l.item.Kind) {
		return
	}
	for i, t := range l.words {
		if (t.begins || t.clause || isThen(at(l.words, i-1))) && isStory(l.words[i:]) {
			l.advise(l.item.Place, RuleLog, "Write what to do or what holds, and why, as to somebody who was not there: \"Never X: Y breaks\" rather than \"I tried X\".")
			return
		}
	}
}

// mayTell says whether what happened is what an item of a kind is about.
func mayTell(kind string) bool {
	switch kind {
	case packet.ItemAttempt, packet.ItemGoal, packet.ItemQuestion, packet.ItemNext, packet.ItemOutcome, packet.ItemSkip, "achievement", kindTask, kindIdentity:
		return true
	default:
		return false
	}
}

// isStory says whether the words begin as a report does: "we then ran", "fixed
// the".
func isStory(words []token) bool {
	rest := words
	for len(rest) > 0 && isThen(rest[0].word) {
		rest = rest[1:]
	}
	if len(rest) < 2 {
		return false
	}
	switch who := rest[0].word; {
	case who == "i", who == "we":
	case (who == "the" || who == "this") && isActor(rest[1].word):
		rest = rest[1:]
	default:
		return words[0].begins && isDeed(who) && isPointer(rest[1].word)
	}
	rest = rest[1:]
	for len(rest) > 0 && isThen(rest[0].word) {
		rest = rest[1:]
	}
	return len(rest) > 0 && isDeed(rest[0].word)
}

// isThen says whether a word leads from one thing that happened to the next.
func isThen(word string) bool { return isListed("then", word) }

func isActor(word string) bool { return isListed("actors", word) }

// isPointer says whether a word points at one thing, as reports do.
func isPointer(word string) bool { return isListed("pointers", word) }

// isDeed says whether a word is what somebody did at a keyboard.
func isDeed(word string) bool { return isListed("deeds", word) }

// isTranscript says whether a person and a model take turns.
func isTranscript(words []token) bool {
	person, model := false, false
	for _, t := range words {
		if !t.begins || !t.colon {
			continue
		}
		person = person || isListed("people", t.word)
		model = model || isListed("models", t.word)
	}
	return person && model
}
