package packet

import (
	"fmt"
	"slices"
	"strings"
)

// Strict returns what the published schema would refuse about a valid record:
// that of version 0.1 for a packet that states it, that of 0.2 for any other.
// The published schemas allow no member that they do not know.
func (r *Record) Strict() []Problem {
	if r.Kind() != KindPacket {
		return []Problem{{Text: "the published schemas know packets only"}}
	}
	w := strictWalk{version: v2}
	if r.Version() == versions[0] {
		w.version = versions[0]
	}
	w.walkObject(r.root, &packetShape)
	return w.problems
}

type strictWalk struct {
	version  string
	at       trail
	problems []Problem
}

func (w *strictWalk) refuse(format string, args ...any) {
	w.problems = append(w.problems, Problem{w.at.printable(), fmt.Sprintf(format, args...)})
}

func (w *strictWalk) walkObject(members object, s *shape) {
	for i := range members {
		m := &members[i]
		w.at.enter(m.name)
		if f := s.findField(m.name); f == nil || f.since > w.version {
			w.refuse("is not a member of version %s", w.version)
		} else {
			w.walkValue(&m.value, f)
		}
		w.at.leave()
	}
	for i := range s.fields {
		if f := &s.fields[i]; f.needed && members.findValue(f.name) == nil {
			w.at.enter(f.name)
			w.refuse("is missing")
			w.at.leave()
		}
	}
}

func (w *strictWalk) walkValue(v *value, f *field) {
	switch {
	case v.is == isArray:
		for i := range v.items {
			w.at.enterItem(i)
			w.walkValue(&v.items[i].value, f)
			w.at.leave()
		}
	case v.is == isObject:
		w.walkObject(v.items, f.object)
	case f.published != nil && !slices.Contains(f.published, v.text):
		w.refuse("must be one of %s", strings.Join(f.published, ", "))
	}
}

// Member is a member that no table knows.
type Member struct {
	Path string // the exact JSON pointer
	JSON string // the value on one line, its members in byte order
}

// Unknown returns the members that no table knows, at every level, ordered by
// path. What lies within such a member is part of its value.
func (r *Record) Unknown() []Member {
	var w unknownWalk
	w.walkObject(r.root, kindOf(r.root).shape)
	slices.SortFunc(w.found, func(a, b Member) int { return strings.Compare(a.Path, b.Path) })
	return w.found
}

type unknownWalk struct {
	at    trail
	found []Member
}

func (w *unknownWalk) walkObject(members object, s *shape) {
	for i := range members {
		m := &members[i]
		w.at.enter(m.name)
		if f := s.findField(m.name); f != nil {
			w.walkValue(&m.value, f)
		} else {
			e := encoder{flat: true}
			e.writeValue(&m.value, nil, 0)
			w.found = append(w.found, Member{w.at.pointer(), string(e.buf)})
		}
		w.at.leave()
	}
}

func (w *unknownWalk) walkValue(v *value, f *field) {
	switch {
	case f.object == nil:
	case v.is == isObject:
		w.walkObject(v.items, f.object)
	case v.is == isArray:
		for i := range v.items {
			w.at.enterItem(i)
			w.walkValue(&v.items[i].value, f)
			w.at.leave()
		}
	}
}
