package reply

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// AllKinds asks for records of every kind that says something.
const AllKinds = "all"

// Queries returns one query for each kind of record that is asked for: packet, note, skip, all, or a kind of note. Without any
// it asks for packets, or for notes where the query names a topic.
func Queries(kinds []string, q replay.Query) ([]replay.Query, error) {
	switch {
	case len(kinds) == 0 && q.Topic != "":
		kinds = []string{string(packet.KindNote)}
	case len(kinds) == 0:
		kinds = []string{string(packet.KindPacket)}
	case slices.Contains(kinds, AllKinds):
		kinds = []string{string(packet.KindPacket), string(packet.KindNote), string(packet.KindSkip)}
	}
	var asked []packet.Kind
	var notes []string
	for _, word := range kinds {
		kind := packet.Kind(word)
		switch note, known := packet.NoteKind(word); {
		case kind == packet.KindPacket, kind == packet.KindSkip, kind == packet.KindNote:
		case known:
			kind, notes = packet.KindNote, append(notes, note)
		default:
			return nil, errors.New("takes packet, note, skip, all, " + strings.Join(packet.NoteKinds(), ", "))
		}
		if !slices.Contains(asked, kind) {
			asked = append(asked, kind)
		}
	}
	if slices.Contains(kinds, string(packet.KindNote)) {
		notes = nil
	}
	all := make([]replay.Query, len(asked))
	for i, kind := range asked {
		all[i] = q
		all[i].Kind = kind
		if kind == packet.KindNote {
			all[i].Notes = notes
		}
	}
	return all, nil
}

// List returns what several queries find, newest first, with the records of the user-wide memory behind those of the
// repository, opened for those who read them; limit bounds how many, and zero does not.
func List(ctx context.Context, m *memory.Memory, queries []replay.Query, r replay.Reading, limit int) ([]replay.Shown, error) {
	found, err := Newest(ctx, m, queries, r, limit)
	if err != nil {
		return nil, err
	}
	return Wide(ctx, m, queries, r, found, limit), nil
}

// Newest returns what several queries find in one memory, newest first.
func Newest(ctx context.Context, m *memory.Memory, queries []replay.Query, r replay.Reading, limit int) ([]replay.Shown, error) {
	var found []replay.Shown
	for _, q := range queries {
		own := 0
		for entry, err := range m.List(ctx, q) {
			if err != nil {
				return nil, err
			}
			shown, _ := entry.Open(r)
			found = append(found, shown)
			if own++; own == limit {
				break
			}
		}
	}
	if len(queries) > 1 {
		slices.SortStableFunc(found, func(a, b replay.Shown) int { return strings.Compare(string(b.ID), string(a.ID)) })
	}
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found, nil
}

// Wide appends the records of the user-wide memory to those of the repository, as far as there is room.
func Wide(ctx context.Context, m *memory.Memory, queries []replay.Query, r replay.Reading, found []replay.Shown, limit int) []replay.Shown {
	if limit > 0 && len(found) >= limit {
		return found
	}
	user := m.User(ctx)
	if user == nil {
		return found
	}
	theirs, err := Newest(ctx, user, queries, r, max(0, limit-len(found)))
	if err != nil {
		m.ForgetUser(err)
		return found
	}
	return append(found, theirs...)
}
