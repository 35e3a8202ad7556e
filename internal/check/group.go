package check

import "iter"

// Together is how many records are read in one go.
const Together = 64

// InGroups yields the targets that are wanted in groups to be read together, of which only the last is
// smaller. A group is valid until the next one. An error ends the groups; what came before it and fills no
// group is left out.
func InGroups(source iter.Seq2[Target, error], wanted func(Target) bool) iter.Seq2[[]Target, error] {
	return func(yield func([]Target, error) bool) {
		group := make([]Target, 0, Together)
		for t, err := range source {
			if err != nil {
				yield(nil, err)
				return
			}
			if !wanted(t) {
				continue
			}
			if group = append(group, t); len(group) < Together {
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
