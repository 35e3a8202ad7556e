package web

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// An exhibit is a record that was judged for being shown. Of a withheld one the views and the content hold no text.
type exhibit struct {
	replay.Shown
	content  packet.Content
	withheld string // why it is kept from readers; empty where it is not
	cites    []citation.Cited
}

// exhibitOf judges a record.
func exhibitOf(e replay.Entry) exhibit {
	var x exhibit
	x.Shown, x.withheld = e.Open(replay.Asked)
	x.content = x.Shown.Content()
	return x
}

// cite looks at the places that some records cite, all in one go.
func (s *shelf) cite(ctx context.Context, m *memory.Memory, all []exhibit) error {
	var entries []replay.Shown
	var at []int
	for i, x := range all {
		if len(x.content.Cites) > 0 {
			entries, at = append(entries, x.Shown), append(at, i)
		}
	}
	if len(entries) == 0 {
		return nil
	}
	cited, err := m.Cited(ctx, entries)
	if err != nil {
		return err
	}
	for i, cites := range cited {
		all[at[i]].cites = cites
	}
	return nil
}
