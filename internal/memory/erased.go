package memory

import (
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// erasedFile is the journal of what this clone has taken out for good. It says where to look, and decides nothing: whether a
// record was purged stands in the events alone.
func (m *Memory) erasedFile() *journal.File {
	return journal.Open(filepath.Join(m.repo.CommonDir, "ltm", "erased"))
}

// noteErased notes what is about to be taken out, so that a process which dies before it is done can be told from one that
// had nothing to do.
func (m *Memory) noteErased(ids []packet.ID) {
	known := m.erasedFile().Reader()
	var fresh []journal.Entry
	for _, id := range ids {
		if _, ok := known.Find(string(id)); !ok {
			fresh = append(fresh, journal.Entry{Key: string(id), Value: "-"})
		}
	}
	if len(fresh) > 0 {
		_ = m.erasedFile().Append(fresh) // Without it, what comes back is taken out with the next event that comes.
	}
}

// Lingers reports whether one of the refs, by their full names, is about a record that this clone has taken out for good:
// then a call of [Memory.Bury] was cut short, or a program that knows of no purge has brought the record back.
func (m *Memory) Lingers(held map[string]string) (bool, error) {
	gone := map[packet.ID]bool{}
	for e, err := range m.erasedFile().All() {
		if err != nil {
			return false, err
		}
		gone[packet.ID(e.Key)] = true
	}
	if len(gone) == 0 {
		return false, nil
	}
	for ref := range held {
		if gone[idOf(ref)] {
			return true, nil
		}
	}
	return false, nil
}
