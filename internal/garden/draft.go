package garden

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// What fits a note.
const (
	draftText = 2048 // characters
	draftWhy  = 1024 // characters
	// of text and reason as they stand in JSON; a note of 4,096 also holds where and when it was made
	draftBytes = 3072
	draftTags  = 16
	longTag    = 32
)

// A Draft is a note in place of several. Each of its sentences stood in one of
// them.
type Draft struct {
	Kind, Text, Why string
	Tags            []string
	LeftOut         []string // sentences for which there was no room
}

// draftOf writes the draft for cards, the newest wording first. What differs in
// nothing but case, white space and marks is kept once.
func draftOf(cards []Card, tags []countedTag) Draft {
	cards = slices.Clone(cards)
	slices.SortStableFunc(cards, func(a, b Card) int { return b.Created.Compare(a.Created) })
	count := map[string]int{}
	for _, c := range cards {
		count[c.Kind]++
	}
	common := slices.MaxFunc(cards, func(a, b Card) int { return cmp.Compare(count[a.Kind], count[b.Kind]) })
	d := Draft{Kind: common.Kind} // of several, that of the newest card
	w := writer{seen: map[string]bool{}, bytes: draftBytes}
	var texts, whys []string
	for _, c := range cards {
		texts, whys = append(texts, c.Text), append(whys, c.Why)
	}
	d.Text = w.writeNew(texts, draftText)
	d.Why = w.writeNew(whys, draftWhy)
	d.LeftOut = w.left
	for _, tag := range tags {
		if len(tag.name) <= longTag && len(d.Tags) < draftTags {
			d.Tags = append(d.Tags, tag.name)
		}
	}
	return d
}

// A writer puts sentences together that were not there before.
type writer struct {
	seen  map[string]bool // folded sentences that were taken up
	bytes int             // that are left
	left  []string
}

// writeNew returns the new sentences of the texts, in at most so many characters.
func (w *writer) writeNew(texts []string, room int) string {
	var out string
	for _, text := range texts {
		for _, s := range splitSentences(text) {
			key := cmp.Or(foldText(s.text), strings.TrimSpace(s.text))
			if w.seen[key] {
				continue
			}
			w.seen[key] = true
			gap := " "
			last, _ := utf8.DecodeLastRuneInString(out)
			if out == "" {
				gap = ""
			} else if s.newLine || !strings.ContainsRune(".!?。！？", last) {
				gap = "\n"
			}
			next := out + gap + s.text
			if size := clean.EncodedLen(next) - clean.EncodedLen(out); utf8.RuneCountInString(next) <= room && size <= w.bytes {
				out, w.bytes = next, w.bytes-size
			} else {
				w.left = append(w.left, s.text)
			}
		}
	}
	return out
}
