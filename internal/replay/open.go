package replay

import (
	"context"
	"crypto/sha256"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// Reading is for whom a record is read.
type Reading = provenance.Audience

// The reasons to read a record.
const (
	Inspected = provenance.Inspecting // a person looks at what is here
	Asked     = provenance.Requested  // a session asked for it, or for the best there is
	Unasked   = provenance.Automatic  // nobody did: a hook adds it to a session by itself
	Strictly  = provenance.Strict     // a session asked for what is trusted alone
)

// Shown is a record that may be shown to an audience. It hands out what the record says; each output says
// beside it who wrote it.
type Shown struct {
	Entry

	to Reading
}

// Open hands out what a record says, or says why it is kept from those who read it for this reason. What is
// kept has its kind, its times and its state, and no text.
func (e Entry) Open(reading Reading) (s Shown, why string) {
	if why = e.Withheld(reading); why != "" {
		e = e.withoutText()
	}
	return Shown{e, reading}, why
}

// MustOpen opens a record that somebody named. One that is kept is a [StandingError] where its signature
// keeps it, and a [PolicyError] where policy does.
func (e Entry) MustOpen(reading Reading) (Shown, error) {
	s, why := e.Open(reading)
	switch {
	case why == "":
		return s, nil
	case e.Verdict.Standing.Withheld():
		return s, &StandingError{ID: e.ID, Verdict: e.Verdict}
	default:
		return s, &PolicyError{ID: e.ID, Why: why}
	}
}

// Withheld says why a record is kept from those who read it for a reason, or nothing where it is shown. No
// policy shows what is rejected.
func (e Entry) Withheld(reading Reading) string {
	if e.origin == nil {
		return "nobody judged it"
	}
	return e.kept[reading-Inspected]
}

// Trusted tells whether somebody who is trusted here vouches for it, with as many others as policy asks for.
func (e Entry) Trusted() bool { return e.origin != nil && e.origin.Trusted }

// Origin is where the record comes from.
func (e Entry) Origin() provenance.Origin { return *e.originOf() }

func (e Entry) originOf() *provenance.Origin {
	if e.origin == nil {
		return &provenance.Origin{ID: e.ID, Verdict: e.Verdict}
	}
	return e.origin
}

// withoutText is the record without what it says. Its kind and its times stay.
func (e Entry) withoutText() Entry {
	e.data = nil
	was := e.said()
	e.says = &says{
		packet: packet.Packet{CreatedAt: was.packet.CreatedAt, Goal: withheld},
		note:   packet.Note{CreatedAt: was.note.CreatedAt, Kind: was.note.Kind, Text: withheld},
		skip:   packet.Skip{CreatedAt: was.skip.CreatedAt, Item: withheld, ExpiresAt: was.skip.ExpiresAt},
		event:  packet.Event{CreatedAt: was.event.CreatedAt, Event: was.event.Event},
		about:  about{created: was.about.created, expires: was.skip.ExpiresAt},
	}
	e.record = new(packet.Record)
	return e
}

// withheld stands for the text of a record that is kept from readers, who may be agents that ask for a list.
const withheld = "(withheld)"

// Reader is for whom the record was opened.
func (s Shown) Reader() Reading { return s.to }

// Packet is what a packet says.
func (s Shown) Packet() packet.Packet { return s.said().packet }

// Note is a note as it was stored.
func (s Shown) Note() packet.Note { return s.said().note }

// Skip is what a skip says.
func (s Shown) Skip() packet.Skip { return s.said().skip }

// Event is what an event says.
func (s Shown) Event() packet.Event { return s.said().event }

// Task is the note of a task as events left it, without its next action, which [Shown.NextAction] has.
func (s Shown) Task() packet.Note {
	n := s.said().note.After(s.Life.set)
	n.NextAction = ""
	switch {
	case s.Life.Closed:
		n.Status = completed
	case s.Life.Reopened && n.Status == completed:
		n.Status = "" // It is active again.
	}
	return n
}

// NextAction is what comes next of a task, in the words of whoever set it last.
func (s Shown) NextAction() provenance.Text {
	if text, _ := s.Life.NextAction.For(s.to); text != "" {
		return s.Life.NextAction
	}
	return s.Text(s.said().note.NextAction)
}

// TakenBy says who works on a task; nothing where nobody said so.
func (s Shown) TakenBy() string {
	if text, _ := s.Life.Taken.For(s.to); text == "" || s.Life.Closed {
		return ""
	}
	return "taken by " + s.Life.Taken.Origin().By()
}

// Record is the parsed record; one without members where it is kept.
func (s Shown) Record() *packet.Record { return s.record }

// Data is the stored bytes; none where the record is kept.
func (s Shown) Data() []byte { return slices.Clone(s.data) }

// Content is what a record of any kind says. Of one that is kept it has the kind and the time.
func (s Shown) Content() packet.Content {
	if s.Withheld(s.to) != "" {
		return packet.Content{Kind: s.Kind(), CreatedAt: s.CreatedAt()}
	}
	c := s.record.Content()
	if s.Kind() == packet.KindEvent {
		c.CreatedAt, c.Provenance = s.said().event.CreatedAt, s.said().event.Provenance
	}
	return c
}

// Sum is the SHA-256 of the stored bytes of a record, which says whether two are the same.
func (e Entry) Sum() [sha256.Size]byte { return sha256.Sum256(e.data) }

// Text seals one of the strings of the record with where it comes from.
func (s Shown) Text(text string) provenance.Text { return s.sealText(text) }

// Sealed seals the packet with where it comes from.
func (s Shown) Sealed() provenance.Value[packet.Packet] {
	return provenance.Of(s.said().packet, s.originOf())
}

// decideReach notes where a record comes from, and to whom it may be shown.
func (r *Reader) decideReach(ctx context.Context, e Entry, name refs.Name) (_ Entry, err error) {
	e.origin = &provenance.Origin{
		ID: e.ID, Author: e.said().about.by, How: provenance.Unknown, Verdict: e.Verdict,
		Reach: provenance.Everywhere,
	}
	p, err := r.opts.Judge.Policy(ctx)
	if err != nil {
		return Entry{}, err
	}
	for _, reading := range []Reading{Inspected, Asked, Unasked, Strictly} {
		e.kept[reading-Inspected] = vouch.KeptFrom(p, e.Verdict, e.Endorsers, reading)
	}
	e.origin.Trusted = vouch.IsTrusted(p, e.Verdict, e.Endorsers)
	switch e.Verdict.Standing {
	case sign.Good, sign.Expired:
		e.origin.How = provenance.Signed
		r.opts.Seen.NoteSigner(e.origin.Author.AuthorHuman)
	case sign.Local:
		e.origin.How = provenance.Created
	default:
		url, at, ok := r.opts.Seen.Delivery(name)
		if !ok {
			break
		}
		e.origin.How, e.origin.From, e.origin.At = provenance.Delivered, url, at
		if e.origin.Upstream, err = r.opts.Judge.Upstream(ctx, url); err == nil && e.Withheld(Asked) == "" &&
			e.Withheld(Unasked) != "" { // Who delivered it may be why it is shown automatically.
			e.kept[Unasked-Inspected], err = r.Unheard(ctx, name, e.about.by, e.Verdict, e.Withheld(Unasked))
		}
		if err != nil {
			return Entry{}, err
		}
		e.origin.Signs = vouch.IsOfSigner(e.Withheld(Unasked))
	}
	// Each audience hears less than the one before: the first from whom it is kept says how far it goes.
	if at := slices.IndexFunc(e.kept[:], func(why string) bool { return why != "" }); at >= 0 {
		e.origin.Reach = provenance.Nowhere + provenance.Reach(at)
	}
	return e, nil
}

// Unheard says why a record that policy keeps from those who did not ask for it is kept from them, or nothing
// where it is shown because of who delivered it, and whose name stands in it.
func (r *Reader) Unheard(ctx context.Context, name refs.Name, by packet.Provenance, v sign.Verdict,
	why string,
) (string, error) {
	url, _, _ := r.opts.Seen.Delivery(name)
	return r.opts.Judge.Unheard(ctx,
		vouch.Claimant{Address: url, By: by, Verdict: v, Why: why, Signs: r.opts.Seen.Signs})
}
