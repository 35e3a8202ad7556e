package packet

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Content is what a packet, a note or a skip says, as items, and what holds for
// all of them.
type Content struct {
	Kind                 Kind `member:"-"`
	CreatedAt, ExpiresAt time.Time
	Tags                 []string
	Topic                string
	Paths                []string // the paths and globs that it names, cites or forbids to change, each once
	Cites                []Cite
	Impact, Confidence   string
	Origin               string
	Anchor               Anchor
	Provenance           Provenance
	Items                []Item `member:"-"`
}

// Item is one thing that a record says: what is found, and what is handed out.
type Item struct {
	// Kind is goal, next_step, criterion, constraint, question, decision, method
	// or attempt of a packet, the kind of a note, or skip.
	Kind  string
	Place string // JSON pointer within the record
	Text  string // what it says first: the decision, what was tried, the text
	Why   string // the rest: the reasons and consequences, the outcome and what was learned, how

	Locked     bool   // a decision that is not to be reopened
	Failed     bool   // an attempt that did anything but succeed
	Confidence string // of an attempt
	Match      Match  // of an attempt, and of a note
}

// The kinds of items that stand in packets, and in skips.
const (
	ItemGoal       = "goal"
	ItemNext       = "next_step"
	ItemCriterion  = "criterion"
	ItemConstraint = "constraint"
	ItemQuestion   = "question"
	ItemDecision   = "decision"
	ItemMethod     = "method"
	ItemAttempt    = "attempt"
	ItemOutcome    = "outcome" // what came of the work
	ItemSkip       = "skip"
)

// AskedKinds returns the kinds that a question can ask for: of items, of notes and of records.
func AskedKinds() []string {
	return slices.Concat([]string{
		ItemGoal, ItemNext, ItemCriterion, ItemConstraint, ItemQuestion, ItemDecision, ItemMethod,
		ItemAttempt, ItemOutcome,
	}, noteKinds[1:], []string{string(KindPacket), string(KindNote), string(KindSkip)})
}

// Content returns what a valid record says. An event says nothing of its own.
func (r *Record) Content() Content {
	kind := kindOf(r.root)
	if kind.kind == KindEvent || kind.shape == nil {
		return Content{Kind: kind.kind}
	}
	c := viewOf[Content](slices.DeleteFunc(slices.Clone(r.root), func(m member) bool {
		return kind.shape.findField(m.name) == nil
	}))
	c.Kind = kind.kind
	for _, cite := range c.Cites {
		c.Paths = append(c.Paths, cite.Path)
	}
	c.Paths = withoutRepeats(c.Paths)
	switch c.Kind {
	case KindPacket:
		p := r.Packet()
		c.Confidence = p.Provenance.Confidence
		c.addItem(Item{Kind: ItemGoal, Place: "/goal", Text: p.Goal})
		for i, d := range p.Decisions {
			c.addItem(Item{
				Kind: ItemDecision, Place: itemPath("decisions", i), Text: d.What,
				Why: joinLines(d.Why, d.Consequences), Locked: d.Locked,
			})
		}
		for i, a := range p.Attempts {
			c.addItem(a.Item(itemPath("attempts", i)))
		}
		for i, m := range p.Methods {
			c.addItem(Item{
				Kind: ItemMethod, Place: itemPath("methods", i), Text: joinLines(m.Name, m.WhenApplicable),
				Why: m.How,
			})
		}
		c.addTexts(ItemConstraint, "constraints", p.Constraints)
		c.addTexts(ItemQuestion, "open_questions", p.OpenQuestions)
		c.addTexts(ItemCriterion, "success_criteria", p.SuccessCriteria)
		c.addItem(Item{Kind: ItemNext, Place: "/next_step", Text: p.Next()})
		c.addItem(Item{Kind: ItemOutcome, Place: "/outcome", Text: p.Outcome})
	case KindNote:
		n := r.Note()
		c.addItem(Item{
			Kind: n.Kind, Place: "/text", Text: n.Text, Why: joinLines(n.Why, n.NextAction),
			Match: n.Match,
		})
	case KindSkip:
		s := r.Skip()
		c.addItem(Item{
			Kind: ItemSkip, Place: "/item",
			Text: joinLines(s.Item, s.Match.Command, s.Match.Words, s.Match.Path), Why: s.Reason,
		})
		c.addMatched(s.Match)
	case KindEvent: // It says nothing of its own.
	}
	for _, i := range c.Items {
		c.addMatched(i.Match)
	}
	return c
}

// Item is what an attempt says, at a place of a packet.
func (a Attempt) Item(place string) Item {
	return Item{
		Kind: ItemAttempt, Place: place, Text: a.Tried, Why: joinLines(a.Outcome, a.Learned),
		Failed: a.Failed(), Confidence: a.Confidence, Match: a.Match,
	}
}

// Overcomes tells that an attempt worked at what another one failed at: both are met by the same, or, where
// neither says by what, tried the same.
func (i Item) Overcomes(earlier Item) bool {
	return i.Kind == ItemAttempt && !i.Failed && earlier.Kind == ItemAttempt && earlier.Failed &&
		i.Match == earlier.Match && (i.Match != Match{} || i.Text == earlier.Text)
}

// addItem appends an item that says something.
func (c *Content) addItem(i Item) {
	if i.Text != "" {
		c.Items = append(c.Items, i)
	}
}

// addMatched appends the path or glob that something is met by. The glob of a whole folder is the folder.
func (c *Content) addMatched(m Match) {
	if name := CleanPath(strings.TrimSuffix(m.Path, "/**")); name != "" {
		c.Paths = withoutRepeats(append(c.Paths, name))
	}
}

func (c *Content) addTexts(kind, member string, texts []string) {
	for i, text := range texts {
		c.addItem(Item{Kind: kind, Place: itemPath(member, i), Text: text})
	}
}

func itemPath(member string, i int) string { return "/" + member + "/" + strconv.Itoa(i) }

// joinLines joins what is not empty, each once, a line each.
func joinLines(texts ...string) string { return strings.Join(withoutRepeats(texts), "\n") }

// withoutRepeats returns the texts that are not empty, each at its first place.
func withoutRepeats(texts []string) []string {
	var all []string
	for _, t := range texts {
		if t != "" && !slices.Contains(all, t) {
			all = append(all, t)
		}
	}
	return all
}

// AuthorHuman is the person whom a record of any kind states as its author.
func (r *Record) AuthorHuman() string {
	return cmp.Or(r.Content().Provenance.AuthorHuman, r.Event().Provenance.AuthorHuman)
}
