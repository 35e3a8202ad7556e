package packet

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Member is a member that no table knows.
type Member struct {
	Path string // the exact JSON pointer
	JSON string // the value on one line, its members in byte order
}

// Unknown returns the members that no table knows, at every level, ordered by
// path. What lies within such a member is part of its value.
func (r *Record) Unknown() []Member {
	var found []Member
	var at trail
	var search func(members object, s *shape)
	search = func(members object, s *shape) {
		for i := range members {
			m := &members[i]
			at.enter(m.name)
			switch f := s.findField(m.name); {
			case f == nil:
				var e encoder
				e.writeValue(&m.value, nil, 0)
				var line bytes.Buffer
				_ = json.Compact(&line, e.buf) // It is JSON.
				found = append(found, Member{at.spellNames(func(name string) string { return name }), line.String()})
			case f.object != nil && f.items > 0:
				for j := range m.value.items {
					at.enterItem(j)
					search(m.value.items[j].value.items, f.object)
					at.leave()
				}
			case f.object != nil:
				search(m.value.items, f.object)
			}
			at.leave()
		}
	}
	search(r.root, kindOf(r.root).shape)
	slices.SortFunc(found, func(a, b Member) int { return strings.Compare(a.Path, b.Path) })
	return found
}
