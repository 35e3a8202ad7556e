// Package replay reads records and says what became of them: it judges each, scans what others sent once more, and replays the
// events. Nothing comes back without its standing, and what a record says is sealed until it is opened for somebody.
//
// Records never change. What became of them is the fold of the events, ordered by time and id. A guard that cannot run is an
// error: then nothing is returned. It stores nothing.
package replay

import (
	"context"
	"iter"
	"time"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// Options is what a Reader reads from. All is required.
type Options struct {
	Repo    *git.Repo
	Store   *refs.Store
	Rules   *scan.Source
	Judge   *vouch.Judge
	Seen    *ledger.Seen
	Answers *ledger.Answers
	Erased  *ledger.Erased
	Now     func() time.Time
	User    bool // it is the user-wide memory
}

// Reader reads records: judged, scanned where others sent them, and as events left them. It is not safe for concurrent use.
type Reader struct {
	opts Options

	examined    *examined
	arrivals    journal.Notebook // what events of others did, and which of them wait, by the event
	state       *State           // nil until all events are replayed
	allowed     *Allowed         // nil until it is asked for
	view        View             // nil where none is kept, and when something was written
	viewed      bool             // there are so many events that the view is asked for them
	keptOut     bool             // a scan kept out what was to be read
	crowd       int              // events that do not count, because there are too many of their kind about one record
	skipped     []RecordError
	skippedRefs map[string]bool
}

// New returns a reader.
func New(o Options) *Reader {
	return &Reader{opts: o, examined: newExamined(o.Repo), arrivals: journal.OpenNotebook(o.Repo.Local().OwnFile("arrivals"))}
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
