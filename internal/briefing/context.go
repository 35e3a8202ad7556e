package briefing

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/provenance"
)

// Context is what a session should know now, out of many records.
type Context struct {
	Known   []Known
	To      provenance.Audience // who reads it
	More    int                 // what was not even weighed
	Arrived int                 // how many records it is about, where these arrived while a session goes on
	Branch  string              // the current one; empty for none
	Now     time.Time           // required
	Nonce   string              // required: random for each answer
	Budget  int                 // characters of the whole answer; zero is no bound
}

// Markdown writes the context for a reader, human or not. Nothing known is nothing written.
func (c Context) Markdown() string { return c.writeFitting(c.writeMarkdown) }

// DSL writes it in few characters: a line a thing, each beginning with the code of its section.
func (c Context) DSL() string { return c.writeFitting(c.writeDSL) }

// writeFitting writes as much as the budget allows.
func (c Context) writeFitting(write func([]Known, about, int) string) string {
	kept, most, left := c.chooseFitting(write)
	if len(kept) == 0 {
		return ""
	}
	return write(kept, most, left)
}

// chooseFitting is what fits the budget as it is written, what is said of most of it, and how much is left out.
func (c Context) chooseFitting(write func([]Known, about, int) string) (kept []Known, most about, left int) {
	all, most := addressKnown(c.Known, c.To, c.Now)
	kept, left = chooseKnown(all, c.Budget, func(some []Known, left int) int {
		return utf8.RuneCountInString(write(some, most, c.More+left))
	})
	return kept, most, c.More + left
}

// smallBudget is the budget up to which what stands before the marks is said in short.
const smallBudget = 1000

func (c Context) writeMarkdown(kept []Known, most about, left int) string {
	var out strings.Builder
	switch {
	case c.Arrived > 0:
		fmt.Fprintf(&out, arrivedIntro, c.Arrived, pluralEnd(c.Arrived))
	case c.Budget <= 0 || c.Budget > smallBudget:
		out.WriteString(contextIntro)
	default:
		out.WriteString(contextShortIntro)
	}
	fmt.Fprintf(&out, "<ltm-context nonce=%q>\n", c.Nonce)
	if usual := most.onOneLine(); usual != "" {
		fmt.Fprintf(&out, usualOrigin, usual)
	}
	if c.isUsualClaim(kept, most) {
		fmt.Fprintf(&out, usualClaim, most[claim])
	}
	for i, s := range groupBySection(kept) {
		if i > 0 {
			out.WriteString("|\n")
		}
		fmt.Fprintf(&out, "| ## %s\n", s.title)
		for _, it := range s.items {
			fmt.Fprintf(&out, "| - [%s] %s", it.from, it.text)
			for _, n := range it.notes {
				fmt.Fprintf(&out, "; %s: %s", n.label, n.text)
			}
			out.WriteByte('\n')
		}
	}
	fmt.Fprintf(&out, "</ltm-context nonce=%q>\n", c.Nonce)
	if left > 0 {
		fmt.Fprintf(&out, "\n"+leftOut+askForIt, left)
	}
	return out.String()
}

// isUsualClaim tells whether any of some things is claimed as most are. The line that says so counts among what
// claims take of the budget.
func (c Context) isUsualClaim(some []Known, most about) bool {
	return most[claim] != "" && slices.ContainsFunc(some, func(k Known) bool {
		return k.aboutRecord(c.Now)[claim] == most[claim]
	})
}

// Fit leaves out what does not fit the budget of a context in Markdown, so that the caller knows what is
// told.
func (c Context) Fit() Context {
	c.Known, _, c.More = c.chooseFitting(c.writeMarkdown)
	return c
}

func (c Context) writeDSL(kept []Known, most about, left int) string {
	var out strings.Builder
	fmt.Fprintf(&out, "ltm-context %s begin note=%q usual=%q", c.Nonce, DataNote, most.onOneLine())
	if c.isUsualClaim(kept, most) {
		fmt.Fprintf(&out, " claim=%q", most[claim])
	}
	out.WriteByte('\n')
	for _, s := range groupBySection(kept) {
		s.writeDSL(&out, " | (%s)")
	}
	fmt.Fprintf(&out, "ltm-context %s end left_out=%d\n", c.Nonce, left)
	return out.String()
}

// writeDSL writes the items of a section, a line each; where one comes from stands in a form of the caller.
func (s section) writeDSL(out *strings.Builder, from string) {
	for _, it := range s.items {
		fmt.Fprintf(out, "%s %s", s.code, escapeBars(it.doubt+it.text))
		for _, n := range it.notes {
			fmt.Fprintf(out, " | %s: %s", n.label, escapeBars(n.text))
		}
		if it.from != "" {
			fmt.Fprintf(out, from, escapeBars(it.from))
		}
		out.WriteByte('\n')
	}
}

// escapeBars marks the bars of a text, so that none is taken for one between the parts of a line.
func escapeBars(text string) string { return strings.ReplaceAll(text, "|", `\|`) }

// FormatVersion is the version of what is printed as JSON. It grows where a member goes, or means something
// else.
const FormatVersion = 1

// ContextJSON is the JSON form. The names are stable. It has no ages and no nonce, so that two clones that
// know the same write the same.
type ContextJSON struct {
	Version int         `json:"version"`
	Branch  string      `json:"branch,omitempty"`
	Note    string      `json:"note"`
	Items   []jsonKnown `json:"items"`
	LeftOut int         `json:"left_out"`
}

type jsonKnown struct {
	Section   string   `json:"section,omitempty"`
	ID        string   `json:"id"`
	Place     string   `json:"place"`
	Kind      string   `json:"kind"`
	Text      string   `json:"text"`
	Why       string   `json:"why,omitempty"`
	Wrong     string   `json:"wrong,omitempty"` // why it is, by whoever contradicted it
	Next      string   `json:"next_action,omitempty"`
	NextBy    string   `json:"next_action_by,omitempty"` // who set it, where that is not the author
	Digest    string   `json:"digest,omitempty"`
	DigestBy  string   `json:"digest_by,omitempty"`
	Author    string   `json:"author"`
	CreatedAt string   `json:"created_at"`
	ExpiresAt string   `json:"expires_at,omitempty"`
	Standing  string   `json:"standing"`
	Claim     string   `json:"claim,omitempty"` // "says Bob, unsigned, from origin"
	Verified  bool     `json:"verified"`
	Store     string   `json:"store,omitempty"`
	Branch    string   `json:"branch,omitempty"`
	Marks     []string `json:"marks,omitempty"`
	Alike     int      `json:"alike,omitempty"` // more that say nearly the same
	Draft     bool     `json:"draft,omitempty"` // from a transcript, not reviewed
}

// JSON writes the context as one JSON object and a line break. One without items may be longer than the
// budget: a program that asks for a value gets one.
func (c Context) JSON() ([]byte, error) {
	all, _ := addressKnown(c.Known, c.To, c.Now)
	kept, left := chooseKnown(all, c.Budget, func(some []Known, left int) int {
		return countRunes(c.encodeKept(some, c.More+left))
	})
	return c.encodeKept(kept, c.More+left)
}

func (c Context) encodeKept(kept []Known, left int) ([]byte, error) {
	j := ContextJSON{
		Version: FormatVersion, Branch: cleanLine(c.Branch), Note: DataNote,
		Items: []jsonKnown{}, LeftOut: left,
	}
	for _, k := range sortKnown(kept) {
		j.Items = append(j.Items, k.jsonForm())
	}
	return encodeJSON(j)
}

func (k Known) jsonForm() jsonKnown {
	o := k.Text.Origin()
	j := jsonKnown{
		Section: k.Section.headingOf().name, ID: k.ID(), Place: k.Place, Kind: k.Kind,
		Text: k.textFor(k.Text),
		Why:  k.textFor(k.Why), Wrong: k.saysBy(k.Wrong), Next: k.textFor(k.Next), Digest: k.textFor(k.Digest),
		Author: cleanLine(o.By()), CreatedAt: k.Created.UTC().Format(time.RFC3339),
		Standing: string(o.Verdict.Standing),
		Verified: o.Trusted, Store: k.Store, Branch: cleanLine(k.Branch),
		Alike: k.Alike, Draft: o.How == provenance.Transcript,
	}
	if o.IsClaimed() {
		j.Claim = cleanLine(o.Claim())
	}
	if j.Next != "" {
		j.NextBy = k.otherAuthor(k.Next)
	}
	if j.Digest != "" {
		j.DigestBy = k.otherAuthor(k.Digest)
	}
	if !k.Until.IsZero() {
		j.ExpiresAt = k.Until.UTC().Format(time.RFC3339)
	}
	for _, m := range k.Marks {
		j.Marks = append(j.Marks, cleanLine(m))
	}
	return j
}
