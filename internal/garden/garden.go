// Package garden says what could be better about records: which notes say the
// same, which could become one, what a text lacks that another session would
// need, and what the history of a project shows as done.
//
// It promises the same answer for the same records, in whatever order they
// come. It is pure: it reads no clock and no file, it asks no model, and
// every sentence of a draft stood in one of the sources. It proposes and never
// changes anything. The texts that it gives back are as hostile as those that
// came in; who prints them cleans them.
package garden

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// A Card is what gardening needs to know of one small record.
type Card struct {
	ID   string   `json:"id"`            // required
	Kind string   `json:"kind"`          // required: a kind of note
	Text string   `json:"text"`          // what it says
	Why  string   `json:"why,omitempty"` // the reason
	Tags []string `json:"-"`             // slugs
	// who wrote it and how far that is trusted, in the caller's words; only equal ones mix
	Class string `json:"-"`
	Store string `json:"-"` // who can see it, in the caller's words; only equal ones mix

	Created time.Time `json:"-"`
}

// compareCards orders cards by id. The rest counts for cards of one id only,
// so that the order in which they come never shows.
func compareCards(a, b Card) int {
	rest := func(c Card) []string { return append([]string{c.Kind, c.Text, c.Why, c.Class, c.Store}, c.Tags...) }
	return cmp.Or(strings.Compare(a.ID, b.ID), a.Created.Compare(b.Created), slices.Compare(rest(a), rest(b)))
}

// subjectTags returns the tags that say what a card is about, each once and in
// order. Where a card came from is not what it is about.
func subjectTags(tags []string) []string {
	kept := slices.DeleteFunc(slices.Clone(tags), func(tag string) bool {
		return tag == "" || tag == "source" || strings.HasPrefix(tag, "source:") ||
			strings.HasPrefix(tag, "source-")
	})
	slices.Sort(kept)
	return slices.Compact(kept)
}
