package journal

import (
	"iter"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// Notebook is a journal of this clone, and what this process adds to it. A journal that cannot be read knows
// nothing: it may be lost at any time.
type Notebook struct {
	file  *File
	known *Reader
	fresh map[string]string // of this process
	// what was asked for already, empty for nothing: each record is asked for several times
	found map[string]string
	order []string // the keys that are not written yet
}

// OpenNotebook returns the notebook at a place, which need not be there yet.
func OpenNotebook(at local.File) Notebook {
	file := Open(at)
	return Notebook{file: file, known: file.Reader(), fresh: map[string]string{}, found: map[string]string{}}
}

// Find returns what was noted last of a key.
func (n *Notebook) Find(key string) (string, bool) {
	if text, ok := n.fresh[key]; ok {
		return strings.TrimPrefix(text, offered), true
	}
	text, ok := n.found[key]
	if !ok {
		if text, _ = n.known.Find(key); len(n.found) < manyNotes {
			n.found[key] = text
		}
	}
	return text, text != ""
}

// Note notes something of a key.
func (n *Notebook) Note(key, text string) {
	n.fresh[key] = text
	n.order = append(n.order, key)
}

// Offer notes something of a key that counts only where no process noted anything else of it.
func (n *Notebook) Offer(key, text string) {
	n.Note(key, offered+text)
}

// All yields what was written, each key with what was noted last.
func (n *Notebook) All() iter.Seq2[Entry, error] { return n.file.All() }

// Unwritten returns what was noted and is not written yet.
func (n *Notebook) Unwritten() []Entry {
	entries := make([]Entry, len(n.order))
	for i, key := range n.order {
		entries[i] = Entry{Key: key, Value: n.fresh[key]}
	}
	return entries
}

// manyNotes is how many notes are written before the work is done, so that one that is stopped does not begin
// again.
const manyNotes = 2048

// KeepMany writes what was noted where it is much.
func (n *Notebook) KeepMany() {
	if len(n.order) >= manyNotes {
		_ = n.Keep()
	}
}

// Keep writes what was noted. A clone that cannot be written to forgets it, and the error says why.
func (n *Notebook) Keep() (err error) {
	if entries := n.Unwritten(); len(entries) > 0 {
		err = n.file.Append(entries)
	}
	n.order = nil
	return err
}
