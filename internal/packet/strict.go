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
	version := v2
	if r.Version() == versions[0] {
		version = versions[0]
	}
	var problems []Problem
	var w walk
	refuse := func(format string, args ...any) {
		problems = append(problems, Problem{w.at.printable(), fmt.Sprintf(format, args...)})
	}
	w.member = func(m *member, f *field) bool {
		known := f != nil && f.since <= version
		if !known {
			refuse("is not a member of version %s", version)
		}
		return known
	}
	w.leaf = func(v *value, f *field) {
		if f.published != nil && !slices.Contains(f.published, v.text) {
			refuse("must be one of %s", strings.Join(f.published, ", "))
		}
	}
	w.end = func(members object, s *shape) {
		for i := range s.fields {
			if f := &s.fields[i]; f.needed && members.findValue(f.name) == nil {
				w.at.enter(f.name)
				refuse("is missing")
				w.at.leave()
			}
		}
	}
	w.walkObject(r.root, &packetShape)
	return problems
}

// A walk goes through a record in the order of the document, as far down as tables know it.
type walk struct {
	at     trail
	member func(m *member, f *field) (deeper bool) // f is nil for a member that no table knows
	leaf   func(v *value, f *field)                // of a value that is neither a list nor an object
	end    func(members object, s *shape)          // of an object
}

func (w *walk) walkObject(members object, s *shape) {
	for i := range members {
		m := &members[i]
		w.at.enter(m.name)
		if f := s.findField(m.name); w.member(m, f) && f != nil {
			w.walkValue(&m.value, f)
		}
		w.at.leave()
	}
	w.end(members, s)
}

func (w *walk) walkValue(v *value, f *field) {
	switch {
	case v.is == isArray:
		for i := range v.items {
			w.at.enterItem(i)
			w.walkValue(&v.items[i].value, f)
			w.at.leave()
		}
	case v.is == isObject && f.object != nil:
		w.walkObject(v.items, f.object)
	default:
		w.leaf(v, f)
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
	var found []Member
	w := walk{leaf: func(*value, *field) {}, end: func(object, *shape) {}}
	w.member = func(m *member, f *field) bool {
		if f == nil {
			e := encoder{flat: true}
			e.writeValue(&m.value, nil, 0)
			found = append(found, Member{w.at.spellNames(func(name string) string { return name }), string(e.buf)})
		}
		return true
	}
	w.walkObject(r.root, kindOf(r.root).shape)
	slices.SortFunc(found, func(a, b Member) int { return strings.Compare(a.Path, b.Path) })
	return found
}
