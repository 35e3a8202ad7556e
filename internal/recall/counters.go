package recall

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// How the names of the counters begin that the index keeps of records, each with the word behind it that is
// counted. What is private is counted by its kind alone; events have no author and no week.
const (
	countKind    = "kind "    // packet, note, skip or event
	countPrivate = "private " // the same, of what never leaves this clone
	countRemote  = "remote "  // the same, of what a remote alone holds
	countSigner  = "by "      // who put it here
	countNote    = "note "    // the kind of a note
	countEvent   = "event "   // what an event says
	countSigned  = "signed "  // yes or no
	countAuthor  = "author "
	countBranch  = "branch "
	countWeek    = "week " // the Monday of the week in which it was made
)

// countersOf are the counters of a record.
func countersOf(t replay.Text) []string {
	kind := string(t.Content.Kind)
	counters := []string{countKind + kind}
	told := t.Content.Kind != packet.KindEvent
	if told {
		counters = append(counters, countSigner+t.Signer)
	}
	if t.Private {
		return append(counters, countPrivate+kind)
	}
	if t.Remote {
		counters = append(counters, countRemote+kind)
	}
	if !told {
		return append(counters, countEvent+t.Event.Event)
	}
	if t.Content.Kind == packet.KindNote && len(t.Content.Items) > 0 {
		counters = append(counters, countNote+t.Content.Items[0].Kind)
	}
	signed := "no"
	if t.Signed {
		signed = "yes"
	}
	return append(counters, countSigned+signed,
		countAuthor+clean.Line(provenance.By(t.Content.Provenance)),
		countBranch+clean.Line(t.Content.Anchor.Branch),
		countWeek+mondayOf(t.Content.CreatedAt).Format(time.DateOnly))
}

// countAll are the counters whose names begin with a word, by the rest of their names. An index that is
// behind does not tell them, so that then everything is read.
func (r *Recall) countAll(ctx context.Context) (all counters) {
	var listed []replay.Listed
	var err error
	if !IsIndexed(r.memory) { // No index is made of nothing.
		if listed, err = r.memory.Source().Listing(ctx); r.noteFault(err) || len(listed) == 0 {
			return nil
		}
	}
	if r.noteFault(r.refreshIndex(ctx)) {
		return nil
	}
	if r.fresh {
		all, err = r.index.Counts(ctx, "")
		r.noteFault(err)
		return all
	}
	listed, err = r.memory.Source().Listing(ctx)
	r.noteFault(err)
	all = counters{}
	for some := range slices.Chunk(listed, countedAtOnce) {
		texts, err := r.memory.Source().Texts(ctx, some)
		if r.noteFault(err) {
			return nil
		}
		for _, t := range texts {
			for _, name := range countersOf(t) {
				all[name]++
			}
		}
	}
	return all
}

// countedAtOnce is how many records are read at once where nothing counted them.
const countedAtOnce = 512

// counters are how often each name was counted.
type counters map[string]int

// withPrefix are those of one sort, by the rest of their names.
func (c counters) withPrefix(prefix string) map[string]int {
	some := map[string]int{}
	for name, n := range c {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			some[rest] = n
		}
	}
	return some
}

// sumOf is how many records there are of one sort.
func (c counters) sumOf(prefix string) (n int) {
	for _, some := range c.withPrefix(prefix) {
		n += some
	}
	return n
}

// mondayOf is the one with which the week of a time begins.
func mondayOf(at time.Time) time.Time {
	day := at.UTC().Truncate(24 * time.Hour)
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}
