package web

import (
	"fmt"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// A mark is a word about a record that a reader has to know: who vouches for it, what became of it, how the places are now
// that it cites.
type mark struct {
	Class string // good, plain, warn or bad
	Text  string
	Why   string // in a sentence; empty where the text says it all
}

// The classes of marks.
const (
	good  = "good"
	plain = "plain"
	warn  = "warn"
	bad   = "bad"
)

// marks are all the marks of a record, who vouches for it first.
func (s *shelf) marks(x exhibit) []mark {
	// Says who vouches for a record. An export says no reason, which may speak of files of
	// this machine.
	m := mark{Class: warn, Text: "unverified: " + string(x.Verdict.Standing), Why: "nobody whose key counts here vouches for it"}
	switch {
	case x.withheld != "" && x.Verdict.Standing.Withheld():
		m = mark{Class: bad, Text: "withheld: " + string(x.Verdict.Standing), Why: x.withheld}
	case x.withheld != "":
		m = mark{Class: bad, Text: "withheld by policy", Why: x.withheld}
	case x.Trusted() && x.Verdict.Standing == sign.Local:
		m = mark{Class: plain, Text: "made here", Why: x.Verdict.Why}
	case x.Trusted():
		m = mark{Class: good, Text: "verified", Why: x.Verdict.Why}
		if x.Verdict.Standing != sign.Good {
			m.Text += ": " + string(x.Verdict.Standing)
		}
	case x.Verdict.Standing.Vouched():
		m.Why = "fewer people vouch for it than ltm.requireEndorsed asks for"
	}
	if s.export != nil {
		m.Why = ""
	}
	m.Why = s.public(m.Why)
	marks := append([]mark{m}, lifeMarks(x.Entry)...)
	return append(marks, staleMarks(x.cites)...)
}

// lifeMarks say what became of a record, and in which memory it lies.
func lifeMarks(e replay.Entry) []mark {
	var marks []mark
	l := e.Life
	for _, m := range []struct {
		is bool
		mark
	}{
		{l.Retracted, mark{bad, "retracted", ""}},
		{l.Superseded != "", mark{warn, "superseded", "another record takes its place"}},
		{l.Expired, mark{warn, "expired", ""}},
		{e.Conflict, mark{bad, "contested", "a remote holds another record under this id"}},
		{l.Contradicted, mark{bad, "contradicted", "somebody said that it is wrong"}},
		{l.Consolidated != "", mark{plain, "consolidated", "another record says it together with others"}},
		{l.Closed, mark{plain, "closed", ""}},
		{l.Archived, mark{plain, "archived", "nobody is told of it unasked"}},
		{e.Store == replay.OfClone, mark{plain, "private", "it never leaves this clone"}},
		{e.Store == replay.OfUser, mark{plain, "user-wide", "it lies in your user-wide memory"}},
	} {
		if m.is {
			marks = append(marks, m.mark)
		}
	}
	return marks
}

// staleMarks say how many of the cited places are not as they were.
func staleMarks(cites []citation.Cited) []mark {
	count := map[citation.State]int{}
	for _, c := range cites {
		count[c.State]++
	}
	var marks []mark
	for _, of := range []struct {
		state citation.State
		class string
		words string
	}{
		{citation.Gone, warn, "gone"}, {citation.Changed, warn, "changed"}, {citation.Moved, plain, "moved"},
	} {
		switch n := count[of.state]; n {
		case 0:
		case 1:
			marks = append(marks, mark{of.class, "1 cited place " + of.words, ""})
		default:
			marks = append(marks, mark{of.class, fmt.Sprintf("%d cited places %s", n, of.words), ""})
		}
	}
	return marks
}

// citeMark is the mark of one cited place.
func citeMark(c citation.Cited) mark {
	switch c.State {
	case citation.OK:
		return mark{good, "as it was", ""}
	case citation.Moved:
		return mark{plain, "moved to " + clean.Line(c.Now.String()), ""}
	case citation.Changed:
		return mark{warn, "changed since", ""}
	case citation.Gone:
		return mark{warn, "gone", ""}
	default:
		return mark{plain, "unknown", "git cannot tell here"}
	}
}
