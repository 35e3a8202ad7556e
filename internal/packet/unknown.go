package packet

import (
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
	var w unknownWalk
	w.object(r.root, kindOf(r.root).shape)
	slices.SortFunc(w.found, func(a, b Member) int { return strings.Compare(a.Path, b.Path) })
	return w.found
}

type unknownWalk struct {
	at    trail
	found []Member
}

func (w *unknownWalk) object(members object, s *shape) {
	for i := range members {
		m := &members[i]
		w.at.enter(m.name)
		if f := s.find(m.name); f != nil {
			w.value(&m.value, f)
		} else {
			e := encoder{flat: true}
			e.value(&m.value, nil, 0)
			w.found = append(w.found, Member{w.at.pointer(), string(e.buf)})
		}
		w.at.leave()
	}
}

func (w *unknownWalk) value(v *value, f *field) {
	switch {
	case f.object == nil:
	case v.is == isObject:
		w.object(v.items, f.object)
	case v.is == isArray:
		for i := range v.items {
			w.at.enterItem(i)
			w.value(&v.items[i].value, f)
			w.at.leave()
		}
	}
}
