package recall

import (
	"context"
	"iter"
	"os"
	"time"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// asker lets a memory ask its kept index, which is opened when it is first asked. Where none is kept, none is
// made.
type asker struct {
	memory *memory.Memory
	now    func() time.Time
	recall *Recall // nil until it is asked
	failed bool
}

// Views returns what gives each memory its view.
func Views(now func() time.Time) func(*memory.Memory) replay.View {
	return func(m *memory.Memory) replay.View { return &asker{memory: m, now: now} }
}

// readyIndex returns the index where it is as the refs are, or can be brought up to them.
func (v *asker) readyIndex(ctx context.Context) (*index.Index, bool) {
	if v.failed {
		return nil, false
	}
	if v.recall == nil {
		if _, err := os.Lstat(IndexPath(v.memory)); err != nil {
			return nil, false
		}
		v.recall = openHere(v.memory, Options{Now: v.now})
		v.recall.kept = true
		v.memory.UseView(v)
	}
	err := v.recall.refreshIndex(ctx)
	v.failed = err != nil || !v.recall.fresh
	return v.recall.index, !v.failed
}

// Close closes the index.
func (v *asker) Close() error {
	if v.recall == nil {
		return nil
	}
	return v.recall.Close()
}

// Events names the events about some records.
func (v *asker) Events(ctx context.Context, ids []string) ([]string, bool) {
	x, ok := v.readyIndex(ctx)
	if !ok {
		return nil, false
	}
	names, err := x.AllEvents(ctx, ids)
	v.failed = err != nil
	return names, err == nil
}

// Newest names the records that may be what a query asks for.
func (v *asker) Newest(ctx context.Context, q replay.Query) (iter.Seq2[string, error], bool) {
	x, ok := v.readyIndex(ctx)
	if !ok {
		return nil, false
	}
	if q.Kind == "" {
		q.Kind = packet.KindPacket
	}
	kinds := []string{string(q.Kind)}
	if q.Kind == packet.KindNote && len(q.Notes) > 0 {
		kinds = nil
		for _, kind := range q.Notes {
			kinds = append(kinds, string(q.Kind)+"/"+kind)
		}
	}
	asked := index.Query{Kinds: kinds, Filter: q.Filter}
	if q.Vouched {
		trusted := v.recall.listCrowds(ctx, replay.Strictly)
		if v.failed = v.recall.takeFault() != nil; v.failed {
			return nil, false
		}
		asked.Signers = trusted[0].signers
	}
	return func(yield func(string, error) bool) {
		last := ""
		for h, err := range x.All(ctx, asked) {
			if err == nil && h.Ref == last {
				continue
			}
			if last = h.Ref; !yield(h.Ref, err) || err != nil {
				return
			}
		}
	}, true
}
