package index

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/view"
)

// writer changes what an index holds. There is one at a time. It writes segments, then the state that names
// them, and then removes what no state names any more, so that whoever reads finds the one or the other,
// wherever a writer dies.
type writer struct {
	dir    *local.Dir
	old    *snapshot
	memory *snapshot   // memory takes the segments of an index that lies in memory.
	kept   []view.Info // kept are the segments that count.
	done   Synced

	stamp view.Stamp // stamp is that of the state.
	young []string   // young are the young records of the list with that stamp.
	next  builder    // next is the segment that is being gathered.
}

// sweepFiles removes the files that the state does not name: a writer died before it could.
func (w *writer) sweepFiles() error {
	names := []string{filepath.Base(view.StateFile(w.dir).Path()), filepath.Base(view.LockFile(w.dir).Path())}
	for _, seg := range w.kept {
		names = append(names, seg.Name)
	}
	return w.dir.Prune(func(name string) bool { return slices.Contains(names, name) })
}

// followPlan takes out and adds what a plan says. A segment of which something is taken out is written anew
// without it.
func (w *writer) followPlan(ctx context.Context, p plan, stamp view.Stamp, load Load) error {
	w.stamp, w.young = view.Stamp{}, nil // Until all is done, no list is the one that the segments hold.
	for seg, gone := range p.gone {
		if err := w.takeSegment(seg, gone); err != nil {
			return err
		}
		w.done.Removed += len(gone)
	}
	if err := w.addAll(ctx, p.fresh, load); err != nil {
		return err
	}
	if err := w.foldSegments(); err != nil {
		return err
	}
	w.stamp, w.young = stamp, p.young
	if len(p.young) > MostYoung { // The next list is one of all records.
		w.stamp, w.young = view.Stamp{}, nil
	}
	if err := w.flushBuilder(); err != nil || w.dir == nil {
		return err
	}
	if len(p.gone) > 0 { // What is gone here must not stay with what another version keeps.
		return view.DropOthers(w.dir)
	}
	return nil
}

// takeSegment gathers the records of a segment but some, and lets go of the segment.
func (w *writer) takeSegment(seg *segment, but map[int]bool) error {
	w.kept = slices.DeleteFunc(w.kept, func(k view.Info) bool { return k.Name == seg.Name })
	for n := range seg.Records {
		if but[n] {
			continue
		}
		r, err := seg.recordAt(n)
		if err != nil {
			return err
		}
		if len(r.head.Items) > 0 {
			words, ok, err := seg.Get(numberKey(keyWords, n))
			if err != nil || !ok {
				return cmp.Or(err, errDecode)
			}
			r.words = words
		}
		if err := w.addPrepared(r.prepared); err != nil {
			return err
		}
	}
	return nil
}

// addPrepared takes a record into the segment that is being gathered, and writes that when it is full.
func (w *writer) addPrepared(p prepared) error {
	w.next.records = append(w.next.records, p)
	w.next.bytes += len(p.body) + len(p.words)
	if !(len(w.next.records) >= mostRecords || w.next.bytes >= segmentBytes) {
		return nil
	}
	return w.writeBuilt()
}

// foldFactor is how many times as many records as are at hand a segment has at most that is made one with
// them. So there are few segments, and yet each record is seldom written again.
const foldFactor = 4

// foldSegments gathers small segments with what is at hand.
func (w *writer) foldSegments() error {
	small := slices.DeleteFunc(slices.Clone(w.old.segments), func(seg *segment) bool {
		return !slices.ContainsFunc(w.kept, func(k view.Info) bool { return k.Name == seg.Name })
	})
	slices.SortStableFunc(small, func(a, b *segment) int { return a.Records - b.Records })
	for _, seg := range small {
		here := len(w.next.records)
		if here == 0 || seg.Records > foldFactor*here || seg.Records+here > mostRecords {
			return nil
		}
		if err := w.takeSegment(seg, nil); err != nil {
			return err
		}
	}
	return nil
}

// writeBuilt writes the segment that was gathered.
func (w *writer) writeBuilt() error {
	if len(w.next.records) == 0 {
		return nil
	}
	info := view.Info{Name: strings.ToLower(rand.Text()[:16]) + ".seg"}
	make := func(out io.Writer) (err error) {
		buffer := bufio.NewWriterSize(out, 64*1024)
		info.Root, err = w.next.writeSegment(buffer)
		return errors.Join(err, buffer.Flush())
	}
	var out bytes.Buffer
	var err error
	if w.dir == nil {
		err = make(&out)
	} else {
		err = w.dir.File(info.Name).ReplaceWith(local.Replacement{Durability: local.Unsynced}, make)
	}
	if err != nil {
		return err
	}
	info.Records, info.Items, info.Length = len(w.next.records), w.next.items, w.next.length
	newest := time.UnixMilli(max(0, w.next.records[info.Records-1].at)) // They are in their order.
	// A name may tell of the year 10889.
	info.Newest = int(min(newest.Unix()/60, math.MaxInt32))
	if w.memory != nil {
		w.memory.addSegment(&view.Segment{
			Info:  info,
			Table: view.NewTable(bytes.NewReader(out.Bytes()), info.Root),
		})
	}
	w.kept = append(w.kept, info)
	clear(w.next.records)
	w.next = builder{records: w.next.records[:0]}
	return nil
}

// flushBuilder writes what was gathered and makes it count.
func (w *writer) flushBuilder() error {
	if err := w.writeBuilt(); err != nil || w.dir == nil {
		return err
	}
	slices.SortStableFunc(w.kept, func(a, b view.Info) int { return b.Newest - a.Newest })
	s := view.State{Stamp: w.stamp, Young: w.young, Segments: w.kept}
	if err := view.StateFile(w.dir).Replace(s.Encode(), local.Unsynced); err != nil {
		return err
	}
	return w.sweepFiles()
}

const batchRefs = 128 // batchRefs is how many refs are loaded at once.

// Many records are read with more garbage than usual, as long as the memory of the process stays below a
// bound: that takes a tenth off the time of a build. They are fewer where a build takes no longer than a
// question.
const (
	manyFresh    = 1000
	usualGarbage = 100 // in percent of what is in use
	buildGarbage = 200
	buildMemory  = 104 << 20
)

// collectLess lets the process collect less garbage until it is told to do as usual again.
func collectLess() (asUsual func()) {
	limit := debug.SetMemoryLimit(buildMemory)
	debug.SetGCPercent(buildGarbage)
	return func() {
		debug.SetGCPercent(usualGarbage)
		debug.SetMemoryLimit(limit)
	}
}

// loaded is some documents as they were loaded.
type loaded struct {
	refs []Listed
	docs []Document
	err  error
}

// addAll loads and adds what is new. Documents are taken apart while others are loaded.
func (w *writer) addAll(ctx context.Context, fresh []Listed, load Load) error {
	if len(fresh) == 0 {
		return nil
	}
	if len(fresh) > manyFresh {
		defer collectLess()()
	}
	// As they were made: a pack often keeps a record as what differs from the one before, of whatever kind.
	slices.SortFunc(fresh, func(a, b Listed) int {
		return cmp.Or(strings.Compare(idOf(a.Ref), idOf(b.Ref)), strings.Compare(a.Ref, b.Ref))
	})
	loading, cancel := context.WithCancel(ctx)
	batches := make(chan loaded, 1)
	go loadAll(loading, fresh, load, batches)
	defer func() {
		cancel()
		for range batches { // Until it has ended: load is the caller's.
		}
	}()
	var words reader
	for l := range batches {
		if l.err != nil {
			return errors.Join(fmt.Errorf("load records: %w", l.err), w.keepGathered(ctx))
		}
		byRef := make(map[string]Document, len(l.docs))
		for _, d := range l.docs {
			byRef[d.Ref] = d
		}
		segments := len(w.kept)
		for _, at := range l.refs {
			p, err := words.prepareRecord(at, byRef[at.Ref])
			if err == nil {
				err = w.addPrepared(p)
			}
			if err != nil {
				return fmt.Errorf("add %q: %w", at.Ref, err)
			}
			w.done.Added++
		}
		if len(w.kept) > segments { // Others may ask for what is there so far.
			if err := w.flushBuilder(); err != nil {
				return err
			}
		}
	}
	if err := context.Cause(ctx); err != nil {
		return errors.Join(err, w.keepGathered(ctx))
	}
	return nil
}

// keepGathered keeps the records that are read when nobody waits for the rest any more. Who asks often and
// waits little would else begin again each time.
func (w *writer) keepGathered(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return w.flushBuilder()
}

// loadAll loads documents and sends them on.
func loadAll(ctx context.Context, fresh []Listed, load Load, out chan<- loaded) {
	defer close(out)
	for refs := range slices.Chunk(fresh, batchRefs) {
		l := loaded{refs: refs}
		l.docs, l.err = load(ctx, refs)
		select {
		case out <- l:
		case <-ctx.Done():
			return
		}
		if l.err != nil {
			return
		}
	}
}
