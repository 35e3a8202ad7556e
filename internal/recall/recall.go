// Package recall answers questions from the memory of a repository: what is known about some words, what a
// session should know now, what stands behind a file, and whether something did not work before.
//
// It finds items by their words in an index, and hands on only what it then read through the gate of the
// memory: each with its standing, what became of it, and the reasons for its rank. A record that was purged,
// retracted, superseded, or that has expired is no answer, and the package can say of each record why it is
// none. It never changes a record; what it keeps is which records were used, in this clone.
package recall

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/view"
)

// Options are what a Recall takes from its process.
type Options struct {
	Now func() time.Time // required

	// how long another process may write the index; zero is what the index takes for a question
	patience time.Duration
}

// Recall answers questions from one memory. It is not safe for concurrent use.
type Recall struct {
	memory *memory.Memory
	index  *index.Index
	now    func() time.Time
	usage  *usage
	wide   *Recall                 // of the user-wide memory; nil where there is none
	slow   string                  // why there is no kept index
	kept   bool                    // no index is made in memory in the place of one that cannot be written
	fresh  bool                    // the index was compared with the refs in this call
	purges bool                    // a purge was among what was read for the index
	seen   map[string]replay.Entry // records that were read since the last glance

	// the places that records cite, as they are now, by the full names of the records
	cited map[string][]citation.Cited
	fault error // what ended the question that is asked now; what is looked for behind it is not found
}

// noteFault notes an error, and tells whether the question that is asked now has failed.
func (r *Recall) noteFault(err error) bool {
	r.fault = cmp.Or(r.fault, err)
	return r.fault != nil
}

// takeFault is why a question failed, or nothing. Another one begins.
func (r *Recall) takeFault() (err error) {
	err, r.fault = r.fault, nil
	return err
}

// Open makes questions to a memory ready, and to the user-wide memory beside it. Closing the memory stays
// with the caller.
func Open(ctx context.Context, m *memory.Memory, o Options) *Recall {
	r := openHere(m, o)
	if user := m.User(ctx); user != nil {
		r.wide = openHere(user, Options{Now: o.Now})
	}
	return r
}

func openHere(m *memory.Memory, o Options) *Recall {
	r := &Recall{memory: m, now: o.Now, usage: openUsage(m), cited: map[string][]citation.Cited{}}
	r.index = index.Open(index.Options{Dir: indexFolder(m), Patience: o.patience})
	m.UseView(&asker{memory: m, now: o.Now, recall: r})
	return r
}

// indexFolder is where the index of a memory lies.
func indexFolder(m *memory.Memory) *local.Dir { return view.In(m.Repo().Local()) }

// IndexPath is the path of the folder in which the index of a memory lies.
func IndexPath(m *memory.Memory) string { return indexFolder(m).Path() }

// Close closes the index.
func (r *Recall) Close() error {
	var wide, own error
	if r.wide != nil {
		wide = r.wide.Close()
	}
	if r.index != nil {
		own = r.index.Close()
	}
	return errors.Join(own, wide)
}

// Slow says why every question reads all records, or nothing where an index is kept.
func (r *Recall) Slow() string { return r.slow }

// branch is the one on which somebody asks; empty for none.
func (r *Recall) branch() string { return r.memory.Repo().Head.Branch }

// itemAt returns the item of a record that stands at a place.
func itemAt(c packet.Content, place string) (packet.Item, bool) {
	for _, i := range c.Items {
		if i.Place == place {
			return i, true
		}
	}
	return packet.Item{}, false
}
