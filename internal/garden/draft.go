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
	Kind    string   `json:"kind"`
	Text    string   `json:"text"`
	Why     string   `json:"why,omitempty"`
	Tags    []string `json:"tags"`
	LeftOut []string `json:"left_out,omitempty"` // sentences for which there was no room
}

// draftOf writes the draft for cards, the newest wording first. What differs in
// nothing but case, white space and marks is kept once.
func draftOf(cards []Card, tags []string) Draft {
	cards = slices.Clone(cards)
	slices.SortStableFunc(cards, func(a, b Card) int { return b.Created.Compare(a.Created) })
	count := map[string]int{}
	for _, c := range cards {
		count[c.Kind]++
	}
	common := slices.MaxFunc(cards, func(a, b Card) int { return cmp.Compare(count[a.Kind], count[b.Kind]) })
	d := Draft{Kind: common.Kind}               // of several, that of the newest card
	seen, left := map[string]bool{}, draftBytes // folded sentences that were taken up, and bytes that are left
	for _, c := range cards {
		d.addNew(&d.Text, c.Text, draftText, seen, &left)
	}
	for _, c := range cards {
		d.addNew(&d.Why, c.Why, draftWhy, seen, &left)
	}
	for _, tag := range tags {
		if len(tag) <= longTag && len(d.Tags) < draftTags {
			d.Tags = append(d.Tags, tag)
		}
	}
	return d
}

// addNew adds the new sentences of a text to a part of the draft, which has at most so many characters.
func (d *Draft) addNew(to *string, text string, room int, seen map[string]bool, bytes *int) {
	for _, s := range splitSentences(text) {
		key := cmp.Or(Fold(s.text), strings.TrimSpace(s.text))
		if seen[key] {
			continue
		}
		seen[key] = true
		gap := " "
		last, _ := utf8.DecodeLastRuneInString(*to)
		if *to == "" {
			gap = ""
		} else if s.newLine || !strings.ContainsRune(".!?。！？", last) {
			gap = "\n"
		}
		next := *to + gap + s.text
		size := clean.EncodedLen(next) - clean.EncodedLen(*to)
		if utf8.RuneCountInString(next) > room || size > *bytes {
			d.LeftOut = append(d.LeftOut, s.text)
			continue
		}
		*to, *bytes = next, *bytes-size
	}
}
