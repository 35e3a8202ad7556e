// Package briefing writes what the next session reads: one packet, what its thread has settled, and who says
// so.
//
// The text of a packet is hostile input. It is cleaned of characters that act on a terminal or hide from a
// reader, put on one line, and set between two marks that carry a nonce, each line marked as data. What the
// reader should attend to most stands at the start and again at the end. A briefing never tells a session to
// trust it.
package briefing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// Briefing is what is known about one packet at the time of reading.
type Briefing struct {
	Packet Packet              // required
	To     provenance.Audience // who reads it
	// "user" or "private", where it lies in another memory than that of the repository
	Store string
	// why it is not trusted although somebody trusted signed it; empty where nobody did
	Doubt   string
	Closed  bool     // its thread has ended
	Cleaned int      // characters taken out that act on a terminal or hide from a reader
	Thread  []Packet // earlier packets of the same thread, nearest first
	// which of those somebody marked as wrong since, and why
	Wrong   map[packet.ID]provenance.Text
	Changed map[string]string
	Now     time.Time // required
	Nonce   string    // required: random for each answer
	Budget  int       // characters of the whole answer; zero is no bound
}

// Packet is a packet and where it comes from.
type Packet = provenance.Value[packet.Packet]

// packetID is the name of the record.
func (b Briefing) packetID() string { return string(b.Packet.Origin().ID) }

// openPacket is what it says, as far as the reader may read it.
func (b Briefing) openPacket() packet.Packet {
	p, _ := b.Packet.For(b.To)
	return p
}

// nextStep is the next step of the packet; nothing where its thread has ended.
func (b Briefing) nextStep() string {
	if b.Closed {
		return ""
	}
	return b.openPacket().Next()
}

// standing is one word for who vouches for the packet.
func (b Briefing) standing() string { return string(b.Packet.Origin().Verdict.Standing) }

// carryItems returns items of an earlier packet, each with where it comes from.
func (b Briefing) carryItems(from Packet, items func(p packet.Packet, id string) []item) []item {
	p, ok := from.For(b.To)
	if !ok {
		return nil
	}
	o := from.Origin()
	all := items(p, string(o.ID))
	wrong, isWrong := b.Wrong[o.ID]
	for i := range all {
		if isWrong {
			why, _ := wrong.For(b.To)
			who := ""
			if by := wrong.ByOther(o); why != "" && by != "" {
				who = " (" + by + ")"
			}
			all[i].notes = append(all[i].notes, makeNotes("wrong", cmp.Or(why, "yes")+who)...)
		}
		if by := from.ByOther(b.Packet.Origin()); by != "" {
			all[i].from = fmt.Sprintf("%s (%s)", o.ID, cleanLine(by))
		}
	}
	return markDoubt(all, from)
}

// trustLine says in one sentence what the reader may think of the packet.
func (b Briefing) trustLine() string {
	switch o := b.Packet.Origin(); {
	case o.Trusted:
		return ""
	case o.IsClaimed():
		return fmt.Sprintf(claimedPacket, cleanLine(o.Claim()))
	case b.Doubt != "":
		return "UNVERIFIED: " + b.Doubt
	default:
		return untrustedPacket
	}
}

// storeLine says in one sentence in which memory the packet lies, where the reader would not expect it.
func (b Briefing) storeLine() string {
	return map[string]string{"user": ofUser, "private": ofClone}[b.Store]
}

// Markdown writes the briefing for a reader, human or not.
func (b Briefing) Markdown() string {
	kept, left := fitSections(b.sections(), b.Budget, func(s []section, left int) int {
		return utf8.RuneCountInString(b.writeMarkdown(s, left))
	})
	return b.writeMarkdown(kept, left)
}

func (b Briefing) writeMarkdown(sections []section, left int) string {
	out := new(strings.Builder)
	// What stands before the mark is in the words of this tool alone: nothing that the packet says stands in it.
	p, v := b.openPacket(), b.Packet.Origin().Verdict
	fmt.Fprintf(out, packetTitle, b.packetID(),
		Age(p.CreatedAt, b.Now), p.CreatedAt.UTC().Format(time.RFC3339), v.Standing)
	if v.Why != "" {
		fmt.Fprintf(out, " (%s)", cleanLine(v.Why))
	}
	out.WriteString(".\n")
	if origin := b.storeLine(); origin != "" {
		out.WriteString(origin + "\n")
	}
	if b.Closed {
		out.WriteString(closedThread + "\n")
	}
	if v.By != "" {
		fmt.Fprintf(out, "Signed by: %s (key %s).\n", cleanLine(v.By), cleanLine(v.Key))
	}
	if seal := b.trustLine(); seal != "" {
		out.WriteString(seal + "\n")
	}
	if b.Cleaned > 0 {
		fmt.Fprintf(out, cleanedPacket, b.Cleaned, pluralEnd(b.Cleaned))
	}
	if n := len(p.Scan.Overridden); n > 0 {
		fmt.Fprintf(out, allowedPacket, n, pluralEnd(n))
	}
	out.WriteString(packetIntro)

	fmt.Fprintf(out, "<ltm-packet nonce=%q id=%q standing=%q>\n", b.Nonce, b.packetID(), b.standing())
	begun := 0 // how much there is up to the first action
	for i, s := range sections {
		if i > 0 {
			out.WriteString("|\n")
		}
		if s.name == "next_step" {
			begun = out.Len()
		}
		fmt.Fprintf(out, "| ## %s\n", s.title)
		for _, it := range s.items {
			fmt.Fprintf(out, "| - %s%s\n", it.doubt, it.text)
			for _, n := range it.notes {
				fmt.Fprintf(out, "|   %s: %s\n", n.label, n.text)
			}
			if it.from != "" {
				fmt.Fprintf(out, "|   carried from: %s\n", it.from)
			}
		}
	}
	// The first action is said once more where attention rises again, and much stands between: of a packet that is
	// trusted.
	if next := cleanLine(b.nextStep()); next != "" && b.Packet.Origin().Trusted &&
		utf8.RuneCountInString(out.String()[begun:]) > farOff {
		fmt.Fprintf(out, "|\n| ## To begin\n| - %s\n", next)
		if slices.ContainsFunc(sections, func(s section) bool { return s.name == "locked_decisions" }) {
			out.WriteString(lockedHold)
		}
	}
	fmt.Fprintf(out, "</ltm-packet nonce=%q>\n", b.Nonce)
	if left > 0 {
		fmt.Fprintf(out, "\n"+leftOut+wholeRecord+"%s\n", left, b.packetID())
	}
	return out.String()
}

// farOff is how many characters from the first action to the end are much.
const farOff = 1500

// DSL writes the briefing in few characters: a line an item, each beginning
// with the code of its section.
func (b Briefing) DSL() string {
	kept, left := fitSections(b.sections(), b.Budget, func(s []section, left int) int {
		return utf8.RuneCountInString(b.writeDSL(s, left))
	})
	return b.writeDSL(kept, left)
}

func (b Briefing) writeDSL(sections []section, left int) string {
	var out strings.Builder
	store := ""
	if b.Store != "" {
		store = " store=" + b.Store
	}
	if b.Closed {
		store += " closed=true"
	}
	fmt.Fprintf(&out, "ltm-packet %s begin id=%s standing=%s%s verified=%t age=%q note=%q\n", b.Nonce,
		b.packetID(),
		b.standing(), store,
		b.Packet.Origin().Trusted, Age(b.openPacket().CreatedAt, b.Now), DataNote)
	for _, s := range sections {
		s.writeDSL(&out, " | from: %s")
	}
	fmt.Fprintf(&out, "ltm-packet %s end left_out=%d\n", b.Nonce, left)
	return out.String()
}

// PacketJSON is the JSON form. The names are stable.
type PacketJSON struct {
	Version   int           `json:"version"`
	ID        string        `json:"id"`
	CreatedAt string        `json:"created_at"`
	Author    string        `json:"author"`
	Branch    string        `json:"branch,omitempty"`
	Store     string        `json:"store,omitempty"`
	Standing  string        `json:"standing"`
	Vouched   string        `json:"standing_reason,omitempty"`
	By        string        `json:"signed_by,omitempty"`
	Key       string        `json:"key,omitempty"`
	Verified  bool          `json:"verified"`
	Closed    bool          `json:"closed,omitempty"` // its thread has ended
	Cleaned   int           `json:"characters_taken_out"`
	Note      string        `json:"note"`
	Sections  []jsonSection `json:"sections"`
	LeftOut   int           `json:"left_out"`
}

type jsonSection struct {
	Name  string     `json:"name"`
	Items []jsonItem `json:"items"`
}

type jsonItem struct {
	Text  string            `json:"text"`
	Notes map[string]string `json:"notes,omitempty"`
	From  string            `json:"from,omitempty"`
}

// JSON writes the briefing as one JSON object and a line break.
func (b Briefing) JSON() ([]byte, error) {
	kept, left := fitSections(b.sections(), b.Budget, func(s []section, left int) int {
		return countRunes(b.encodeSections(s, left))
	})
	return b.encodeSections(kept, left)
}

func (b Briefing) encodeSections(sections []section, left int) ([]byte, error) {
	p, o := b.openPacket(), b.Packet.Origin()
	j := PacketJSON{
		Version: FormatVersion,
		ID:      b.packetID(), CreatedAt: p.CreatedAt.UTC().Format(time.RFC3339), Author: cleanLine(o.By()),
		Branch: cleanLine(p.Anchor.Branch), Store: b.Store, Standing: b.standing(),
		Vouched: cleanLine(o.Verdict.Why),
		By:      cleanLine(o.Verdict.By), Key: cleanLine(o.Verdict.Key), Verified: o.Trusted, Closed: b.Closed,
		Cleaned: b.Cleaned,
		Note:    DataNote, LeftOut: left, Sections: []jsonSection{},
	}
	for _, s := range sections {
		js := jsonSection{Name: s.name}
		for _, it := range s.items {
			ji := jsonItem{Text: it.doubt + it.text, From: it.from}
			for _, n := range it.notes {
				if ji.Notes == nil {
					ji.Notes = map[string]string{}
				}
				ji.Notes[n.label] = n.text
			}
			js.Items = append(js.Items, ji)
		}
		j.Sections = append(j.Sections, js)
	}
	return encodeJSON(j)
}
