package rank

// The words for how much a record matters.
const (
	Low      = "low"
	Medium   = "medium"
	High     = "high"
	Critical = "critical" // only people give it; no text, kind or count ever leads to it
)

// Nature is what an item is, as far as its impact depends on it.
type Nature struct {
	Kind   string // of an item of a packet, of a note, or skip
	Locked bool   // of a decision
	Failed bool   // of an attempt
}

// DefaultImpact is the impact of an item of which nobody said one. It looks
// at what the item is, never at its words, and is never Critical.
func DefaultImpact(n Nature) string {
	if n.Locked || n.Failed {
		return High
	}
	switch n.Kind {
	// What steers later work, and costs it again where it is forgotten.
	case "decision", "method", "procedure", "pitfall", "preference", "reference", "constraint", "skip":
		return High
	// Who the assistant is to its user changes seldom, and nothing else says it.
	case "identity":
		return High
	// What is over: it tells of the past, and a commit tells it too.
	case "achievement":
		return Low
	// What holds while a piece of work lasts (goal, next step, criterion, task,
	// question, attempts that went well), and what is merely known (learning, fact).
	default:
		return Medium
	}
}

// impactOf is the impact that a word counts as.
func impactOf(word string) string {
	switch word {
	case Low, High, Critical:
		return word
	default:
		return Medium
	}
}
