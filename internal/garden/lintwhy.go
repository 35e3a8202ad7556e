package garden

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

const (
	shortText = 50 // characters below which a text needs a reason
	stemLen   = 5  // letters of two words that make them one in different forms
)

// lintReason looks for a text that leaves the reader without a reason.
func (l *linter) lintReason() {
	place, kind := l.item.Place, l.item.Kind
	if l.reason != "" {
		if needsReason(kind) && repeatsText(tokensOf(l.reason), l.words) {
			l.addAdvice(whyPlace(l.item), RuleRepeated,
				"Write what would go wrong otherwise; the reason says again what the text says.")
		}
		return
	}
	reasoned := hasReason(l.words)
	switch {
	case reasoned:
	case (needsReason(kind) || kind == "learning") && textWidth(l.item.Text) < shortText:
		l.addAdvice(place, RuleShort, "Write a sentence more: when it holds, and what goes wrong otherwise.")
	case needsReason(kind) && isEnglish(l.words) && !hasOrder(l.words):
		l.addAdvice(place, RuleNoReason,
			"Write what to do (\"use\", \"never\", \"must\"), or why it is so (\"because\", \"otherwise\").")
	}
}

// needsReason says whether an item of a kind is worth little without a reason.
func needsReason(kind string) bool {
	switch kind {
	case "procedure", kindDecision, kindPitfall, "preference":
		return true
	default:
		return false
	}
}

// reasonOf returns the reason of an item, or "" where there only stands
// something in its place.
func reasonOf(item packet.Item) string {
	if why := foldText(item.Why); why == "" || isListed("no reasons", why) {
		return ""
	}
	return item.Why
}

// textWidth counts the characters of a text. One of a script that does not part
// words says as much as two or three letters.
func textWidth(text string) int {
	n := 0
	for _, r := range text {
		if n++; r >= 0x2E80 {
			n += 2
		}
	}
	return n
}

// repeatsText says whether a reason has no word of its own.
func repeatsText(reason, text []token) bool {
	return !slices.ContainsFunc(reason, func(t token) bool {
		return !isListed("fillers", t.word) && !hasStem(text, t.word)
	})
}

// hasStem says whether one of the words is word in some form.
func hasStem(words []token, word string) bool {
	return slices.ContainsFunc(words, func(t token) bool {
		return t.word == word ||
			len(word) >= stemLen && len(t.word) >= stemLen && t.word[:stemLen] == word[:stemLen]
	})
}

// lintNextStep looks for a next step that does not say what to do.
func (l *linter) lintNextStep() {
	place, words := l.item.Place, l.words
	switch l.item.Kind {
	case packet.ItemNext:
	case kindTask: // The last line of its second text is what to do next, where it says so.
		last := l.item.Why[strings.LastIndexByte(l.item.Why, '\n')+1:]
		place, words = "/next_action", tokensOf(last)
	default:
		return
	}
	if isVague(words) {
		l.addAdvice(place, RuleVague,
			"Name the first thing to do, with the file, the command or the question: \"make TestLogin "+
				"pass in auth/login_test.go\".")
	}
}

// isVague says whether none of the words names a thing.
func isVague(words []token) bool {
	for _, t := range words {
		if !isListed("fillers", t.word) && !isListed("vague", t.word) {
			return false
		}
	}
	return len(words) > 0
}

// lintLesson looks for a failed attempt of which nobody wrote what it taught.
func (l *linter) lintLesson() {
	if l.item.Kind != packet.ItemAttempt || !l.item.Failed {
		return
	}
	if why := foldText(l.item.Why); why == "" || isListed("no lessons", why) {
		l.addAdvice(l.item.Place, RuleNoLesson,
			"Write in \"learned\" why it failed and what to do instead, so that nobody tries it again.")
	}
}
