package index

import (
	"context"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// A sort is a set of records of which the newest are found without a look at all others: those with an item
// of a kind, by themselves and with a branch, each also with who put it here; and those of a kind with a tag,
// a topic or an author. It is kept as a sum of its name: what has the same sum by chance is left out by the
// filters.
//
// sortOf names one: the letters of what it is of, and a text for each.
func sortOf(letters string, texts ...string) string {
	return letters + "\x00" + strings.ToLower(strings.Join(texts, "\x00"))
}

// sumOf is how a sort is kept.
func sumOf(text string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(text))
	return int64(h.Sum64()) //nolint:gosec // The bits of a sum.
}

// mostSorts is how many sorts a query may ask for before all records are looked at.
const mostSorts = 64

// sortNames are the sorts that a record is of.
func (h *head) sortNames() []int64 {
	if len(h.Items) == 0 {
		return nil
	}
	var list []int64
	add := func(s string) { list = append(list, sumOf(s)) }
	kinds := h.kindNames()
	for _, kind := range kinds {
		add(sortOf("k", kind))
		add(sortOf("ks", kind, h.signer))
		if h.Anchor.Branch != "" {
			add(sortOf("kb", kind, h.Anchor.Branch))
			add(sortOf("kbs", kind, h.Anchor.Branch, h.signer))
		}
	}
	if h.Kind == packet.KindPacket {
		kinds = []string{string(h.Kind)}
	}
	for _, kind := range kinds {
		for _, tag := range h.Tags {
			add(sortOf("kt", kind, tag))
		}
		for at, c := range h.Topic + "/" {
			if c == '/' {
				add(sortOf("kp", kind, h.Topic[:at]))
			}
		}
		for _, name := range writersOf(h.Provenance) {
			add(sortOf("ka", kind, name))
		}
	}
	for _, counter := range h.shownCounters() {
		add(sortOf("c", counter))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// kindNames are the kind of a record and those of its items, each once.
func (h *head) kindNames() []string {
	kinds := []string{strings.ToLower(string(h.Kind))}
	for i := range h.Items {
		kinds = append(kinds, strings.ToLower(h.Items[i].Kind))
		if h.Kind == packet.KindNote {
			kinds = append(kinds, strings.ToLower(ofNote(&h.Items[i])))
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// ofNote is the kind of a note apart from that of an item of a packet.
func ofNote(i *packet.Item) string { return string(packet.KindNote) + "/" + i.Kind }

// sortLists are the sorts of which a record has to be one to pass the filters of a query, where authors are
// the names that hold the one that is asked for. There is none where any will do.
func (a *asked) sortLists(authors []string) []int64 {
	kinds := a.Kinds
	if len(kinds) == 0 &&
		(a.Branch != "" || len(a.Tags) > 0 || a.Topic != "" || a.Author != "" || a.Signers != nil) {
		kinds = []string{string(packet.KindPacket), string(packet.KindNote), string(packet.KindSkip)}
	}
	var all []string
	switch {
	case a.Counter != "":
		all = []string{sortOf("c", a.Counter)}
	case len(a.Tags) > 0:
		all = crossSorts("kt", withPackets(kinds), a.Tags[:1])
	case a.Topic != "":
		all = crossSorts("kp", withPackets(kinds), []string{strings.TrimRight(a.Topic, "/")})
	case a.Author != "":
		all = crossSorts("ka", withPackets(kinds), authors)
	case a.Branch != "":
		all = crossSorts("kb", kinds, []string{a.Branch})
		all = a.bySigner(all)
	default:
		all = crossSorts("k", kinds, nil)
		all = a.bySigner(all)
	}
	if len(all) > mostSorts {
		return nil
	}
	sums := make([]int64, len(all))
	for i, s := range all {
		sums[i] = sumOf(s)
	}
	if a.Author != "" && len(sums) == 0 {
		sums = []int64{sumOf(sortOf("none"))} // Nobody of that name wrote anything.
	}
	slices.Sort(sums)
	return slices.Compact(sums)
}

// crossSorts are the sorts of each kind with each text.
func crossSorts(letters string, kinds, texts []string) (all []string) {
	for _, kind := range kinds {
		if letters == "k" {
			all = append(all, sortOf("k", kind))
		}
		for _, text := range texts {
			all = append(all, sortOf(letters, kind, text))
		}
	}
	return all
}

// withPackets adds packets to kinds of which some may be those of their items.
func withPackets(kinds []string) []string {
	if slices.Contains(kinds, string(packet.KindPacket)) {
		return kinds
	}
	return append(slices.Clone(kinds), string(packet.KindPacket))
}

// bySigner narrows sorts to the signers that are asked for, where that is not too much to look up.
func (a *asked) bySigner(all []string) []string {
	if a.Signers == nil || len(all)*len(a.Signers) > mostSorts {
		return all
	}
	var some []string
	for _, s := range all {
		letters, texts, _ := strings.Cut(s, "\x00")
		for _, signer := range a.Signers {
			some = append(some, sortOf(letters+"s", texts, signer))
		}
	}
	if len(some) == 0 {
		return []string{sortOf("none")}
	}
	return some
}

// authorsOf are the names of writers that hold the one that a query asks for; not ok where they are too many.
func (x *Index) authorsOf(ctx context.Context, a *asked) (names []string, ok bool, err error) {
	if a.Author == "" {
		return nil, true, nil
	}
	counts, err := x.Counts(ctx, countName)
	want := strings.ToLower(a.Author)
	for name := range counts {
		if name, _ = strings.CutPrefix(name, countName); strings.Contains(name, want) {
			names = append(names, name)
		}
	}
	return names, len(names) <= mostSorts, err
}

// filterSorts are the sorts of which a record has to be one to pass the filters of a query; none where any
// will do.
func (x *Index) filterSorts(ctx context.Context, a *asked) ([]int64, error) {
	authors, few, err := x.authorsOf(ctx, a)
	if !few {
		return nil, err
	}
	return a.sortLists(authors), err
}

// orderOf is where a record stands among others: the newest by their ids come first, and of one moment those
// of the last refs.
func orderOf(ref string) int64 { return packet.ID(idOf(ref)).Time().UnixMilli() }
