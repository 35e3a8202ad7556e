package index

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/local"
)

// Sync brings the index up to a list of the refs of all records, and notes the stamp of that list. Load is called for the
// refs that are new or name another object; what is gone is taken out with no byte left. The list may be read twice. What
// is done is kept when Sync ends early, and the next one goes on from there.
func (x *Index) Sync(ctx context.Context, stamp string, refs List, load Load) (done Synced, err error) {
	done, err = x.syncOnce(ctx, stamp, refs, load)
	if damaged(err) && x.path != "" {
		// The damage was found while writing: begin again with an empty database.
		if err = x.discard(ctx); err == nil {
			done, err = x.syncOnce(ctx, stamp, refs, load)
		}
	}
	if noRoom(err) {
		err = fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	if err != nil {
		return done, fmt.Errorf("bring index up to date: %w", err)
	}
	return done, nil
}

// syncOnce does the work of Sync under the lock.
func (x *Index) syncOnce(ctx context.Context, stamp string, refs List, load Load) (done Synced, err error) {
	db, err := x.open(ctx)
	if err != nil {
		return Synced{}, err
	}
	if x.path != "" && !x.readOnly {
		release, err := x.place.With(".lock").Lock(ctx, x.patience)
		if errors.Is(err, local.ErrLocked) {
			return Synced{Busy: true}, nil
		}
		if err != nil {
			return Synced{}, err
		}
		defer func() { _ = release() }() // The lock ends with the process at the latest.
		if _, err = x.open(ctx); err != nil {
			return Synced{}, err
		}
		// Searches of this process go on beside it.
		if db, err = dial(x.path, readWrite); err != nil {
			return Synced{}, err
		}
		defer func() { err = errors.Join(err, db.Close()) }()
	}
	w, err := newWriter(ctx, db)
	if err != nil {
		return Synced{}, err
	}
	w.readOnly = x.readOnly
	if x.path != "" {
		w.changes = x.dropTraits
	}
	err = w.bring(ctx, stamp, refs, load)
	if err == nil && x.path != "" && !w.readOnly && stamp != "" && w.stamp == stamp && !x.traits().Speaks(stamp) {
		x.keepTraits(ctx, w, stamp)
	}
	return w.done, errors.Join(err, w.close(ctx))
}

// bring makes the database hold what a list names.
func (w *writer) bring(ctx context.Context, stamp string, refs List, load Load) error {
	plan, err := w.compare(ctx, refs)
	if err != nil {
		return err
	}
	if plan.empty() && (stamp == w.stamp || stamp == "") && !w.loose {
		return nil
	}
	if w.readOnly {
		if plan.empty() {
			return nil
		}
		return ErrReadOnly
	}
	if w.changes != nil {
		if err := w.changes(); err != nil {
			return err
		}
	}
	if err := w.begin(ctx); err != nil {
		return err
	}
	w.stamp = "" // Until all is done, no list is the one that the database holds.
	w.loose = w.loose || len(plan.gone) > 0
	if err := w.follow(ctx, plan, load); err != nil {
		return err
	}
	if !w.loose {
		w.stamp = stamp
		return w.commit(ctx)
	}
	if err := w.commit(ctx); err != nil {
		return err
	}
	return w.tighten(ctx, stamp)
}

// follow takes out and adds what a plan says.
func (w *writer) follow(ctx context.Context, plan plan, load Load) error {
	for _, last := range plan.stale {
		if err := w.exec(ctx, "DELETE FROM chunk WHERE last = ?", last); err != nil {
			return err
		}
	}
	for _, old := range plan.gone {
		if err := w.remove(ctx, old); err != nil {
			return fmt.Errorf("take out %q: %w", old.ref, err)
		}
	}
	if err := w.addAll(ctx, plan.fresh, load); err != nil {
		return err
	}
	for _, c := range plan.chunks {
		if err := w.exec(ctx, "INSERT OR REPLACE INTO chunk VALUES (?, ?)", c.last, c.sum); err != nil {
			return err
		}
	}
	return nil
}

const (
	batchRefs  = 128              // batchRefs is how many refs are loaded at once.
	largeWrite = 48 * 1024 * 1024 // largeWrite is how many bytes of words are written in one transaction.
)

// batch is some documents, ready to be written.
type batch struct {
	records []prepared
	err     error
}

// addAll loads and writes what is new. Documents are prepared while others are written.
func (w *writer) addAll(ctx context.Context, fresh []Listed, load Load) error {
	if len(fresh) == 0 {
		return nil
	}
	loading, cancel := context.WithCancel(ctx)
	batches := make(chan batch, 2)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer close(batches)
		prepareAll(loading, fresh, load, batches)
	}()
	err := w.writeAll(ctx, batches)
	cancel()
	<-ended
	return err
}

// writeAll writes batches until there are no more.
func (w *writer) writeAll(ctx context.Context, batches <-chan batch) error {
	size := 0
	for b := range batches {
		if err := errors.Join(b.err, context.Cause(ctx)); err != nil {
			return errors.Join(err, w.leave(ctx))
		}
		for _, p := range b.records {
			if err := w.add(ctx, p); err != nil {
				return fmt.Errorf("add %q: %w", p.Ref, err)
			}
			size += p.size()
		}
		if size < largeWrite {
			continue
		}
		size = 0
		if err := w.commit(ctx); err != nil {
			return err
		}
		if err := w.begin(ctx); err != nil {
			return err
		}
	}
	if err := context.Cause(ctx); err != nil {
		return errors.Join(err, w.leave(ctx))
	}
	return nil
}

// leave keeps the records that are written when nobody waits for the rest any more. Who asks often and waits little would else
// begin again each time.
func (w *writer) leave(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return w.commit(context.WithoutCancel(ctx))
}

// size is about how many bytes the record adds to a transaction.
func (p *prepared) size() int {
	size := len(p.words) + len(p.head) + 256
	for _, row := range p.rows {
		size += len(row)
	}
	return size
}

// loaded is some documents as they were loaded.
type loaded struct {
	refs []Listed
	docs []Document
	err  error
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

// prepareAll prepares documents while others are loaded, and sends them on.
func prepareAll(ctx context.Context, fresh []Listed, load Load, out chan<- batch) {
	ctx, cancel := context.WithCancel(ctx)
	documents := make(chan loaded, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		loadAll(ctx, fresh, load, documents)
	}()
	defer func() {
		cancel()
		<-ended
	}()
	var p preparer
	for l := range documents {
		b := p.batch(l)
		select {
		case out <- b:
		case <-ctx.Done():
			return
		}
		if b.err != nil {
			return
		}
	}
}

// batch prepares some documents.
func (p *preparer) batch(l loaded) batch {
	refs, docs := l.refs, l.docs
	if l.err != nil {
		return batch{err: fmt.Errorf("load records: %w", l.err)}
	}
	byRef := make(map[string]Document, len(docs))
	for _, d := range docs {
		byRef[d.Ref] = d
	}
	b := batch{records: make([]prepared, 0, len(refs))}
	for _, at := range refs {
		one, err := p.prepare(at, byRef[at.Ref])
		if err != nil {
			return batch{err: fmt.Errorf("prepare %q: %w", at.Ref, err)}
		}
		b.records = append(b.records, one)
	}
	return b
}

// Memory returns an index of some documents that lies in memory alone, for where no database can be kept. It is made anew
// each time, so it is slow to begin with.
func Memory(ctx context.Context, docs []Document) (*Index, error) {
	x := &Index{}
	db, err := dial(memoryName, readWrite)
	if err != nil {
		return nil, fmt.Errorf("make index in memory: %w", err)
	}
	x.db = db
	byRef := make(map[string]Document, len(docs))
	for _, d := range docs {
		byRef[d.Ref] = d
	}
	err = build(ctx, db)
	if err == nil {
		_, err = x.Sync(ctx, "", listOf(byRef), func(_ context.Context, refs []Listed) ([]Document, error) {
			found := make([]Document, 0, len(refs))
			for _, at := range refs {
				found = append(found, byRef[at.Ref])
			}
			return found, nil
		})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make index in memory: %w", err), x.Close())
	}
	return x, nil
}
