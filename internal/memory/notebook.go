package memory

import (
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
)

// notebook is a journal of this clone, and what this process adds to it. A journal that cannot be read knows nothing: it may be
// lost at any time.
type notebook struct {
	file  *journal.File
	known *journal.Reader
	fresh map[string]string // of this process
	found map[string]string // what was asked for already, empty for nothing: each record is asked for several times
	order []string          // the keys that are not written yet
}

func openNotebook(at local.File) notebook {
	file := journal.Open(at)
	return notebook{file: file, known: file.Reader(), fresh: map[string]string{}, found: map[string]string{}}
}

// find returns what was noted last of a key.
func (n *notebook) find(key string) (string, bool) {
	if text, ok := n.fresh[key]; ok {
		return text, true
	}
	text, ok := n.found[key]
	if !ok {
		if text, _ = n.known.Find(key); len(n.found) < manyNotes {
			n.found[key] = text
		}
	}
	return text, text != ""
}

// note notes something of a key.
func (n *notebook) note(key, text string) {
	n.fresh[key] = text
	n.order = append(n.order, key)
}

// manyNotes is how many notes are written before the work is done, so that one that is stopped does not begin again.
const manyNotes = 2048

// keepMany writes what was noted where it is much.
func (n *notebook) keepMany() {
	if len(n.order) >= manyNotes {
		_ = n.keep()
	}
}

// keep writes what was noted. A clone that cannot be written to forgets it, and the error says why.
func (n *notebook) keep() (err error) {
	entries := make([]journal.Entry, 0, len(n.order))
	for _, key := range n.order {
		entries = append(entries, journal.Entry{Key: key, Value: n.fresh[key]})
	}
	if len(entries) > 0 {
		err = n.file.Append(entries)
	}
	n.order = nil
	return err
}
