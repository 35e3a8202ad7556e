package index

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// Filter narrows what is asked for by what holds for a whole record. What is left out does not narrow it.
type Filter struct {
	Tags   []string // Tags must all be there, in any case.
	Topic  string   // Topic is one, with those below it.
	Branch string
	Author string // Author is a part of the name of a person, an agent or a model, in any case.
	Path   string // Path is a file, or a folder with what is below it.
	Since  time.Time
	Until  time.Time // Until is the time before which records were made.
}

// IsNarrow tells whether it leaves something out.
func (f Filter) IsNarrow() bool {
	return len(f.Tags) > 0 || f.Topic+f.Branch+f.Author+f.Path != "" || !f.Since.IsZero() || !f.Until.IsZero()
}

// Admits tells whether a record passes.
func (f Filter) Admits(c *packet.Content) bool {
	switch {
	case f.Branch != "" && c.Anchor.Branch != f.Branch:
	case !f.Since.IsZero() && c.CreatedAt.Before(f.Since):
	case !f.Until.IsZero() && !c.CreatedAt.Before(f.Until):
	case f.Topic != "" && !packet.IsWithin(c.Topic, strings.ToLower(f.Topic)):
	case f.Author != "" && !slices.ContainsFunc(writersOf(c.Provenance), func(name string) bool {
		return strings.Contains(name, strings.ToLower(f.Author))
	}):
	case f.Path != "" && !citation.NamesPath(c.Paths, f.Path):
	case slices.ContainsFunc(f.Tags, func(want string) bool {
		return !slices.ContainsFunc(c.Tags, func(tag string) bool { return strings.EqualFold(tag, want) })
	}):
	default:
		return true
	}
	return false
}

// writersOf are who wrote a record, in lower case.
func writersOf(by packet.Provenance) []string {
	return []string{
		strings.ToLower(by.AuthorHuman), strings.ToLower(by.Agent),
		strings.ToLower(cmp.Or(by.AuthorModel, by.Model)),
	}
}

// admitsRecord reports whether a record as a whole passes the filters of a query.
func (a *asked) admitsRecord(h *head) bool {
	return a.Admits(&h.Content) && (a.Signers == nil || slices.Contains(a.Signers, h.signer)) &&
		(a.Counter == "" || slices.Contains(h.shownCounters(), a.Counter))
}

// admitsItem reports whether an item is of a kind that a query asks for.
func (a *asked) admitsItem(h *head, item *packet.Item) bool {
	return len(a.Kinds) == 0 || slices.ContainsFunc(a.Kinds, func(kind string) bool {
		return strings.EqualFold(kind, item.Kind) || strings.EqualFold(kind, string(h.Kind)) ||
			h.Kind == packet.KindNote && strings.EqualFold(kind, ofNote(item))
	})
}

// hitOf is an item of a record as it is handed out.
func (h *head) hitOf(ref string, i int) Hit {
	hit := Hit{
		Ref: ref, ID: idOf(ref), Item: h.Items[i], Record: &h.Content, Cites: h.cites, CitesLines: h.citesLines,
		Signer: h.signer,
	}
	hit.Confidence = cmp.Or(hit.Confidence, h.Confidence)
	return hit
}
