package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// allKinds asks for records of every kind that says something.
const allKinds = "all"

// queries returns one query for each kind of record that is asked for.
func (o listOptions) queries(q memory.Query) ([]memory.Query, error) {
	asked := o.kinds
	switch {
	case len(asked) == 0 && o.topic != "":
		asked = []string{string(packet.KindNote)}
	case len(asked) == 0:
		asked = []string{string(packet.KindPacket)}
	case slices.Contains(asked, allKinds):
		asked = []string{string(packet.KindPacket), string(packet.KindNote), string(packet.KindSkip)}
	}
	var kinds []packet.Kind
	var notes []string
	for _, word := range asked {
		kind := packet.Kind(word)
		switch note, known := packet.NoteKind(word); {
		case kind == packet.KindPacket, kind == packet.KindSkip, kind == packet.KindNote:
		case known:
			kind, notes = packet.KindNote, append(notes, note)
		default:
			return nil, errors.New("--kind takes packet, note, skip, all, " + strings.Join(packet.NoteKinds(), ", "))
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	if slices.Contains(asked, string(packet.KindNote)) {
		notes = nil
	}
	all := make([]memory.Query, len(kinds))
	for i, kind := range kinds {
		all[i] = q
		all[i].Kind, all[i].Topic = kind, o.topic
		if kind == packet.KindNote {
			all[i].Notes = notes
		}
	}
	return all, nil
}

// gather returns what several queries find, newest first, with the records of the user-wide memory behind those of the
// repository; limit bounds how many, and zero does not.
func (e *env) gather(ctx context.Context, m *memory.Memory, queries []memory.Query, limit int) ([]memory.Entry, error) {
	found, err := newest(ctx, m, queries, limit)
	if err != nil {
		return nil, err
	}
	return e.listWide(ctx, m, queries, found, limit), nil
}

// newest returns what several queries find in one memory, newest first.
func newest(ctx context.Context, m *memory.Memory, queries []memory.Query, limit int) ([]memory.Entry, error) {
	var found []memory.Entry
	for _, q := range queries {
		own := 0
		for entry, err := range m.List(ctx, q) {
			if err != nil {
				return nil, err
			}
			found = append(found, entry)
			if own++; own == limit {
				break
			}
		}
	}
	if len(queries) > 1 {
		slices.SortStableFunc(found, func(a, b memory.Entry) int { return strings.Compare(string(b.ID), string(a.ID)) })
	}
	if limit > 0 && len(found) > limit {
		found = found[:limit]
	}
	return found, nil
}
