package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// The bounds of figures.
const (
	figureWeeks = 26
	figureNames = 10
	figureEnds  = 20
	figureSoon  = 30 * 24 * time.Hour
	figureShown = 32 // records of which one has to be shown, so that the name that they share is
)

// Figures are what can be counted in a memory, and the JSON shape of that. They are the same in every clone
// that holds the same records; those that never leave a clone are not among them.
type Figures struct {
	Records    map[string]int `json:"records"`    // by kind, whatever became of them; what was purged is gone
	Notes      map[string]int `json:"notes"`      // of these the notes, by kind of note
	Events     map[string]int `json:"events"`     // and the events, by what they say
	Authors    []Named        `json:"authors"`    // the ten that wrote most, and the ten branches below
	Branches   []Named        `json:"branches"`   //
	Weeks      Weeks          `json:"weeks"`      // when packets, notes and skips were made
	Signatures Signatures     `json:"signatures"` //
	Expiring   []Expiring     `json:"expiring"`   // the next
}

// Named is a name and how many records have it.
type Named struct {
	Name    string `json:"name"` // empty for no name
	Records int    `json:"records"`
}

// Weeks are how many records were made in each of some weeks, of which the last began on a Monday.
type Weeks struct {
	Last  string `json:"last"` // a date
	Saved []int  `json:"saved"`
}

// Signatures are how many records are signed, and how many are not.
type Signatures struct {
	Signed   int `json:"signed"`
	Unsigned int `json:"unsigned"`
}

// Expiring is a record that expires within 30 days.
type Expiring struct {
	ID   packet.ID `json:"id"`
	Kind string    `json:"kind"`       // packet, skip, or the kind of a note
	At   time.Time `json:"expires_at"` // in UTC, to the second
}

// Figures counts what is in the memory.
func (r *Recall) Figures(ctx context.Context) (Figures, error) {
	return askMended(r, func() Figures { return r.countFigures(ctx) })
}

// countFigures counts with an index that is sound.
func (r *Recall) countFigures(ctx context.Context) Figures {
	counts := r.countAll(ctx)
	signed, week := counts.withPrefix(index.CountSigned), index.MondayOf(r.now())
	f := Figures{
		Records: map[string]int{}, Notes: counts.withPrefix(index.CountNote),
		Events:     counts.withPrefix(index.CountEvent),
		Weeks:      Weeks{Last: week.Format(time.DateOnly)},
		Signatures: Signatures{signed["yes"], signed["no"]},
	}
	kinds, private := counts.withPrefix(index.CountKind), counts.withPrefix(index.CountPrivate)
	for _, kind := range []packet.Kind{
		packet.KindPacket, packet.KindNote, packet.KindSkip,
		packet.KindEvent,
	} {
		f.Records[string(kind)] = kinds[string(kind)] - private[string(kind)]
	}
	weeks := counts.withPrefix(index.CountWeek)
	for back := range figureWeeks {
		f.Weeks.Saved = append(f.Weeks.Saved,
			weeks[week.AddDate(0, 0, -7*(figureWeeks-1-back)).Format(time.DateOnly)])
	}
	f.Authors = r.mostNamed(ctx, counts.withPrefix(index.CountAuthor), index.CountAuthor)
	f.Branches = r.mostNamed(ctx, counts.withPrefix(index.CountBranch), index.CountBranch)
	f.Expiring = []Expiring{}
	if r.fault == nil {
		f.Expiring = r.nextToExpire(ctx, figureEnds)
	}
	return f
}

// mostNamed returns the names that most records have. One that stands in no record that may be read is not
// told.
func (r *Recall) mostNamed(ctx context.Context, all map[string]int, sort string) []Named {
	list := make([]Named, 0, len(all))
	for name, n := range all {
		list = append(list, Named{name, n})
	}
	slices.SortFunc(list, func(a, b Named) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), strings.Compare(a.Name, b.Name))
	})
	list = list[:min(len(list), figureNames)]
	for i := range list {
		if !r.isShown(ctx, sort+list[i].Name) {
			list[i].Name = "(withheld)"
		}
	}
	return list
}

// isShown tells whether one of the newest records that a counter counts is not withheld.
func (r *Recall) isShown(ctx context.Context, counter string) bool {
	g, last := r.glanceAt(ctx, nil), ""
	for h := range r.hitsOf(ctx, index.Query{Counter: counter, Limit: further * figureShown}) {
		if h.Ref == last {
			continue
		}
		last = h.Ref
		if e, ok := r.readEntry(ctx, g, h.Ref); ok && e.Withheld(replay.Asked) == "" {
			return true
		}
	}
	return false
}
