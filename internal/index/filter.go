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
	case a.Branch != "" && h.branch != a.Branch:
	case !a.Since.IsZero() && h.created.Before(a.Since):
	case !a.Until.IsZero() && !h.created.Before(a.Until):
	case a.Topic != "" && !packet.IsWithin(h.topic, strings.ToLower(a.Topic)):
	case a.Author != "" && !a.wroteIt(h):
	case a.Path != "" && !citation.NamesPath(h.paths, a.Path):
	case len(a.Tags) > 0 && slices.ContainsFunc(a.Tags, func(want string) bool {
		return !slices.ContainsFunc(h.tags, func(tag string) bool { return strings.EqualFold(tag, want) })
	}):
	case a.Signers != nil && !slices.Contains(a.Signers, h.signer):
	default:
		return true
	}
	return false
}

// admitsItem reports whether an item is of a kind that a query asks for.
func (a *asked) admitsItem(h *head, item *headItem) bool {
	return len(a.Kinds) == 0 || slices.ContainsFunc(a.Kinds, func(kind string) bool {
		return strings.EqualFold(kind, item.kind) || strings.EqualFold(kind, string(h.kind)) ||
			h.kind == packet.KindNote && strings.EqualFold(kind, item.ofNote())
	})
}

// wroteIt reports whether the author of a query is among those who wrote a record.
func (a *asked) wroteIt(h *head) bool {
	want := strings.ToLower(a.Author)
	return slices.ContainsFunc([]string{h.author, h.agent, h.model}, func(name string) bool {
		return strings.Contains(strings.ToLower(name), want)
	})
}

// hitOf is an item of a record as it is handed out.
func (h *head) hitOf(ref string, i int) Hit {
	item := &h.items[i]
	return Hit{
		Ref: ref, ID: idOf(ref), Record: h.kind, Place: item.place, Kind: item.kind, Created: h.created,
		Expires: h.expires,
		Impact:  h.impact, Confidence: cmp.Or(item.confidence, h.confidence),
		Branch: h.branch, Commit: h.commit, Author: h.author, Topic: h.topic, Tags: h.tags, Paths: h.paths,
		Locked: item.locked, Failed: item.failed, Cites: h.cites, CitesLines: h.citesLines,
		Signer: h.signer,
	}
}
