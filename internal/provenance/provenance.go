// Package provenance says where a text comes from: who wrote it, how we know, and which record or event holds
// it.
//
// What somebody wrote is sealed in a [Value]. It comes out only for a named [Audience], and only if its
// origin may be shown to that audience. Outputs take values and no bare strings, so that no text reaches a
// reader without its author. The package decides nothing: package memory does, and it alone makes values of
// what others wrote. It is pure.
package provenance

import (
	"cmp"
	"strings"
	"time"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// Audience is who will read a text.
type Audience int

// The audiences.
const (
	Inspecting Audience = iota - 1 // a person looks at what is here, trusted or not
	Requested                      // a session or a tool asked for it
	Automatic                      // hooks add it to a session that did not ask
	Strict                         // a session or a tool asked for what is trusted alone
)

// Reach is how far a text may go.
type Reach int

// The reaches, the shortest first.
const (
	Nowhere       Reach = iota // it is rejected, or was not judged
	OnInspection               // to persons who look at what is here
	OnRequest                  // to sessions that ask, too
	Automatically              // to sessions that did not ask, too
	Everywhere                 // to every audience
)

// How says how we know who wrote a text.
type How string

// The ways to know.
const (
	Unknown    How = "unknown"    // it is simply here
	Created    How = "created"    // this clone made it
	Signed     How = "signed"     // a trusted key signed it
	Delivered  How = "delivered"  // a remote delivered it, and this clone accepted it
	Transcript How = "transcript" // it was read from the transcript of a session, and nobody reviewed it
)

// Origin is where a text comes from. The zero Origin reaches nobody.
type Origin struct {
	ID      packet.ID         // the record or event that holds the text
	Author  packet.Provenance // who wrote it, in the words of that record
	How     How
	Verdict sign.Verdict // what its signature is worth here, and why
	Trusted bool         // made here, or signed by a trusted key as policy asks
	Reach   Reach
	From    string    // the effective URL of the remote that delivered it; empty where none did
	At      time.Time // when it was accepted from there

	// the name of that remote, where it is the one that the memory of this clone is exchanged with; else
	// empty
	Upstream string
	Signs    bool // it is unsigned, and somebody of the name that it states signs here
}

// IsClaimed tells a text that the upstream delivered and that nobody who is trusted here vouches for. It may
// be shown, and decides nothing.
func (o Origin) IsClaimed() bool { return o.Upstream != "" && !o.Trusted }

// TrustedAs tells whether a text is at least as much trusted as another one.
func (o Origin) TrustedAs(other Origin) bool {
	return o.Trusted || !other.Trusted && (o.IsClaimed() || !other.IsClaimed())
}

// LongestName is how many columns the name of an author has in a claim, so that a longer one does not hide
// how it came.
const LongestName = 60

// Claim says who says what nobody vouches for: "says Bob, unsigned, from origin".
func (o Origin) Claim() string {
	who := clean.Line(o.Author.AuthorHuman)
	if who == "" {
		who = o.By()
	}
	who = clean.Truncate(who, LongestName)
	how := string(o.Verdict.Standing)
	if o.Verdict.Standing == sign.Unknown {
		how = "unknown key"
	}
	if strings.ContainsFunc(who, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r) && !strings.ContainsRune(" .-'’", r)
	}) {
		who = `"` + strings.ReplaceAll(who, `"`, "'") + `"` // Else it could say how it came.
	}
	if o.Signs {
		how += " though " + who + " signs"
	}
	return "says " + who + ", " + how + ", from " + clean.Line(o.Upstream)
}

// Doubt is what stands in front of a text for which nobody who is trusted here vouches; nothing in front of
// others, and of one from a transcript, beside which it is said that nobody reviewed it.
func (o Origin) Doubt() string {
	switch {
	case o.IsClaimed():
		return clean.Line(o.Claim()) + ": "
	case o.Trusted || o.How == Transcript:
		return ""
	default:
		return "UNVERIFIED: "
	}
}

// Mark is what a list says of a text for which nobody who is trusted here vouches, in a word: how it came
// where agents are shown it all the same. It is nothing for others.
func (o Origin) Mark() string {
	switch {
	case o.Trusted:
		return ""
	case o.Reach >= Automatically:
		return string(o.Verdict.Standing)
	default:
		return "not trusted"
	}
}

// By names the writer on one clean line: the person, the agent that the person used, and the model.
func (o Origin) By() string { return By(o.Author) }

// By names the writer that a record states, on one clean line: "Alice via claude-code with opus".
func By(p packet.Provenance) string {
	who, via, model := clean.Line(p.AuthorHuman), clean.Line(p.Agent),
		clean.Line(cmp.Or(p.AuthorModel, p.Model))
	if who == "" {
		who, via = via, ""
	}
	if via == who {
		via = ""
	}
	switch {
	case who == "" && model == "":
		return "an unnamed author"
	case who == "":
		return model
	}
	if via != "" {
		who += " via " + via
	}
	if model != "" {
		who += " with " + model
	}
	return who
}

// A Value is something that somebody wrote, with its origin. The zero Value holds nothing.
type Value[T any] struct {
	value  T
	origin *Origin
}

// Text is a Value of one string, hostile until it is written.
type Text = Value[string]

// Of seals a value. The origin must not change afterwards.
func Of[T any](value T, origin *Origin) Value[T] { return Value[T]{value, origin} }

// For returns the value if its origin may be shown to an audience, else the zero value and false.
func (v Value[T]) For(a Audience) (value T, ok bool) {
	if v.origin == nil || v.origin.Reach < OnRequest+Reach(a) {
		return value, false
	}
	return v.value, true
}

// Origin is where the value comes from.
func (v Value[T]) Origin() Origin {
	if v.origin == nil {
		return Origin{}
	}
	return *v.origin
}

// Then returns a value that was derived from another one, with the same origin.
func Then[T, U any](v Value[T], derive func(T) U) Value[U] {
	return Value[U]{derive(v.value), v.origin}
}

// ByOther names who wrote the value and how that is known, "Bob, unsigned", unless that is the author of a
// record, for sure.
func (v Value[T]) ByOther(record Origin) string {
	o := v.origin
	if o == nil || o.ID == record.ID || o.Trusted && record.Trusted && o.By() == record.By() {
		return ""
	}
	return o.By() + ", " + string(o.Verdict.Standing)
}
