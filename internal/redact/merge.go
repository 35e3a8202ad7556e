package redact

import (
	"cmp"
	"slices"
)

// A tier says where a rule comes from. What the rules of one tier find never
// takes the place of what an earlier one found: whoever writes a rule file
// could else give a secret another name, and then allow it by that.
type tier int

const (
	ownTier     tier = iota // A built-in rule.
	trustedTier             // A rule of Config.Rules.
	addedTier               // A rule of Config.Added.
	tiers
)

// A rank says which findings a finding may take the place of.
type rank int

const (
	warnRank   rank = iota
	placeRank       // It blocks and is a place on a machine.
	secretRank      // It blocks and is no place.
	ranks
)

// A source is the rule of a finding, as far as merging asks for it.
type source struct {
	index int // Place in the rules of the Scanner.
	tier  tier
	place bool
}

// source returns the rule at the given place.
func (s *Scanner) source(rule int) source {
	r := &s.rules[rule]
	from := source{index: rule}
	switch {
	case r.whole == nil:
		from.place = places.has(r.ID)
	case r.whole.added:
		from.tier = addedTier
	default:
		from.tier = trustedTier
	}
	return from
}

// found is a finding before it has a path: which rule, and where.
type found struct {
	span
	rule     source
	severity Severity
	plain    bool // It was found in the text as it stands.
}

func (f *found) rank() rank {
	switch {
	case f.severity != Block:
		return warnRank
	case f.rule.place:
		return placeRank
	default:
		return secretRank
	}
}

// merge sorts the findings of one string and leaves out those that a blocking
// one contains. Findings of one tier and rank that overlap become one.
//
// A place takes the place of no secret, since a place is nothing to hide from
// the person who works there. Nor does any finding take the place of one of an
// earlier tier. Both are kept then, so what merge returns may overlap.
func merge(all []found) []found {
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(
			cmp.Compare(a.start, b.start),
			cmp.Compare(b.end, a.end),
			cmp.Compare(b.rank(), a.rank()),
			cmp.Compare(a.rule.index, b.rule.index),
		)
	})
	m := merger{kept: all[:0]}
	for _, f := range all {
		m.add(f)
	}
	return m.kept
}

// A merger is given findings in the order of their beginnings.
type merger struct {
	kept []found
	last [tiers][ranks]int // Index in kept, plus one.
}

func (m *merger) add(f found) {
	if m.contained(f) {
		return
	}
	last := &m.last[f.rule.tier][f.rank()]
	if *last > 0 && f.start < m.kept[*last-1].end {
		m.kept[*last-1].end = max(m.kept[*last-1].end, f.end)
		return
	}
	m.kept = append(m.kept, f)
	*last = len(m.kept)
}

// contained says whether a finding of the same tier or an earlier one takes the
// place of f.
func (m *merger) contained(f found) bool {
	for t := range f.rule.tier + 1 {
		for c := f.rank(); c < ranks; c++ {
			if at := m.last[t][c]; at > 0 && f.end <= m.kept[at-1].end {
				return true
			}
		}
	}
	return false
}
