package recall

import (
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/index"
)

// countAll are the counters whose names begin with a word, by the rest of their names. An index that is
// behind does not tell them, so that then everything is read.
func (r *Recall) countAll(ctx context.Context) (all counters) {
	var listed []index.Listed
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
		documents, err := r.memory.Source().Documents(ctx, some)
		if r.noteFault(err) {
			return nil
		}
		for _, d := range documents {
			for _, name := range d.Counters() {
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
