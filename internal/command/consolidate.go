package command

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// errGroup says that a group is no more as it was shown.
var ErrGroup = errors.New("there is no such group, or it has changed")

// errConflict says that a group states something in two ways.
var ErrConflict = errors.New("its notes state something differently")

// ChooseGroups returns the groups with some keys, all of them or none.
func ChooseGroups(groups []NoteGroup, keys []string) ([]NoteGroup, error) {
	var chosen []NoteGroup
	var wrong []error
	for _, key := range keys {
		has := func(g NoteGroup) bool { return g.Key == strings.ToLower(key) }
		switch i := slices.IndexFunc(groups, has); {
		case i < 0:
			wrong = append(wrong, fmt.Errorf("group %q: %w", reply.Word(key), ErrGroup))
		case groups[i].Conflict != "":
			wrong = append(wrong, fmt.Errorf("group %s: %w: %s", groups[i].Key, ErrConflict, groups[i].Conflict))
		case !slices.ContainsFunc(chosen, has):
			chosen = append(chosen, groups[i])
		}
	}
	return chosen, errors.Join(wrong...)
}

// keyLength is how many characters name a group.
const keyLength = 10

// NoteGroup is a group of notes with the key that stands for it.
type NoteGroup struct {
	garden.Group

	Key string
}

// GroupsOf proposes which notes could become one.
func GroupsOf(bed recall.Bed) []NoteGroup {
	var all []NoteGroup
	for _, g := range garden.Groups(bed.Cards) {
		all = append(all, NoteGroup{g, groupKey(g)})
	}
	return all
}

// groupKey names a group by its notes and by what would stand in their place, so that what was shown is what
// is applied.
func groupKey(g garden.Group) string {
	said := struct {
		IDs      []string
		Conflict string
		Draft    garden.Draft
	}{Conflict: g.Conflict, Draft: g.Draft}
	for _, c := range g.Cards {
		said.IDs = append(said.IDs, c.ID)
	}
	data, _ := json.Marshal(said) //nolint:errchkjson // Strings.
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])[:keyLength]
}

// Shape is the JSON shape of a group.
func (g NoteGroup) Shape() Group {
	s := Group{Group: g.Key, Cards: g.Cards, Tags: g.Tags, Conflict: g.Conflict}
	if g.Conflict == "" {
		s.Draft = &g.Draft
	}
	return s
}

// The bounds of a note that stands in place of others.
const (
	roomForPlace = 512 // bytes that are kept free for what says where and when it was made
	mostCites    = 64
)

// NoteOf is the note that stands in place of others: as sure as the least sure of them, as important as the
// most important.
func NoteOf(g NoteGroup, sources []replay.Shown, text string) MergedNote {
	note := MergedNote{
		Origin: "tool", Type: packet.KindNote, ExpiresAt: reply.Stamp(sources[0].ExpiresAt()),
		Note: Note{
			Kind: g.Draft.Kind, Text: cmp.Or(text, g.Draft.Text), Why: g.Draft.Why, Tags: g.Draft.Tags,
			Topic: sources[0].Note().Topic, Impact: highestImpact(sources), Confidence: lowestConfidence(sources),
		},
	}
	for _, s := range sources {
		note.Links = append(note.Links, string(s.ID))
		if s.Note().Topic != note.Topic {
			note.Topic = ""
		}
		if end := reply.Stamp(s.ExpiresAt()); end < note.ExpiresAt { // They end on one day.
			note.ExpiresAt = end
		}
	}
	return note
}

// AddCites adds the places that the sources cite, as far as there is room, and returns how many there is
// none for.
func AddCites(n *MergedNote, sources []replay.Shown) (left int) {
	for _, s := range sources {
		for _, c := range s.Note().Cites {
			if slices.Contains(n.Cites, c) {
				continue
			}
			n.Cites = append(n.Cites, c)
			if data, err := json.Marshal(n); err != nil || len(data) > packet.MaxSmall-roomForPlace ||
				len(n.Cites) > mostCites {
				n.Cites = n.Cites[:len(n.Cites)-1]
				left++
			}
		}
	}
	return left
}

// lowestConfidence is the lowest confidence that one of the notes states; one that states none is of medium
// confidence. Where none does, neither does the note in their place.
func lowestConfidence(sources []replay.Shown) string {
	levels := []string{"low", "medium", "high"}
	lowest, stated := len(levels)-1, false
	for _, s := range sources {
		stated = stated || s.Note().Confidence != ""
		lowest = min(lowest, slices.Index(levels, cmp.Or(s.Note().Confidence, "medium")))
	}
	if !stated || lowest < 0 {
		return ""
	}
	return levels[lowest]
}

// highestImpact is the highest impact that one of the notes states or was given. Nothing is critical by its
// own word.
func highestImpact(sources []replay.Shown) string {
	levels := []string{"", "low", "medium", "high", rank.Critical}
	highest := 0
	for _, s := range sources {
		highest = max(highest, slices.Index(levels, cmp.Or(s.Life.Impact, s.Note().Impact)))
	}
	return levels[min(highest, len(levels)-2)]
}

// Begun finds the note that somebody stored for the same sources in the same words, and then died, or took it
// back.
func Begun(bed recall.Bed, note MergedNote) (packet.ID, bool) {
	for _, e := range bed.Merged {
		if e.Note().Text == note.Text && e.Note().Why == note.Why && e.Note().Kind == note.Kind &&
			slices.Equal(slices.Sorted(slices.Values(e.Note().Links)), slices.Sorted(slices.Values(note.Links))) {
			return e.ID, true
		}
	}
	return "", false
}
