package web

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// The columns of a text in a list.
const (
	titleColumns  = 240
	secondColumns = 320
	nameColumns   = 60
)

// A card is a record in a list.
type card struct {
	ID, Short  string
	Href       string // nothing where the record has no page
	Kind       string // packet, skip, or the kind of a note
	Title      string
	SecondName string // what the second text is
	Second     string
	Author     string
	Branch     string
	BranchHref string
	Topic      string
	Time       moment
	Until      string // when it ends, where that is not over
	Marks      []mark
	Past       bool // lists leave it out unless they are asked
}

// A moment is a time for people and for programs.
type moment struct{ ISO, Text, Full string }

// momentOf tells a time, and how long ago it was.
func (s *shelf) momentOf(at time.Time) moment {
	if at.IsZero() {
		return moment{Text: "at an unknown time"}
	}
	at = at.In(s.now.Location())
	return moment{
		ISO: at.Format(time.RFC3339), Text: briefing.Age(at, s.now),
		Full: at.Format("Mon 2 Jan 2006, 15:04 MST"),
	}
}

// noText stands for what a withheld record says.
const noText = "(withheld)"

// cardOf is a record as lists show it.
func (s *shelf) cardOf(x exhibit) card {
	c := card{
		ID: string(x.ID), Short: briefing.ShortID(x.ID), Href: s.href(x.ID), Kind: string(x.Kind()),
		Time:  s.momentOf(x.CreatedAt()),
		Marks: s.marksOf(x), Past: x.Life.Hidden(), Title: noText,
	}
	if x.Kind() == packet.KindNote {
		c.Kind = x.Note().Kind
	}
	if x.withheld != "" {
		return c
	}
	c.Title, c.SecondName, c.Second = headlineOf(x)
	c.Title, c.Second = cutLine(c.Title, titleColumns), cutLine(c.Second, secondColumns)
	c.Author = cutLine(x.Origin().By(), nameColumns)
	c.Branch, c.Topic = cutLine(x.content.Anchor.Branch, nameColumns), cutLine(x.content.Topic, nameColumns)
	if c.Branch != "" {
		c.BranchHref = s.root + listHref(timelineName, "branch", x.content.Anchor.Branch)
	}
	if at := x.ExpiresAt(); !at.IsZero() && !x.Life.Expired {
		c.Until = at.In(s.now.Location()).Format("2 Jan 2006")
	}
	return c
}

// headlineOf is what a record says first, and what belongs to it.
func headlineOf(x exhibit) (first, name, second string) {
	switch x.Kind() {
	case packet.KindNote:
		if x.Note().Kind == packet.NoteTask {
			return x.Note().Text, "Next", textFor(x.NextAction(), x)
		}
		return x.Note().Text, "Why", x.Note().Why
	case packet.KindSkip:
		return x.Skip().Item, "Why", x.Skip().Reason
	case packet.KindEvent:
		return x.Event().Event, "Why", x.Event().Why
	default:
		return x.Packet().Goal, "Next", x.Packet().Next()
	}
}

// textFor is a text that may stand in an event about a record, with who wrote it where that is not the author.
func textFor(t provenance.Text, of exhibit) string {
	text, _ := t.For(replay.Asked)
	if by := t.ByOther(of.Origin()); text != "" && by != "" {
		text += " (" + by + ")"
	}
	return text
}

// cutLine brings hostile text to one line of so many columns.
func cutLine(text string, columns int) string { return clean.Truncate(clean.Line(text), columns) }

// An exhibit is a record that was judged for being shown. Of a withheld one the views and the content hold no
// text.
type exhibit struct {
	replay.Shown
	content  packet.Content
	withheld string // why it is kept from readers; empty where it is not
	cites    []citation.Cited
}

// exhibitOf judges a record.
func exhibitOf(e replay.Entry) exhibit {
	var x exhibit
	x.Shown, x.withheld = e.Open(replay.Asked)
	x.content = x.Shown.Content()
	return x
}

// checkCites looks at the places that some records cite, all in one go.
func (s *shelf) checkCites(ctx context.Context, m *memory.Memory, all []exhibit) error {
	var entries []replay.Shown
	var at []int
	for i, x := range all {
		if len(x.content.Cites) > 0 {
			entries, at = append(entries, x.Shown), append(at, i)
		}
	}
	if len(entries) == 0 {
		return nil
	}
	cited, err := m.Cited(ctx, entries)
	if err != nil {
		return err
	}
	for i, cites := range cited {
		all[at[i]].cites = cites
	}
	return nil
}

// A mark is a word about a record that a reader has to know: who vouches for it, what became of it, how the
// places are now that it cites.
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

// marksOf are all the marks of a record, who vouches for it first.
func (s *shelf) marksOf(x exhibit) []mark {
	// Says who vouches for a record.
	m := mark{Class: warn, Text: "unverified: " + string(x.Verdict.Standing), Why: "no trusted key signed it"}
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
		m.Why = "fewer people signed it than ltm.requireEndorsed asks for"
	}
	m.Why = s.publicText(m.Why)
	marks := []mark{m}
	if word := reply.StateWord(x.Shown); word != "" {
		class := map[string]string{
			"retracted": bad, "contested": bad, "wrong": bad, "superseded": warn, "expired": warn,
		}[word]
		marks = append(marks, mark{cmp.Or(class, plain), word, ""})
	}
	if x.Store != "" {
		marks = append(marks, mark{plain, string(x.Store), ""})
	}
	count := map[citation.State]int{} // places that are not as they were
	for _, c := range x.cites {
		count[c.State]++
	}
	for _, state := range []citation.State{citation.Gone, citation.Changed, citation.Moved} {
		if n := count[state]; n > 0 {
			text := fmt.Sprintf("%s %s", command.Counted(n, "cited place"), state)
			marks = append(marks, mark{map[citation.State]string{citation.Moved: plain}[state], text, ""})
		}
	}
	for i := range marks {
		marks[i].Class = cmp.Or(marks[i].Class, warn)
	}
	return marks
}

// citeState says how one cited place is now, with the class of that.
func citeState(c citation.Cited) (class, text string) {
	switch c.State {
	case citation.OK:
		return good, "as it was"
	case citation.Moved:
		return plain, "moved to " + clean.Line(c.Now.String())
	case citation.Changed:
		return warn, "changed since"
	case citation.Gone:
		return warn, "gone"
	default:
		return plain, "unknown: git cannot tell here"
	}
}
