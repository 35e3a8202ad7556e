package replay

import (
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// ShownOf is a record that may be shown, and that nobody stored.
func ShownOf(rec *packet.Record) Shown {
	return Shown{Entry: Entry{
		kind: rec.Kind(), record: rec, says: viewOf(rec),
		origin: &provenance.Origin{Reach: provenance.Automatically},
	}}
}

// SetBy is what events set of a task.
func SetBy(l Life) packet.Change { return l.set }
