package recall

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/plot"
)

// The bounds of figures.
const (
	figureWeeks  = 26
	figureNames  = 10
	figureRead   = 1000 // the newest records, of which signatures are told
	figureCited  = 500  // the newest records that cite something, whose places are looked at
	figureSoon   = 30 * 24 * time.Hour
	figureUnused = 30 * 24 * time.Hour
)

// eventNames is the folder in which events lie.
const eventNames = "events"

// Figures are what can be counted in a memory. All but Local is the same in every clone that holds the same records: what is
// private, and who is trusted here, counts there alone.
type Figures struct {
	Records      map[string]int // by kind, whatever became of them; what was purged is gone
	Notes        map[string]int // of these the notes, by kind of note
	States       map[string]int // packets, notes and skips, each in one state
	Contradicted int
	Authors      []Named // the ten that wrote most, and the ten branches below
	Branches     []Named
	Week         time.Time // the Monday with which the last of the weeks began
	Weeks        []int     // how many packets, notes and skips were made in each
	Read         int       // the newest records, of which the following three are told
	Signed       int
	Unsigned     int
	Overridden   int // stored although the scan found something
	Expiring     []Expiring
	Tasks        map[string]int // by status
	Local        LocalFigures
}

// LocalFigures are what this clone alone can tell.
type LocalFigures struct {
	Private   int            // records that never leave this clone; they are not among the others
	Standings map[string]int // of the records that were read
	Unused    int            // records that count, are older than 30 days and were not used here for as long
	Ignored   int            // of the records that count, those that were shown ten times and never used
	Citing    int            // records that cite something, whose places were looked at
	Places    map[string]int // those places, by how they are now
}

// Named is a name and how many records have it.
type Named struct {
	Name    string // empty for no name
	Records int
}

// Expiring is a record that expires within 30 days.
type Expiring struct {
	ID   packet.ID
	Kind string // packet, skip, or the kind of a note
	At   time.Time
}

// Figures counts what is in the memory.
func (r *Recall) Figures(ctx context.Context) (Figures, error) {
	return mended(r, func() (Figures, error) { return r.figures(ctx) })
}

// figures counts with an index that is sound.
func (r *Recall) figures(ctx context.Context) (Figures, error) {
	if err := r.refresh(ctx); err != nil {
		return Figures{}, err
	}
	c, err := r.newCounter(ctx)
	if err != nil {
		return Figures{}, err
	}
	// Of a packet the goal stands for all, and a note or a skip has one item.
	q := index.Query{Kinds: []string{packet.ItemGoal, string(packet.KindNote), string(packet.KindSkip)}}
	for h, err := range r.index.All(ctx, q) {
		if err != nil {
			return Figures{}, err
		}
		c.count(h)
	}
	if err := c.read(ctx); err != nil {
		return Figures{}, err
	}
	return c.sum(ctx)
}

// counter counts the records that an index knows.
type counter struct {
	Figures

	recall            *Recall
	glance            *memory.Glance
	private           map[string]bool // the names of private records
	now               time.Time
	authors, branches byName
	made              []time.Time
	list              []counted
}

// counted is a record and what became of it.
type counted struct {
	ref, kind string
	cites     bool
	live      bool // it is not hidden
}

// newCounter reads all events.
func (r *Recall) newCounter(ctx context.Context) (*counter, error) {
	c := &counter{recall: r, now: r.now(), private: map[string]bool{}, authors: byName{}, branches: byName{}}
	c.Records, c.Notes, c.Tasks = zeros("packet", "note", "skip", "event"), zeros(), zeros()
	c.States = zeros("live", "archived", "closed", "consolidated", "expired", "superseded", "retracted")
	c.Local.Standings, c.Local.Places = zeros(), zeros()
	listed, err := r.memory.Listing(ctx)
	if err != nil {
		return nil, err
	}
	var events []string
	for _, l := range listed {
		private := strings.HasPrefix(l.Name, privateNames)
		if private {
			c.private[l.Name] = true
			c.Local.Private++
		}
		if !isEvent(l.Name) {
			continue
		}
		events = append(events, l.Name)
		if !private {
			c.Records[string(packet.KindEvent)]++
		}
	}
	c.glance, err = r.memory.Glance(ctx, events)
	return c, err
}

// isEvent tells the full name of an event from those of other records.
func isEvent(name string) bool { return path.Base(path.Dir(name)) == eventNames }

// zeros counts nothing yet.
func zeros(words ...string) map[string]int {
	counts := make(map[string]int, len(words))
	for _, word := range words {
		counts[word] = 0
	}
	return counts
}

// count counts one record.
func (c *counter) count(h index.Hit) {
	life, purged := c.glance.Life(packet.ID(h.ID))
	if purged || c.private[h.Ref] {
		return
	}
	until := h.Expires
	if !life.Until.IsZero() {
		until = life.Until
	}
	life.Expired = !until.IsZero() && !until.After(c.now)
	kind := h.Kind
	switch h.Record {
	case packet.KindNote:
		c.Notes[h.Kind]++
	default:
		kind = string(h.Record)
	}
	c.Records[string(h.Record)]++
	c.States[state(life)]++
	if life.Contradicted {
		c.Contradicted++
	}
	c.authors.add(writer(h), h.Ref)
	c.branches.add(h.Branch, h.Ref)
	c.made = append(c.made, h.Created)
	if !life.Hidden() && !until.IsZero() && until.Before(c.now.Add(figureSoon)) {
		c.Expiring = append(c.Expiring, Expiring{ID: packet.ID(h.ID), Kind: kind, At: until})
	}
	if !life.Resting() {
		use := c.recall.usage.of(packet.ID(h.ID))
		long := c.now.Add(-figureUnused)
		if h.Created.Before(long) && use.Last.Before(long) {
			c.Local.Unused++
		}
		if use.Last.IsZero() && use.Shown >= 10 {
			c.Local.Ignored++
		}
	}
	c.list = append(c.list, counted{ref: h.Ref, kind: kind, cites: len(h.Paths) > 0, live: !life.Hidden()})
}

// state is the one word for what became of a record that says most.
func state(l memory.Life) string {
	switch {
	case l.Retracted:
		return "retracted"
	case l.Superseded != "":
		return "superseded"
	case l.Expired:
		return "expired"
	case l.Consolidated != "":
		return "consolidated"
	case l.Closed:
		return "closed"
	case l.Archived:
		return "archived"
	default:
		return "live"
	}
}

// sum fills in what takes all records to tell.
func (c *counter) sum(ctx context.Context) (Figures, error) {
	var err error
	if c.Authors, err = c.most(ctx, c.authors); err != nil {
		return Figures{}, err
	}
	if c.Branches, err = c.most(ctx, c.branches); err != nil {
		return Figures{}, err
	}
	today := c.now.UTC().Truncate(24 * time.Hour)
	c.Week = today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	c.Weeks = plot.Weeks(c.made, c.now, figureWeeks)
	slices.SortFunc(c.Expiring, func(a, b Expiring) int {
		if a.At.Equal(b.At) {
			return strings.Compare(string(a.ID), string(b.ID))
		}
		return a.At.Compare(b.At)
	})
	return c.Figures, nil
}
