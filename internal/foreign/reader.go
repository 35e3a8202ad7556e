package foreign

import (
	"fmt"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// A reader gathers what a source holds. Readers of formats add memories, which
// name each other as the source does; finish gives them the names of records.
type reader struct {
	format   Format
	name     string
	opts     Options
	changed  func() (at time.Time, by string) // of the source
	memories []memory
	read     Read
	ids      map[string]packet.ID // of what the source calls by that name; "" for what is done and left out
	reads    []string             // the members of memories that the reader of the format knows; nil for any
	unread   map[string]bool      // those that it does not
	seen     map[packet.ID]bool
	ours     bool // the records are ours, and not made of something else
}

// A memory is a note or a skip on its way.
type memory struct {
	place   string
	own     string // what the source calls it; empty where it has no name
	created time.Time
	from    object // its members, of which some are not read
	doc     document
	links   []string // by the names of the source
	private bool
	wide    bool
	assumed bool   // the time at which it ends was counted from created
	ending  string // what the source says about that
	skips   bool   // it is a skip, which always ends
	notes   []string
	docs    []document // what became of doc, in one part or several
}

// nameRecord returns the name of what has a key, and its time: that of its own, else
// the one under which it is kept already, else that of the source.
func (r *reader) nameRecord(key string, created time.Time) (packet.ID, time.Time) {
	if !created.IsZero() {
		return packet.DeriveID(key, created), created
	}
	if r.opts.Known != nil {
		if id, ok := r.opts.Known(packet.DerivedSuffix(key)); ok {
			return id, id.Time()
		}
	}
	return packet.DeriveID(key, r.modified()), r.modified()
}

// modified is when the source was changed.
func (r *reader) modified() time.Time {
	at, _ := r.changed()
	return at
}

func (r *reader) at(line int) string { return fmt.Sprintf("%s:%d", r.name, line) }

// within names a place in the source that has no line.
func (r *reader) within(list string, i int) string { return fmt.Sprintf("%s: %s/%d", r.name, list, i) }

func (r *reader) addProblem(place, format string, args ...any) {
	r.read.Problems = append(r.read.Problems, Problem{Place: place, Text: fmt.Sprintf(format, args...)})
}

// addLeft tells of a part that was left out on purpose.
func (r *reader) addLeft(place, format string, args ...any) {
	r.read.Problems = append(r.read.Problems,
		Problem{Place: place, Text: fmt.Sprintf(format, args...), Left: true})
}

// addRemark says something about the source as a whole, once.
func (r *reader) addRemark(text string) {
	if !slices.Contains(r.read.Notes, text) {
		r.read.Notes = append(r.read.Notes, text)
	}
}

func (m *memory) addNote(format string, args ...any) {
	m.notes = append(m.notes, fmt.Sprintf(format, args...))
}

// setTags takes in tags as records have them.
func (r *reader) setTags(m *memory, raw []string) {
	tags, notes := r.mapTags(raw)
	m.doc.Tags, m.notes = tags, append(m.notes, notes...)
}

// tidyField cleans a text of the source, and says so where that took something away.
func (m *memory) tidyField(text string) string {
	tidied, odd := tidyText(text)
	if odd {
		m.addNote("control characters and what is not UTF-8 were left out")
	}
	return tidied
}

// setTime sets the time of the memory from the first of the members that has one.
func (m *memory) setTime(o object, names ...string) {
	for _, name := range names {
		s := o.text(name)
		if s == "" {
			continue
		}
		if t, ok := parseTime(s); ok {
			m.created = t
			return
		}
		m.addNote("%q is no time that can be read", name)
	}
}

// memoryFrom takes in what a memory of any source may have. Its time is the first
// of the members with a date.
func (r *reader) memoryFrom(place string, from object, kind packet.Kind, dates ...string) memory {
	m := memory{
		place: place, own: from.text("id"), from: from, doc: document{Type: kind}, skips: kind == packet.KindSkip,
	}
	m.setTime(from, dates...)
	updated, ok := parseTime(from.text("updated", "updated_at"))
	if ok && !m.created.IsZero() && updated.After(m.created) {
		m.addNote("it was changed last at %s", formatTime(updated))
	}
	r.setTags(&m, from.textList("tags"))
	m.setImpact(from.text("impact"))
	m.setConfidence(from)
	m.doc.Provenance.AuthorHuman = r.mapAuthor(from.text("author"))
	m.doc.Provenance.Agent = r.mapAuthor(from.text("coding_agent", "agent"))
	return m
}

// addMemory takes a memory in. One that says nothing is a problem.
func (r *reader) addMemory(m memory) {
	switch {
	case m.doc.Text == "" && m.doc.Item == "":
		r.addLeft(m.place, "it says nothing")
	case len(m.doc.Text)+len(m.doc.Item)+len(m.doc.Reason) > maxMemory:
		r.addProblem(m.place, "it has more than %d bytes, which is a document and no memory", maxMemory)
	case len(r.memories) >= maxDrafts:
		r.addRemark(fmt.Sprintf("only the first %d memories were read", maxDrafts))
	default:
		r.memories = append(r.memories, m)
		for name := range m.from {
			if r.reads != nil && !slices.Contains(r.reads, name) {
				r.unread[clean.Truncate(name, maxShown)] = true
			}
		}
	}
}

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
	}
	if _, taken := r.ids[m.own]; !taken && m.own != "" {
		r.ids[m.own] = drafts[0].ID
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
		if r.seen[d.ID] {
			r.addLeft(d.Source, "it says the same as one before it, and was read once")
			continue
		}
		r.seen[d.ID] = true
		if doc.Provenance.AuthorHuman == "" { // No key depends on it: who brings a source again has it once.
			_, by := r.changed()
			doc.Provenance.AuthorHuman = r.mapAuthor(by)
		}
		record, err := doc.toRecord()
		if err != nil {
			r.addProblem(d.Source, "%v", err)
			continue
		}
		d.Data = record.Encode()
		r.read.Drafts = append(r.read.Drafts, d)
	}
}

// resolveLinks returns the records that a memory names.
func (r *reader) resolveLinks(m *memory, self packet.ID) []packet.ID {
	var ids []packet.ID
	for _, own := range m.links {
		id, known := r.ids[own]
		switch {
		case !known:
			m.addNote("it names %q, which is not in the source: the link was left out", clean.Truncate(own, maxShown))
		case id == "":
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
