package memory

import (
	"context"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// erasedFile is the journal of what this clone has taken out for good. It says where to look, and decides nothing: whether a
// record was purged stands in the events alone.
func (m *Memory) erasedFile() *journal.File {
	return journal.Open(m.repo.Local().File("erased"))
}

// HeldStamp returns a stamp of all refs of this clone below refs/ltm and of what it has taken out, or "".
func (m *Memory) HeldStamp() (string, error) { return m.store.HeldStamp(m.erasedFile().Files()...) }

// The values of the journal. A record that came back from quarantine is known again.
const (
	isErased = "-"
	isStone  = "stone" // so is every record of the id but its event, which is a tombstone and stays
	isBack   = "back"
	isHolder = "holder" // of an archive, by the full name of its ref, that held some of it
)

// indexKey says in the journal whether the index was compared with it since. No record has such an
// id.
const indexKey = "index"

// noteErased notes what is about to be taken out: so that a process which dies before it is done
// can be told from one that had nothing to do, so that no index takes these records in again, and
// so that the words of them leave the one that is kept.
func (m *Memory) noteErased(ids []packet.ID, stones map[packet.ID]string) {
	known := m.erasedFile().Reader()
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
	if len(fresh) > 0 {
		m.unindex = true
		fresh = append(fresh, journal.Entry{Key: indexKey, Value: isErased})
		_ = m.erasedFile().Append(fresh) // Without it, what comes back is taken out with the next event that comes.
	}
}

// noteHolders notes which archives held what was taken out: plain git may bring them back.
func (m *Memory) noteHolders(archives []string) {
	entries := make([]journal.Entry, len(archives))
	for i, ref := range archives {
		entries[i] = journal.Entry{Key: ref, Value: isHolder}
	}
	_ = m.erasedFile().Append(entries) // Without it, they are taken out with the next event that comes.
}

// unerase notes that records are here again, so that an index takes them in.
func (m *Memory) unerase(ids []packet.ID) {
	if len(ids) == 0 {
		return
	}
	m.unindex = true
	entries := []journal.Entry{{Key: indexKey, Value: isErased}}
	for _, id := range ids {
		entries = append(entries, journal.Entry{Key: string(id), Value: isBack})
	}
	_ = m.erasedFile().Append(entries) // Without it, they are found by their ids and not by their words.
}

// erasures are the records that this clone has taken out for good.
type erasures map[packet.ID]string

// holds tells whether what has a name was taken out.
func (e erasures) holds(kind refs.Kind, id packet.ID) bool {
	return e[id] == isErased || e[id] == isStone && kind != refs.Events
}

func (m *Memory) erasures() (erasures, error) {
	gone := erasures{}
	for e, err := range m.erasedFile().All() {
		if err != nil {
			return nil, err
		}
		if e.Value != isBack && e.Value != isHolder && e.Key != indexKey {
			gone[packet.ID(e.Key)] = e.Value
		}
	}
	return gone, nil
}

// MustForget tells whether the index may hold words of what was taken out, by this process or by
// one that did not come so far, or lack those of what is here again.
func (m *Memory) MustForget() bool {
	if m.unindex {
		return true
	}
	value, _, err := m.erasedFile().Find(indexKey)
	return err == nil && value == isErased
}

// Forgotten notes that the index was compared with what was taken out.
func (m *Memory) Forgotten() {
	m.unindex = false
	_ = m.erasedFile().Append([]journal.Entry{{Key: indexKey, Value: isBack}}) // Else the next command looks again.
}

// NoteTombstones makes the journal name what purges name now, and nothing else: so no index takes
// that in, and each record is found by its words again whose purge was refused, or did not come so
// far.
func (m *Memory) NoteTombstones(ctx context.Context) error {
	m.forgetFolded()
	s, err := m.fold(ctx)
	if err != nil {
		return err
	}
	return m.noteTombstones(s)
}

func (m *Memory) noteTombstones(s *state) error {
	known, err := m.erasures()
	if err != nil {
		return err
	}
	maps.DeleteFunc(known, func(id packet.ID, _ string) bool { return s.purged[id].Event != "" })
	m.unerase(slices.Collect(maps.Keys(known)))
	m.noteErased(slices.Collect(maps.Keys(s.purged)), s.stones)
	return nil
}

// Lingers reports whether one of the refs, by their full names, is about a record that this clone
// has taken out for good: then a call of [Memory.Bury] was cut short, or a program that knows of no
// purge has brought the record back. So it does where records wait in quarantine, whose time may be
// over.
func (m *Memory) Lingers(ctx context.Context, held map[string]string) (bool, error) {
	if waiting, err := m.store.InQuarantine(ctx); err != nil || len(waiting) > 0 {
		return len(waiting) > 0, err
	}
	gone, err := m.erasures()
	if err != nil || len(gone) == 0 {
		return false, err
	}
	known := m.erasedFile().Reader()
	for ref := range held {
		if value, _ := known.Find(ref); value == isHolder {
			return true, nil
		}
		name, _ := refs.ParseName(ref)
		if gone.holds(name.Kind, idOf(ref)) {
			return true, nil
		}
	}
	return false, nil
}
