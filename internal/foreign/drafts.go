package foreign

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// Of the 4,096 bytes of a small record, the rest is for what the gate adds:
// where in the history it was made, how it was scanned, by whom.
const (
	smallRoom = packet.MaxSmall - 800
	maxLinks  = 32
)

// makeDrafts gives the parts of a memory their names and returns the drafts of
// them, still without data.
func (r *reader) makeDrafts(m *memory) []Draft {
	m.doc.CreatedAt, m.doc.Origin = formatTime(r.madeAt(m)), "import"
	m.splitMemory()
	drafts := make([]Draft, len(m.docs))
	var ids []packet.ID
	for i := range m.docs {
		own := m.own
		if i > 0 {
			own = fmt.Sprintf("%s/%d", m.own, i+1)
		}
		said := m.docs[i]
		if m.assumed {
			said.ExpiresAt = ""
		}
		key := keyOf(r.format, own, said)
		id, created := r.nameRecord(key, m.created)
		m.docs[i].ID, m.docs[i].CreatedAt = id, formatTime(created)
		if m.assumed {
			// Returns when a memory ends whose end is counted from when it was made.
			again := memory{created: created, skips: m.skips}
			r.setEnd(&again, m.ending)
			m.docs[i].ExpiresAt = again.doc.ExpiresAt
		}
		drafts[i] = Draft{
			Source: m.place, Key: key, ID: id, Kind: m.docs[i].Type,
			Private: m.private, Wide: m.wide, Undated: m.created.IsZero(),
		}
		ids = append(ids, drafts[i].ID)
		r.kept[drafts[i].ID] = drafts[i]
	}
	if _, taken := r.ids[m.own]; !taken && m.own != "" {
		r.ids[m.own] = ids
	}
	return drafts
}

// emitDrafts completes the drafts of one memory with what it names, and hands them
// out.
func (r *reader) emitDrafts(m *memory, drafts []Draft) {
	links := r.resolveLinks(m, drafts[0].ID)
	for i, d := range drafts {
		doc := m.docs[i]
		switch {
		case i > 0:
			doc.Links = []packet.ID{drafts[0].ID}
		case doc.Type == packet.KindNote:
			doc.Links = links
		case len(links) > 0:
			m.addNote("a skip cannot name other records: %d links were left out", len(links))
		}
		d.Notes = m.notes
		if len(drafts) > 1 {
			d.Notes = append(slices.Clone(m.notes),
				fmt.Sprintf("it was too long for one note: this is part %d of %d", i+1, len(drafts)))
		}
		r.handOut(d, &doc)
	}
}

// resolveLinks returns the records that a memory names.
func (r *reader) resolveLinks(m *memory, self packet.ID) []packet.ID {
	var ids []packet.ID
	for _, own := range m.links {
		of := r.ids[own]
		if len(of) == 0 {
			m.addNote("it names %q, which is not in the source: the link was left out", clean.Truncate(own, maxShown))
			continue
		}
		switch id := of[0]; {
		case id == self || slices.Contains(ids, id):
		case len(ids) == maxLinks:
			m.addNote("more than %d links: the rest was left out", maxLinks)
			return ids
		default:
			ids = append(ids, id)
		}
	}
	return ids
}

// handOut completes a draft with its record, unless the source says the same
// twice.
func (r *reader) handOut(d Draft, doc *document) {
	if r.seen[d.ID] {
		r.addLeft(d.Source, "it says the same as one before it, and was read once")
		return
	}
	r.seen[d.ID] = true
	record, err := doc.toRecord()
	if err != nil {
		r.addProblem(d.Source, "%v", err)
		return
	}
	d.Data = record.Encode()
	r.read.Drafts = append(r.read.Drafts, d)
}

// emitEvent hands out the draft of an event. What it names must be in the source.
func (r *reader) emitEvent(h happening) {
	if slices.ContainsFunc(h.by, func(own string) bool { return r.done[own] }) {
		return // That it was left out has been said.
	}
	targets, ok := r.resolveOwn(h.targets)
	by, found := r.resolveOwn(h.by)
	if !ok || !found || len(targets) == 0 {
		r.addLeft(h.place, "a memory that it names is not in the source: the event %q was left out", h.event)
		return
	}
	// What is said of a memory in parts holds for each of them; but its short
	// text and its links stand with the first.
	if h.event == "digest" || h.event == "link" {
		targets = targets[:1]
	}
	by = by[:min(len(by), 1)]
	d := Draft{Source: h.place, Kind: packet.KindEvent}
	own := []string{h.event}
	for _, id := range slices.Concat(targets, by) {
		of := r.kept[id]
		own = append(own, of.Key)
		// An event may quote what it is about, and is of use only beside that.
		d.Private = d.Private || of.Private
		d.Wide = d.Wide || of.Wide
		if of.Undated {
			h.created = time.Time{} // it names what may have another time
		}
	}
	doc := document{Type: packet.KindEvent, Event: h.event, Value: h.value, Why: h.why}
	d.Key, d.Undated = keyOf(r.format, shortDigest([]byte(strings.Join(own, " "))), doc), h.created.IsZero()
	var created time.Time
	d.ID, created = r.nameRecord(d.Key, h.created)
	doc.ID, doc.CreatedAt, doc.Targets, doc.By = d.ID, formatTime(created), targets, by
	r.handOut(d, &doc)
}

// resolveOwn returns the records for the names of the source, and false where one of
// them is not in it.
func (r *reader) resolveOwn(owns []string) ([]packet.ID, bool) {
	var ids []packet.ID
	for _, own := range owns {
		parts := r.ids[own]
		if len(parts) == 0 {
			return nil, false
		}
		ids = append(ids, parts...)
	}
	return ids, true
}
