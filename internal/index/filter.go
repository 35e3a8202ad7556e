package index

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// admitsRecord reports whether a record as a whole passes the filters of a query.
func (a *asked) admitsRecord(h *head) bool {
	switch {
	case a.Branch != "" && h.Anchor.Branch != a.Branch:
	case !a.Since.IsZero() && h.CreatedAt.Before(a.Since):
	case !a.Until.IsZero() && !h.CreatedAt.Before(a.Until):
	case a.Topic != "" && !packet.IsWithin(h.Topic, strings.ToLower(a.Topic)):
	case a.Author != "" && !a.wroteIt(h):
	case a.Path != "" && !citation.NamesPath(h.Paths, a.Path):
	case len(a.Tags) > 0 && slices.ContainsFunc(a.Tags, func(want string) bool {
		return !slices.ContainsFunc(h.Tags, func(tag string) bool { return strings.EqualFold(tag, want) })
	}):
	case a.Counter != "" && !slices.Contains(h.shownCounters(), a.Counter):
	case a.Signers != nil && !slices.Contains(a.Signers, h.signer):
	default:
		return true
	}
	return false
}

// admitsItem reports whether an item is of a kind that a query asks for.
func (a *asked) admitsItem(h *head, item *packet.Item) bool {
	return len(a.Kinds) == 0 || slices.ContainsFunc(a.Kinds, func(kind string) bool {
		return strings.EqualFold(kind, item.Kind) || strings.EqualFold(kind, string(h.Kind)) ||
			h.Kind == packet.KindNote && strings.EqualFold(kind, ofNote(item))
	})
}

// wroteIt reports whether the author of a query is among those who wrote a record.
func (a *asked) wroteIt(h *head) bool {
	want := strings.ToLower(a.Author)
	return slices.ContainsFunc(h.names(), func(name string) bool { return strings.Contains(name, want) })
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
