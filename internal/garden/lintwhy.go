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
	width := 0 // A character of a script that does not part words says as much as two or three letters.
	for _, r := range l.item.Text {
		if width++; r >= 0x2E80 {
			width += 2
		}
	}
	switch {
	case hasReason(l.words):
	case (needsReason(kind) || kind == "learning") && width < shortText:
		l.addAdvice(place, RuleShort, "Write a sentence more: when it holds, and what goes wrong otherwise.")
	case needsReason(kind) && !hasOrder(l.words) && slices.ContainsFunc(l.words, func(t token) bool {
		return isListed("english", t.word) // Of another language nothing can be asked.
	}):
		l.addAdvice(place, RuleNoReason,
			"Write what to do (\"use\", \"never\", \"must\"), or why it is so (\"because\", \"otherwise\").")
	}
}

// needsReason says whether an item of a kind is worth little without a reason.
func needsReason(kind string) bool {
	return slices.Contains([]string{"procedure", kindDecision, kindPitfall, "preference"}, kind)
}

// repeatsText says whether a reason has no word of its own.
func repeatsText(reason, text []token) bool {
	return !slices.ContainsFunc(reason, func(t token) bool {
		return !isListed("fillers", t.word) && !slices.ContainsFunc(text, func(o token) bool { // in some form
			return o.word == t.word ||
				len(t.word) >= stemLen && len(o.word) >= stemLen && o.word[:stemLen] == t.word[:stemLen]
		})
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
	return len(words) > 0 && !slices.ContainsFunc(words, func(t token) bool {
		return !isListed("fillers", t.word) && !isListed("vague", t.word)
	})
}
