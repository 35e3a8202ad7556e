package check

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// OddTarget says what is wrong with a name below root that is no record.
func OddTarget(full, root string) Target {
	t := Target{Name: full}
	inner := refs.Root + strings.TrimPrefix(full, root)
	name, ok := refs.Parse(inner)
	switch {
	case ok: // It was found among the strays: it stands for another ref.
		t.Ref.Name = name
		t.Flaw, t.Why = ruleStray, "it stands for another ref, and is never followed"
	case refs.InLayout(inner):
		t.Flaw, t.Why = RuleReserved, "the name is reserved, and this version cannot look into it"
	default:
		t.Flaw, t.Why = ruleStray, "the name is not of this format; it is never read, and it travels"
	}
	return t
}

// Present is the names of all records that are known here: of this clone and of
// remotes. Names are all that a check holds of every record.
type Present struct {
	IDs  []string // the last parts of the refs, sorted
	Ends []string // the last 16 characters of the packets among them, sorted
}

// has tells whether a record of that name, or of that own id, is known. A packet
// that brought an id of another form is found by the name that is derived from
// it.
func (p Present) has(own string) bool {
	list, key := p.IDs, own
	if _, err := packet.ParseID(own); err != nil {
		list, key = p.Ends, packet.DerivedSuffix(own)
	}
	_, ok := slices.BinarySearch(list, key)
	return ok
}
