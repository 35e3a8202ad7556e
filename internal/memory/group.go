package memory

import "iter"

// together is how many records are read in one go.
const together = 64

// inGroups yields the targets that are wanted in groups to be read together, of which only the last is smaller. A group is
// valid until the next one. An error ends the groups; what came before it and fills no group is left out.
func inGroups(source iter.Seq2[target, error], wanted func(target) bool) iter.Seq2[[]target, error] {
	return func(yield func([]target, error) bool) {
		group := make([]target, 0, together)
		for t, err := range source {
			if err != nil {
				yield(nil, err)
				return
			}
			if !wanted(t) {
				continue
			}
			if group = append(group, t); len(group) < together {
				continue
			}
			if !yield(group, nil) {
				return
			}
			group = group[:0]
		}
		if len(group) > 0 {
			yield(group, nil)
		}
	}
}
