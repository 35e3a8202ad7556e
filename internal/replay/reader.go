// Package replay reads records and says what became of them: it judges each, scans what others sent once
// more, and replays the events. Nothing comes back without its standing, and what a record says is sealed
// until it is opened for somebody.
//
// Records never change. What became of them is the fold of the events, ordered by time and id. A guard that
// cannot run is an error: then nothing is returned. It stores nothing.
package replay

import (
	"context"
	"iter"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// Options is what a Reader reads from. All is required.
type Options struct {
	Repo    *git.Repo
	Store   *refs.Store
	Rules   *scan.Source
	Judge   *trust.Judge
	Seen    *ledger.Seen
	Answers *ledger.Answers
	Erased  *ledger.Erased
	Now     func() time.Time
	User    bool // it is the user-wide memory
}

// Reader reads records: judged, scanned where others sent them, and as events left them. It is not safe for
// concurrent use.
type Reader struct {
	opts Options

	examined *examined
	arrivals journal.Notebook // what events of others did, and which of them wait, by the event
	state    *State           // nil until all events are replayed
	allowed  *Allowed         // nil until it is asked for
	view     View             // nil where none is kept, and when something was written
	viewed   bool             // there are so many events that the view is asked for them
	keptOut  bool             // a scan kept out what was to be read
	// events that do not count, because there are too many of their kind about one record
	crowd       int
	skipped     []RecordError
	skippedRefs map[string]bool
}

// New returns a reader.
func New(o Options) *Reader {
	return &Reader{
		opts: o, examined: &examined{journal.OpenNotebook(o.Repo.Local().OwnFile("examined"))},
		arrivals: journal.OpenNotebook(o.Repo.Local().OwnFile("arrivals")),
	}
}

// Everything yields the records of one kind as the store lists them, with the private ones among them.
func (r *Reader) Everything(ctx context.Context, q refs.Query) iter.Seq2[refs.Ref, error] {
	q.Private = true
	return r.opts.Store.List(ctx, q)
}

// Close keeps what was found out. Where that cannot be, it is found out again.
func (r *Reader) Close() {
	_ = r.examined.Keep()
	r.opts.Judge.Keep()
}

// View is a kept index of the records. It only says where to look: what it names is read and judged. It is
// not ok where it is not as the refs are; then everything is looked at.
type View interface {
	// Events returns the full names of the events about some records, of those about these events, and so on.
	Events(ctx context.Context, ids []string) (names []string, ok bool)
	// Newest returns the full names of the records that may be what a query asks for, the newest first by id.
	Newest(ctx context.Context, q Query) (names iter.Seq2[string, error], ok bool)
	Close() error
}

// BeginView lets the reader ask a view, until something is written; nil lets it look at everything.
func (r *Reader) BeginView(v View) { r.view = v }

// UseView lets the memory ask another view in the place of its own, until something is written.
func (r *Reader) UseView(v View) {
	if r.view != nil {
		r.view = v
	}
}

// fewEvents is how many events are read as fast as a view is asked.
const fewEvents = 16

// stateOf is what events made of some records. Where a view knows them, only the events about these are read.
func (r *Reader) stateOf(ctx context.Context, ids ...packet.ID) (*State, error) {
	if r.state != nil || r.view == nil {
		return r.Fold(ctx)
	}
	if !r.viewed {
		few := 0
		for _, err := range r.Everything(ctx, refs.Query{Kind: refs.Events, Remotes: true}) {
			if few++; err != nil || few > fewEvents {
				break
			}
		}
		if r.viewed = few > fewEvents; !r.viewed {
			return r.Fold(ctx)
		}
	}
	var asked []string
	for _, id := range ids {
		asked = append(asked, string(id))
	}
	known := true
	g, err := r.Glance(ctx, asked, func(ctx context.Context, ids []string) ([]string, error) {
		names, ok := r.view.Events(ctx, ids)
		known = known && ok
		return names, nil
	})
	if !known {
		r.view = nil
		return r.Fold(ctx)
	}
	if err != nil {
		return nil, err
	}
	return &g.state, nil
}

// listRefs yields the records of a list, the newest first by id: those that a view names for its filters, or
// all. Those are left out whose names are not wanted, unless wanted is nil; a view names one that was taken
// away since, which is left out, too.
func (r *Reader) listRefs(ctx context.Context, q Query,
	wanted func(refs.Name) bool,
) iter.Seq2[refs.Ref, error] {
	if r.view != nil && (len(q.Notes) > 0 || q.IsNarrow()) {
		if names, ok := r.view.Newest(ctx, q); ok {
			return func(yield func(refs.Ref, error) bool) {
				for full, err := range names {
					ref := refOf(index.Listed{Ref: full})
					if err == nil && wanted != nil && !wanted(ref.Name) {
						continue
					}
					if err == nil {
						ref, err = r.resolveName(ctx, full)
					}
					if IsUnreadable(err) {
						continue
					}
					if !yield(ref, err) || err != nil {
						return
					}
				}
			}
		}
		r.view = nil
	}
	all := r.Everything(ctx, refs.Query{Kind: refs.KindFor(q.Kind), Newest: true, Remotes: true})
	if wanted == nil {
		return all
	}
	return func(yield func(refs.Ref, error) bool) {
		for ref, err := range all {
			if (err != nil || wanted(ref.Name)) && !yield(ref, err) {
				return
			}
		}
	}
}
