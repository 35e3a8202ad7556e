package web

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// An exhibit is a record that was judged for being shown. Of a withheld one the views and the content hold no text.
type exhibit struct {
	memory.Entry
	content  packet.Content
	withheld string // why it is kept from readers; empty where it is not
	verified bool   // somebody who counts here vouches for it
	cites    []memory.Cited
}

// exhibit judges a record of a memory, which is that of the shelf or the user-wide one.
func (s *shelf) exhibit(ctx context.Context, m *memory.Memory, e memory.Entry) (exhibit, error) {
	x := exhibit{Entry: e}
	var err error
	if x.withheld, err = m.Withheld(ctx, e, memory.Asked); err != nil {
		return x, err
	}
	if x.withheld != "" {
		x.content = packet.Content{Kind: e.Kind(), CreatedAt: e.CreatedAt()}
		x.Entry = withoutText(e)
		return x, nil
	}
	x.content = e.Content()
	if e.Kind() == packet.KindEvent {
		x.content.CreatedAt, x.content.Provenance = e.CreatedAt(), e.Event.Provenance
	}
	if s.export != nil && !s.speaks(e.ID, e.Life.Set.NextAction) {
		x.Life.Set.NextAction = "" // The words of an event that stays behind stay there, too.
	}
	x.verified, err = m.Verified(ctx, e)
	return x, err
}

// withoutText returns a record without what it says. Its kind and its times stay.
func withoutText(e memory.Entry) memory.Entry {
	e.Data = nil
	e.Packet = packet.Packet{CreatedAt: e.Packet.CreatedAt, ParentID: e.Packet.ParentID, Parents: e.Packet.Parents}
	e.Note = packet.Note{CreatedAt: e.Note.CreatedAt, Kind: e.Note.Kind}
	e.Skip = packet.Skip{CreatedAt: e.Skip.CreatedAt, ExpiresAt: e.Skip.ExpiresAt}
	e.Event = packet.Event{CreatedAt: e.Event.CreatedAt, Event: e.Event.Event}
	e.Life.Digest, e.Life.Links, e.Life.Set = "", nil, packet.Change{}
	return e
}

// cite looks at the places that some records cite, all in one go.
func (s *shelf) cite(ctx context.Context, m *memory.Memory, all []exhibit) error {
	var entries []memory.Entry
	var at []int
	for i, x := range all {
		if len(x.content.Cites) > 0 {
			entries, at = append(entries, x.Entry), append(at, i)
		}
	}
	if len(entries) == 0 {
		return nil
	}
	cited, err := m.CitedMany(ctx, entries)
	if err != nil {
		return err
	}
	for i, cites := range cited {
		all[at[i]].cites = cites
	}
	return nil
}
