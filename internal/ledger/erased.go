package ledger

import (
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Erased keeps what this clone has taken out for good. It says where to look, and decides nothing: whether a
// record was purged stands in the events alone.
type Erased struct {
	file  *journal.File
	fresh bool // this process noted something, so that an index may hold what it should not
}

// Gone is what this clone has taken out for good, by the ids of records.
type Gone map[packet.ID]string

// The values of the journal. A record that came back from quarantine is known again.
const (
	isErased = "-"
	isStone  = "stone" // so is every record of the id but its event, which is a tombstone and stays
	isBack   = "back"
	isHolder = "holder" // of an archive, by the full name of its ref, that held some of it
)

// indexKey says in the journal whether the index was compared with it since. No record has such an id.
const indexKey = "index"

// OpenErased opens what was taken out in a file.
func OpenErased(at local.File) *Erased { return &Erased{file: journal.Open(at)} }

// Files are the files that hold it.
func (x *Erased) Files() []local.File { return x.file.Files() }

// Note notes what is about to be taken out; of the ids of stones all but an event, which is a tombstone. So a
// process which dies before it is done can be told from one that had nothing to do, no index takes these
// records in again, and the words of them leave the one that is kept. Where it cannot be written, what comes
// back is taken out with the next event that comes.
func (x *Erased) Note(ids []packet.ID, stones map[packet.ID]string) {
	known := x.file.Reader()
	var fresh []journal.Entry
	for _, id := range ids {
		now := isErased
		if stones[id] != "" {
			now = isStone
		}
		if was, _ := known.Find(string(id)); was != now {
			fresh = append(fresh, journal.Entry{Key: string(id), Value: now})
		}
	}
	x.appendEntries(fresh)
}

// NoteArchives notes which archives held what was taken out, by the full names of their refs: plain git may
// bring them back. Where it cannot be written, they are taken out with the next event that comes.
func (x *Erased) NoteArchives(archives []string) {
	entries := make([]journal.Entry, len(archives))
	for i, ref := range archives {
		entries[i] = journal.Entry{Key: ref, Value: isHolder}
	}
	_ = x.file.Append(entries)
}

// Unerase notes that records are here again, so that an index takes them in. Where it cannot be written, they
// are found by their ids and not by their words.
func (x *Erased) Unerase(ids []packet.ID) {
	fresh := make([]journal.Entry, len(ids))
	for i, id := range ids {
		fresh[i] = journal.Entry{Key: string(id), Value: isBack}
	}
	x.appendEntries(fresh)
}

// appendEntries writes what an index has to know.
func (x *Erased) appendEntries(fresh []journal.Entry) {
	if len(fresh) > 0 {
		x.fresh = true
		_ = x.file.Append(append(fresh, journal.Entry{Key: indexKey, Value: isErased}))
	}
}

// Read returns what was taken out.
func (x *Erased) Read() (Gone, error) {
	gone := Gone{}
	for e, err := range x.file.All() {
		if err != nil {
			return nil, err
		}
		if e.Value != isBack && e.Value != isHolder && e.Key != indexKey {
			gone[packet.ID(e.Key)] = e.Value
		}
	}
	return gone, nil
}

// Holds tells whether what has a name was taken out.
func (g Gone) Holds(kind refs.Kind, id packet.ID) bool {
	return g[id] == isErased || g[id] == isStone && kind != refs.Events
}

// Lingers tells whether one of the refs, by their full names, is about a record that was taken out, or of an
// archive that held one: then a burial was cut short, or a program that knows of no purge has brought the
// record back.
func (x *Erased) Lingers(held git.RefList) (bool, error) {
	gone, err := x.Read()
	if err != nil || len(gone) == 0 {
		return false, err
	}
	known := x.file.Reader()
	for ref := range held.All() {
		if value, _ := known.Find(ref); value == isHolder {
			return true, nil
		}
		name, _ := refs.Parse(ref)
		if gone.Holds(name.Kind, name.ID) {
			return true, nil
		}
	}
	return false, nil
}

// MustForget tells whether the index may hold words of what was taken out, by this process or by one that did
// not come so far, or lack those of what is here again.
func (x *Erased) MustForget() bool {
	if x.fresh {
		return true
	}
	value, _ := x.file.Reader().Find(indexKey)
	return value == isErased
}

// Forgotten notes that the index was compared with what was taken out. Where it cannot be written, the next
// command looks again.
func (x *Erased) Forgotten() {
	x.fresh = false
	_ = x.file.Append([]journal.Entry{{Key: indexKey, Value: isBack}})
}
