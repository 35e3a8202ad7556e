package memory

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// CiteState is how a place that a record cites is now, compared with the commit at which it was cited.
type CiteState string

// The states of a cited place.
const (
	CiteOK      CiteState = "ok"
	CiteMoved   CiteState = "moved"   // the same text stands elsewhere
	CiteChanged CiteState = "changed" // the text is another one
	CiteGone    CiteState = "gone"    // the file is not there any more
	CiteUnknown CiteState = "unknown" // the commit is not here, or there is no work tree and no HEAD
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

// Cited says of each place that a record cites how it is now.
func (m *Memory) Cited(ctx context.Context, e Entry) ([]Cited, error) {
	c := e.Content()
	if len(c.Cites) == 0 {
		return nil, nil
	}
	changed, err := m.Changed(ctx, packet.Packet{Cites: c.Cites, Anchor: c.Anchor})
	if err != nil {
		return nil, err
	}
	all := make([]Cited, len(c.Cites))
	for i, cite := range c.Cites {
		all[i] = Cited{Cite: cite, State: CiteOK}
		if changed[cite.Path] != "" {
			all[i].State = CiteChanged
		}
	}
	return all, nil
}
