package memory

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// CiteState is how a place that a record cites is now, compared with the commit at which it was cited.
type CiteState string

// The states of a cited place.
const (
	CiteOK      CiteState = "ok"      // the same text stands there; blanks at the ends of its lines do not count
	CiteMoved   CiteState = "moved"   // the same text stands elsewhere
	CiteChanged CiteState = "changed" // the text is another one
	CiteGone    CiteState = "gone"    // the file is not there any more
	CiteUnknown CiteState = "unknown" // git cannot tell here: the commit is missing, the path is none, the file is too large
)

// Cited is a place that a record cites, and how it is now.
type Cited struct {
	Cite  packet.Cite
	State CiteState
	Now   packet.Cite // where it stands now; valid where it has moved
}

// Mark says in a few words what a reader has to know of a cited place, or nothing where it is as it was.
func (c Cited) Mark() string {
	switch c.State {
	case CiteMoved:
		return c.Cite.String() + " has moved to " + c.Now.String()
	case CiteChanged:
		return c.Cite.String() + " has changed since"
	case CiteGone:
		return c.Cite.String() + " is gone"
	default:
		return ""
	}
}

// Outdated tells whether one of some cited places has changed or is gone.
func Outdated(cites []Cited) bool {
	for _, c := range cites {
		if c.State == CiteChanged || c.State == CiteGone {
			return true
		}
	}
	return false
}

// Cited says of each place that a record cites how it is now. What git cannot tell here is unknown, and no error.
func (m *Memory) Cited(ctx context.Context, e Shown) ([]Cited, error) {
	all, err := m.CitedMany(ctx, []Shown{e})
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// CitedMany does for many records what Cited does for one, in the order of the records. It asks git once for all of them, and
// not at all where the files in the work tree are, to the byte, those that were cited.
func (m *Memory) CitedMany(ctx context.Context, entries []Shown) ([][]Cited, error) {
	check := newCiteCheck(m)
	counts := make([]int, len(entries))
	for i, e := range entries {
		c := e.Content()
		counts[i] = len(c.Cites)
		for _, cite := range c.Cites {
			check.add(cite, c.Anchor, e.Store)
		}
	}
	checked, err := check.run(ctx)
	if err != nil {
		return nil, err
	}
	all := make([][]Cited, len(entries))
	for i, n := range counts {
		if n > 0 {
			all[i], checked = checked[:n:n], checked[n:]
		}
	}
	return all, nil
}

// Changed says of the cited files of a packet which are not as they were when it was saved, by their paths.
func (m *Memory) Changed(ctx context.Context, p packet.Packet) (map[string]string, error) {
	if len(p.Cites) == 0 {
		return nil, nil //nolint:nilnil // No cited file is an answer.
	}
	check := newCiteCheck(m)
	for _, cite := range p.Cites {
		check.add(cite, p.Anchor, OfRepository)
	}
	checked, err := check.run(ctx)
	if err != nil {
		return nil, err
	}
	marks, worst := map[string]string{}, map[string]int{}
	for _, c := range checked {
		if how, mark := c.since(); how > worst[c.Cite.Path] {
			worst[c.Cite.Path], marks[c.Cite.Path] = how, mark
		}
	}
	return marks, nil
}

// since says in a few words what became of a cited place, and how bad that is.
func (c Cited) since() (how int, mark string) {
	switch c.State {
	case CiteMoved:
		return 1, "moved to " + c.Now.String() + " since this was written"
	case CiteChanged:
		return 2, "changed since this was written"
	case CiteGone:
		return 3, "gone since this was written"
	default:
		return 0, ""
	}
}
