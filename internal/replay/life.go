package replay

import (
	"cmp"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/rank"
)

// Life is what the events made of a record.
type Life struct {
	Retracted    bool
	Archived     bool // not shown automatically
	Closed       bool // its thread has ended, or the task is done
	Contradicted bool // somebody said that it is wrong, and nobody confirmed it since
	Expired      bool
	By           packet.ID       // the event that decided that it is retracted, or not any more
	Superseded   packet.ID       // the record that takes its place
	Consolidated packet.ID       // the record that says it together with others
	Until        time.Time       // when it expires, by an event
	Confirmed    time.Time       // when somebody last confirmed it
	Impact       string          // as an event sets it
	Digest       provenance.Text // a short text beside the original
	NextAction   provenance.Text // of a task, where an event sets it
	Links        []Linked
	Claims       []Claim // the newest of what others say of a record that they have no say in, oldest first
	ClaimsLeft   int     // older ones, which are not among these

	set   packet.Change // of a task, as events set it
	votes []bool        // the confirmations and contradictions, in turn
}

// Claim is what an event that is not trusted says of a record that is. It changes nothing of the record.
type Claim struct {
	At    time.Time
	Event string          // the word of the event, such as digest
	Value provenance.Text // what it says, with who wrote it
	Why   provenance.Text
	By    []packet.ID
}

// mostClaims bounds how many claims of one record are kept. Whoever can push can make any number.
const mostClaims = 32

// claimed returns the life with one more claim.
func (l Life) claimed(e Entry) Life {
	if len(l.Claims) == mostClaims {
		l.Claims = slices.Clone(l.Claims[1:])
		l.ClaimsLeft++
	}
	l.Claims = append(l.Claims, Claim{
		At: e.event.CreatedAt, Event: e.event.Event, Value: e.says(e.event.Value), Why: e.says(e.event.Why), By: others(e.event),
	})
	return l
}

// bearsText tells the events that put words beside a record or change its rank. The others only hide it, end it or bring it back.
func bearsText(event string) bool {
	return slices.Contains([]string{"digest", "set", "link", "impact", "confirm", "contradict"}, event)
}

// bringsBack tells the events that show again what was put away or ended.
func bringsBack(event string) bool {
	return slices.Contains([]string{"restore", "reopen"}, event)
}

// Linked is a record that another one is linked with.
type Linked struct {
	ID    packet.ID
	Label provenance.Text // how, in the words of whoever linked them
}

// Hidden tells whether lists leave the record out.
func (l Life) Hidden() bool { return l.Retracted || l.Expired || l.Superseded != "" }

// Resting tells whether nobody is told of the record unasked.
func (l Life) Resting() bool { return l.Hidden() || l.Archived || l.Consolidated != "" }

// PutAway tells whether somebody said that the record is to be out of sight. One whose own time is over is not.
func (l Life) PutAway() bool {
	return l.Retracted || l.Archived || l.Superseded != "" || l.Consolidated != "" || l.Expired && !l.Until.IsZero()
}

// Confidence is how sure a record is, from 0 to 1, after what was said for and against it; prior is how sure it was before.
func (l Life) Confidence(prior float64) float64 {
	for _, confirmed := range l.votes {
		if confirmed {
			prior = rank.Confirm(prior)
		} else {
			prior = rank.Contradict(prior)
		}
	}
	return prior
}

// completed is the status of a task that is done.
const completed = "completed"

// status is that of a task as close and reopen left it.
func (l Life) status() string {
	if l.Closed {
		return completed
	}
	return ""
}

// others returns the records that an event speaks of beside its targets. An event that takes one to say that another has its
// place changes nothing where there is none.
func others(e packet.Event) []packet.ID {
	targets := IDs(e.Targets)
	return slices.DeleteFunc(IDs(e.By), func(id packet.ID) bool { return slices.Contains(targets, id) })
}

// says seals one of the strings of an event, or of any record, with where it comes from.
func (e Entry) says(text string) provenance.Text { return provenance.Of(text, e.from()) }

// after returns what an event makes of one of its targets. Events of other kinds change nothing here.
func (l Life) after(e Entry) Life {
	switch e.event.Event {
	case "retract":
		l.Retracted, l.By = true, e.ID
	case "restore":
		l.Retracted, l.Archived, l.Superseded, l.Consolidated, l.By = false, false, "", "", e.ID
	case "archive":
		l.Archived = true
	case "supersede":
		l.Superseded = append(others(e.event), l.Superseded)[0]
	case "consolidate":
		l.Consolidated = append(others(e.event), l.Consolidated)[0]
	case "close":
		l.Closed = true
	case "reopen":
		l.Closed = false
	case "expire":
		l.Until = e.event.ExpiresAt
		if l.Until.IsZero() {
			l.Until = e.event.CreatedAt
		}
	case "digest":
		l.Digest = e.says(e.event.Value)
	case "link":
		for _, other := range others(e.event) {
			l.Links = append(l.Links, Linked{ID: other, Label: e.says(e.event.Value)})
		}
	default:
		return l.judged(e)
	}
	return l
}

// judged applies the events that say how much a record counts. That one is critical takes somebody who counts here.
func (l Life) judged(e Entry) Life {
	switch e.event.Event {
	case "confirm":
		l.votes, l.Contradicted, l.Confirmed = append(l.votes, true), false, e.event.CreatedAt
	case "contradict":
		l.votes, l.Contradicted = append(l.votes, false), true
	case "impact":
		if packet.IsImpact(e.event.Value) && (e.event.Value != rank.Critical || e.Verdict.Standing.Vouched()) {
			l.Impact = e.event.Value
		}
	case "set":
		if change, err := packet.ParseChange(e.event.Value); err == nil {
			l.set = l.set.Then(change)
			if change.NextAction != "" {
				l.NextAction = e.says(change.NextAction)
			}
			l.Closed = cmp.Or(change.Status, l.status()) == completed
		}
	}
	return l
}
