package index

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"hash"
	"hash/fnv"
	"iter"
	"maps"
	"slices"
)

// A list of refs is cut into chunks where the names themselves say so. Of each chunk a sum is kept: what has not changed is
// known without a look at the rows, and one new ref changes one chunk.
const (
	chunkRefs = 256          // chunkRefs is how many refs a chunk holds on average.
	lastChunk = "\U0010FFFF" // lastChunk is the end of the last chunk, behind every name.
)

// errOrder says that a list of refs is not sorted, or names one twice.
var errOrder = errors.New("refs are not in rising order")

// plan is how the database differs from a list.
type plan struct {
	fresh  []Listed     // fresh are to be added.
	gone   []storedRef  // gone are to be taken out.
	chunks []chunkState // chunks are the sums to be noted in the end.
	stale  []string     // stale are the chunks whose sums do not hold any more.
}

// chunkState is the end of a chunk and its sum.
type chunkState struct {
	last string
	sum  []byte
}

// storedRef is a record in the database.
type storedRef struct {
	ref, object string
	n           int64
}

func (p *plan) empty() bool {
	return len(p.fresh) == 0 && len(p.gone) == 0 && len(p.chunks) == 0 && len(p.stale) == 0
}

// comparing is the walk along a list.
type comparing struct {
	w     *writer
	plan  plan
	known map[string]string // known are the sums that are stored, by the ends of their chunks.
	after string            // after is the end of the chunk before.
	refs  []Listed          // refs are those of the chunk so far.
	sum   hash.Hash
	line  []byte
}

// compare finds how the database differs from a list.
func (w *writer) compare(ctx context.Context, refs List) (plan, error) {
	known, err := w.chunks(ctx)
	if err != nil {
		return plan{}, err
	}
	c := &comparing{w: w, known: known, sum: sha256.New()}
	last := ""
	for at, err := range refs {
		if err != nil {
			return plan{}, fmt.Errorf("list refs: %w", err)
		}
		if at.Ref <= last {
			return plan{}, fmt.Errorf("list refs: %w: %q", errOrder, at.Ref)
		}
		last = at.Ref
		if err := c.step(ctx, at); err != nil {
			return plan{}, err
		}
	}
	err = c.end(ctx, lastChunk)
	c.plan.stale = append(c.plan.stale, slices.Sorted(maps.Keys(c.known))...)
	return c.plan, err
}

// chunks reads the sums.
func (w *writer) chunks(ctx context.Context) (map[string]string, error) {
	known := map[string]string{}
	err := each(ctx, w.db, func(scan func(...any) error) error {
		var last, sum string
		if err := scan(&last, &sum); err != nil {
			return err
		}
		known[last] = sum
		return nil
	}, "SELECT last, sum FROM chunk")
	return known, err
}

// step takes one ref of the list.
func (c *comparing) step(ctx context.Context, at Listed) error {
	c.refs = append(c.refs, at)
	c.line = append(append(append(append(c.line[:0], at.Ref...), ' '), at.Object...), '\n')
	_, _ = c.sum.Write(c.line) // A sum never fails.
	ends := fnv.New32a()
	_, _ = ends.Write([]byte(at.Ref))
	if ends.Sum32()%chunkRefs != 0 {
		return nil
	}
	return c.end(ctx, at.Ref)
}

// end closes a chunk. Where it begins is part of its sum, so that what lay before it cannot be passed over.
func (c *comparing) end(ctx context.Context, last string) error {
	_, _ = c.sum.Write([]byte(c.after)) // A sum never fails.
	sum := c.sum.Sum(nil)
	stored, ok := c.known[last]
	delete(c.known, last)
	if !ok || stored != string(sum) {
		c.plan.chunks = append(c.plan.chunks, chunkState{last, sum})
		c.plan.stale = append(c.plan.stale, last)
		if err := c.differ(ctx, last); err != nil {
			return err
		}
	}
	c.sum.Reset()
	c.refs, c.after = c.refs[:0], last
	return nil
}

// differ compares the refs of a chunk with the rows of the database one by one.
func (c *comparing) differ(ctx context.Context, last string) error {
	rest := c.refs
	err := each(ctx, c.w.db, func(scan func(...any) error) error {
		var old storedRef
		if err := scan(&old.ref, &old.object, &old.n); err != nil {
			return err
		}
		for len(rest) > 0 && rest[0].Ref < old.ref {
			c.plan.fresh = append(c.plan.fresh, rest[0])
			rest = rest[1:]
		}
		same := len(rest) > 0 && rest[0].Ref == old.ref
		if same && rest[0].Object == old.object {
			rest = rest[1:]
			return nil
		}
		c.plan.gone = append(c.plan.gone, old)
		return nil
	}, "SELECT ref, object, n FROM record WHERE ref > ? AND ref <= ? ORDER BY ref", c.after, last)
	c.plan.fresh = append(c.plan.fresh, rest...)
	return err
}

// listOf is a list of what a map holds.
func listOf(docs map[string]Document) iter.Seq2[Listed, error] {
	return func(yield func(Listed, error) bool) {
		for _, ref := range slices.Sorted(maps.Keys(docs)) {
			if !yield(Listed{Ref: ref}, nil) {
				return
			}
		}
	}
}

// querier is a database or one connection to it.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// each calls visit for each row of an answer.
func each(ctx context.Context, db querier, visit func(scan func(...any) error) error, query string, args ...any) (err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	scan := func(into ...any) error {
		err := rows.Scan(into...)
		if err != nil && ctx.Err() == nil { // A value is not of the type that was written.
			err = errors.Join(errDecode, err)
		}
		return err
	}
	for rows.Next() {
		if err := visit(scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
