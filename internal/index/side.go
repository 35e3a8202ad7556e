package index

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

const (
	sideWeight = 0.6 // sideWeight is what remains of the relevance of an item that says what is to be done.
	pathBonus  = 0.5 // pathBonus is how much of what its relevance lacks an item gets whose record names a path of the query.
)

// sideKinds are the kinds of items that say what somebody was about to do, less those that a query asks for by its words or by
// kind. They share their words with what is known, and seldom answer a question.
func sideKinds(text string, kinds []string) []string {
	words := strings.FieldsFunc(text, func(c rune) bool { return c < 'a' || c > 'z' })
	asksFor := func(list ...string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(list, word) })
	}
	asked := map[string]bool{
		packet.ItemGoal:      asksFor("goal", "goals", "aim", "purpose"),
		packet.ItemNext:      asksFor("next", "step", "steps", "todo", "remain", "remains", "remaining", "left") || strings.Contains(text, "to do"),
		packet.ItemQuestion:  asksFor("open", "question", "questions", "settled", "unsettled", "unclear", "decided", "undecided"),
		packet.ItemCriterion: asksFor("criterion", "criteria", "done", "success"),
	}
	var side []string
	for _, kind := range []string{packet.ItemCriterion, packet.ItemGoal, packet.ItemNext, packet.ItemQuestion} {
		if !asked[kind] && !slices.Contains(kinds, kind) {
			side = append(side, kind)
		}
	}
	return side
}

// kindOf returns a kind of items or records, or what another word for one means.
func kindOf(word string) (kind string, ok bool) {
	word = strings.ToLower(word)
	switch word {
	case packet.ItemGoal, packet.ItemNext, packet.ItemCriterion, packet.ItemConstraint, packet.ItemQuestion, packet.ItemDecision,
		packet.ItemMethod, packet.ItemAttempt, packet.ItemSkip, string(packet.KindPacket), string(packet.KindNote):
		return word, true
	default:
		return packet.NoteKind(word)
	}
}

// appendPath appends a word that may be a path: it has a folder, and is no address.
func appendPath(paths []string, word string) []string {
	if !strings.ContainsAny(word, `/\`) || strings.Contains(word, "://") {
		return paths
	}
	p, _, _ := strings.Cut(strings.Trim(word, "\"'`()[]<>,;"), ":")
	if p = cleanPath(p); !strings.Contains(p, "/") {
		return paths
	}
	return append(paths, p)
}

// names reports whether a record names a path of a query, which may be the end of a longer one.
func (a *asked) names(h *head) bool {
	return slices.ContainsFunc(a.paths, func(want string) bool {
		return slices.ContainsFunc(h.paths, func(p string) bool {
			p = cleanPath(p)
			return p == want || strings.HasSuffix(p, "/"+want)
		})
	})
}

// adjusted is the relevance of an item beside its words: by its kind, and by the paths that its record names.
func (a *asked) adjusted(relevance float64, h *head, item *headItem) float64 {
	if slices.Contains(a.side, item.kind) {
		relevance *= sideWeight
	}
	if a.names(h) {
		relevance += pathBonus * (1 - relevance)
	}
	return relevance
}
