package index

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// A sort is a set of records of which the newest are found without a look at all others: those with an item of a kind, by
// themselves and with a branch, each also with who put it here; and those of a kind with a tag, a topic or an author. It is kept
// as a sum of its name: what has the same sum by chance is left out by the filters.
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

// sorts are the sorts that a record is of.
func (h *head) sorts() []int64 {
	if len(h.items) == 0 {
		return nil
	}
	var list []int64
	add := func(s string) { list = append(list, sumOf(s)) }
	kinds := h.kinds()
	for _, kind := range kinds {
		add(sortOf("k", kind))
		add(sortOf("ks", kind, h.signer))
		if h.branch != "" {
			add(sortOf("kb", kind, h.branch))
			add(sortOf("kbs", kind, h.branch, h.signer))
		}
	}
	if h.kind == packet.KindPacket {
		kinds = []string{string(h.kind)}
	}
	for _, kind := range kinds {
		for _, tag := range h.tags {
			add(sortOf("kt", kind, tag))
		}
		for at, c := range h.topic + "/" {
			if c == '/' {
				add(sortOf("kp", kind, h.topic[:at]))
			}
		}
		for _, name := range h.names() {
			add(sortOf("ka", kind, name))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// kinds are the kind of a record and those of its items, each once.
func (h *head) kinds() []string {
	kinds := []string{strings.ToLower(string(h.kind))}
	for i := range h.items {
		kinds = append(kinds, strings.ToLower(h.items[i].kind))
		if h.kind == packet.KindNote {
			kinds = append(kinds, strings.ToLower(h.items[i].ofNote()))
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// ofNote is the kind of a note apart from that of an item of a packet.
func (i *headItem) ofNote() string { return string(packet.KindNote) + "/" + i.kind }

// names are who wrote a record, in lower case.
func (h *head) names() []string {
	return []string{strings.ToLower(h.author), strings.ToLower(h.agent), strings.ToLower(h.model)}
}

// sorts are the sorts of which a record has to be one to pass the filters of a query, where authors are the names that hold the
// one that is asked for. There is none where any will do.
func (a *asked) sorts(authors []string) []int64 {
	kinds := a.Kinds
	if len(kinds) == 0 && (a.Branch != "" || len(a.Tags) > 0 || a.Topic != "" || a.Author != "" || a.Signers != nil) {
		kinds = []string{string(packet.KindPacket), string(packet.KindNote), string(packet.KindSkip)}
	}
	var all []string
	switch {
	case len(a.Tags) > 0 && (!a.Any || len(a.Tags) == 1):
		all = crossed("kt", withPackets(kinds), a.Tags[:1])
	case a.Topic != "":
		all = crossed("kp", withPackets(kinds), []string{strings.TrimRight(a.Topic, "/")})
	case a.Author != "":
		all = crossed("ka", withPackets(kinds), authors)
	case a.Branch != "":
		all = crossed("kb", kinds, []string{a.Branch})
		all = a.bySigner(all)
	default:
		all = crossed("k", kinds, nil)
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

// crossed are the sorts of each kind with each text.
func crossed(letters string, kinds, texts []string) (all []string) {
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
	counts, err := x.Counts(ctx, countAuthor)
	want := strings.ToLower(a.Author)
	for name := range counts {
		if name, _ = strings.CutPrefix(name, countAuthor); strings.Contains(name, want) {
			names = append(names, name)
		}
	}
	return names, len(names) <= mostSorts, err
}

// signerWord is a word that no text has and each item of a record has that somebody put here.
func signerWord(signer string) string {
	return "#" + hex.EncodeToString(binary.BigEndian.AppendUint64(nil, uint64(sumOf(signer)))) + " " //nolint:gosec // See above.
}

// ofSigners narrows what a full-text query matches to items of some signers.
func (a *asked) ofSigners(match string) string {
	if a.Signers == nil {
		return match
	}
	words := []string{quote(strings.TrimSpace(signerWord("\x00nobody")))}
	for _, signer := range a.Signers {
		words = append(words, quote(strings.TrimSpace(signerWord(signer))))
	}
	return "(" + match + ") AND (" + strings.Join(words, " OR ") + ")"
}

// orderOf is where a record stands among others: the newest by their ids come first, and of one moment those of the last refs.
func orderOf(ref string) int64 { return packet.ID(idOf(ref)).Time().UnixMilli() }

// addSorts notes the sorts of a record.
func (w *writer) addSorts(ctx context.Context, n int64, p *prepared) error {
	if len(p.sorts) == 0 {
		return nil
	}
	args := make([]any, 0, 3*len(p.sorts))
	for _, sum := range p.sorts {
		args = append(args, sum, orderOf(p.Ref), n)
	}
	// A statement that may fail after its first row would have the full-text table write out what it has gathered so far.
	return w.exec(ctx, "INSERT OR IGNORE INTO sort VALUES (?, ?, ?)"+strings.Repeat(", (?, ?, ?)", len(p.sorts)-1), args...)
}

// removeSorts takes the sorts of a record out.
func (w *writer) removeSorts(ctx context.Context, n int64, ref string, h *head) error {
	for _, sum := range h.sorts() {
		if err := w.exec(ctx, "DELETE FROM sort WHERE name = ? AND at = ? AND n = ?", sum, orderOf(ref), n); err != nil {
			return err
		}
	}
	return nil
}

// newestOfSort finds the newest records of one sort before a record.
const newestOfSort = `SELECT * FROM (SELECT s.at AS at, r.ref AS ref, s.n AS n FROM sort s JOIN record r ON r.n = s.n
	WHERE s.name = ? AND s.at <= ? AND (s.at < ? OR r.ref < ?) ORDER BY s.at DESC, r.ref DESC LIMIT ?)`

// newestOf returns a statement that finds the newest records of any of some sorts before a record, and what it is given.
func newestOf(sums []int64, at int64, ref string, limit int) (query string, args []any) {
	for _, sum := range sums {
		args = append(args, sum, at, at, ref, limit)
	}
	parts := slices.Repeat([]string{newestOfSort}, len(sums))
	return `SELECT r.ref, r.at, r.items, r.head FROM (` + strings.Join(parts, " UNION ") + ` ORDER BY 1 DESC, 2 DESC LIMIT ?) t
		JOIN record r ON r.n = t.n ORDER BY t.at DESC, t.ref DESC`, append(args, limit)
}
