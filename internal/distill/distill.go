// Package distill turns a session into the draft of a packet, each field with where it came from.
//
// It is pure and asks nobody: the same session gives the same draft. What it cannot tell by a plain rule it
// leaves out, so that a person, or a model that the person named, fills it in. What git ltm told the session
// is never taken for something that the session found out.
//
// A session is hostile text. Its secrets are masked before it comes here: what is cut off here could
// otherwise hide a part of one. Nothing of it is believed to be an instruction.
package distill

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// Draft is a packet that a session leaves, as far as rules can tell it.
type Draft struct {
	// a packet as JSON, without an id; it may lack a goal and a next step. Nil where nothing was found
	Packet  []byte
	Origins map[string]string // where its parts come from, by their JSON pointers
	// how the session ended, what the person corrected and refused, and what failed for want of this machine
	Summary string
	Facts   []byte   // what a model may be told of the session, as JSON; it is never stored
	Refused []string // what the person refused, and what was not done later all the same
	Talk    bool     // the session only talked: it ran, changed and decided nothing
}

// Extra is what others than the transcript know of a session.
type Extra struct {
	Failures []transcript.Command // commands that hooks saw fail
	Summary  string               // the client's own summary
}

// From returns the draft of a session whose places [Below] tells from the top of the work tree.
func From(s transcript.Session, x Extra) Draft {
	s, x.Summary = changeTexts(hideReplaced(s), transcript.Told), transcript.Told(x.Summary)
	whole := s
	s = withoutCourtesies(s)
	x.Failures = changeTexts(transcript.Session{Commands: x.Failures}, transcript.Told).Commands
	n := writeNotes(s, x, mostItemsKept)
	for most := mostItemsKept / 2; most > 0 && len(encodeJSON(n.doc)) > maxPacket; most /= 2 {
		n = writeNotes(s, x, most)
	}
	if n.isEmpty() {
		return Draft{}
	}
	talk := len(s.Commands)+len(s.Decisions)+len(s.Todos)+len(s.Edited)+len(s.Commits)+len(x.Failures) == 0
	return Draft{
		Packet: encodeJSON(n.doc), Origins: n.origins, Talk: talk,
		Summary: n.writeSummary(s, x), Refused: refusedActions(s),
		Facts: encodeJSON(told{
			Session: fitSteps(stepsOf(whole, x)), Edited: s.Edited[max(0, len(s.Edited)-mostNamed):],
			Open: openSteps(s), Draft: n.doc,
		}),
	}
}

// The bounds of the packet of a draft: items of a list, and bytes. A packet has room for more, which whoever
// finishes it needs.
const (
	mostItemsKept = 12
	maxPacket     = 18 << 10
)

// notes is a draft that is being written.
type notes struct {
	doc     document
	origins map[string]string
	most    int     // items of a list
	local   []trial // what failed for want of something on this machine
}

// writeNotes is the draft of a session with at most so many items in each list.
func writeNotes(s transcript.Session, x Extra, most int) *notes {
	n := &notes{origins: map[string]string{}, most: most}
	n.addGoal(s)
	n.addAttempts(s, x)
	n.addDecisions(s)
	n.addAgreements(s)
	n.addCorrections(s)
	n.addChoices(s)
	n.addTurns(s)
	n.addConstraints(s)
	n.addNext(s, x)
	n.addOutcome(s, x)
	n.addPlaces(s)
	if !n.isEmpty() {
		n.addProvenance(s)
		n.addAnchor(s)
	}
	return n
}

// The JSON shape of a draft, in the order of a packet.
type (
	document struct {
		Goal        string      `json:"goal,omitempty"`
		Constraints []string    `json:"constraints,omitempty"`
		Decisions   []decision  `json:"decisions,omitempty"`
		Attempts    []attempt   `json:"attempts,omitempty"`
		Questions   []string    `json:"open_questions,omitempty"`
		Next        string      `json:"next_step,omitempty"`
		Outcome     string      `json:"outcome,omitempty"`
		Provenance  *provenance `json:"provenance,omitempty"`
		Anchor      *anchor     `json:"anchor,omitempty"`
		Cites       []cite      `json:"cites,omitempty"`
	}
	decision struct {
		What         string `json:"what"`
		Why          string `json:"why"`
		Consequences string `json:"consequences,omitempty"`
	}
	attempt struct {
		Tried   string `json:"tried"`
		Outcome string `json:"outcome"`
		Learned string `json:"learned,omitempty"`
		Match   *match `json:"match,omitempty"`
	}
	match struct {
		Words   string `json:"words,omitempty"`
		Path    string `json:"path,omitempty"`
		Command string `json:"command,omitempty"`
		Adds    string `json:"adds,omitempty"`
	}
	provenance struct {
		Agent string `json:"agent,omitempty"`
		Model string `json:"model,omitempty"`
	}
	anchor struct {
		Branch string `json:"branch,omitempty"`
		Commit string `json:"commit,omitempty"`
	}
	cite struct {
		Path string `json:"path"`
	}
)

// isEmpty tells whether nothing was found that the next session could use.
func (n *notes) isEmpty() bool {
	d := n.doc
	return d.Goal == "" && (d.Next == "" || d.Next == packet.NoNextStep || strings.HasPrefix(d.Next, SeeEnd)) &&
		len(d.Attempts)+len(d.Decisions)+len(d.Constraints)+len(d.Cites) == 0
}

// encodeJSON returns a value as JSON, whose texts are written as they are.
func encodeJSON(v any) []byte {
	data, _ := clean.JSON(v, "") // It holds nothing but texts.
	return data
}
