package briefing

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"
)

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
