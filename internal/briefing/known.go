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

// Known is one thing that is worth knowing, out of any record. Its text is hostile until it is written.
type Known struct {
	Section Section
	Place   string          // JSON pointer within the record
	Kind    string          // of the item
	Text    provenance.Text // required: its origin is that of the record
	Why     provenance.Text // the reason, the outcome or the way, which belongs to it
	Next    provenance.Text // what comes next, of a task
	Wrong   provenance.Text // why it is wrong, where somebody said so
	// a short text that somebody set beside the original, and that stands in its place
	Digest  provenance.Text
	Created time.Time
	Until   time.Time // when it expires; the zero time for never
	Store   string    // "user" or "private", where it lies in another memory than that of the repository
	Branch  string    // the branch that it was made on, where that is not merged here; of a thread any other one
	Marks   []string  // what speaks against it: "contradicted", "changed since: src/x.go:12"
	Value   float64   // how much it counts
	Alike   int       // how many more say nearly the same
	Urgent  bool      // a task of high priority

	to      provenance.Audience // who reads it
	written item
}

// ID is the name of the record.
func (k Known) ID() string { return string(k.Text.Origin().ID) }

// mostDrafted is the characters of what is shown of drafts altogether: nobody reviewed them.
const mostDrafted = 600

// addressKnown returns what may be shown to an audience, as it is written for it beside a line that says what
// holds for most.
func addressKnown(all []Known, to provenance.Audience, now time.Time) (kept []Known, most about) {
	for _, k := range all {
		if k.to = to; k.textFor(k.Text) != "" {
			kept = append(kept, k)
		}
	}
	most = usualAbout(kept, now)
	left := mostDrafted
	shown := kept[:0]
	for _, k := range kept {
		k.written = k.briefItem(most, shortIDAmong(k.ID(), all), now)
		if k.Section == Drafted {
			n := k.written.sizeOf()
			if n > left {
				continue
			}
			left -= n
		}
		shown = append(shown, k)
	}
	return shown, most
}

// bracketed is how many characters stand around what is written of one thing.
const bracketed = len("| - [] \n")

// about is what is said of a record beside its text: who wrote it, when, and how it stands; or when, and as
// what it is claimed, which stands before the text.
type about [4]string

// The places of when it was, and of the claim.
const (
	age   = 1
	claim = 3
)

func (k Known) aboutRecord(now time.Time) about {
	o := k.Text.Origin()
	if o.IsClaimed() {
		return about{age: Age(k.Created, now), claim: cleanLine(o.Claim())}
	}
	return about{escapeField(cleanLine(o.By())), Age(k.Created, now), string(o.Verdict.Standing)}
}

// usualAbout is what is said of most things that are trusted, at least of two, each part of it by itself, and
// of most that are claimed. What else is not trusted says all of itself.
func usualAbout(all []Known, now time.Time) (most about) {
	times := [len(most)]map[string]int{{}, {}, {}, {}}
	for _, k := range all {
		for i, text := range k.aboutRecord(now) {
			if text == "" || k.Text.Origin().Trusted == (i == claim) {
				continue
			}
			if times[i][text]++; times[i][text] > max(1, times[i][most[i]]) {
				most[i] = text
			}
		}
	}
	return most
}

// onOneLine is what holds for most, on one line; "" where nothing does.
func (a about) onOneLine() string { return strings.Join(a.differingFrom(about{}), ", ") }

// differingFrom is what of it is not as with most, but for the claim.
func (a about) differingFrom(most about) []string {
	var all []string
	for i, text := range a[:claim] {
		if text != most[i] && text != "" {
			all = append(all, text)
		}
	}
	return all
}

// shortIDAmong is the end of an id, by which every command finds the record: eight characters, or more where
// another one ends so.
func shortIDAmong(id string, all []Known) string {
	for n := shortID; n < len(id); n++ {
		end := id[len(id)-n:]
		if !slices.ContainsFunc(all, func(k Known) bool {
			return k.ID() != id && strings.HasSuffix(k.ID(), end)
		}) {
			return end
		}
	}
	return id
}

const shortID = 8

// ShortID is an id as it is shown where nothing else ends so.
func ShortID(id packet.ID) string { return string(id[max(0, len(id)-shortID):]) }

// textFor is a text on one line, as far as the reader may read it.
func (k Known) textFor(t provenance.Text) string {
	text, _ := t.For(k.to)
	return joinLines(text)
}

// saysBy is a text with who wrote it, where that is not the author of the record.
func (k Known) saysBy(t provenance.Text) string {
	text := k.textFor(t)
	if by := k.otherAuthor(t); text != "" && by != "" {
		text += " (" + by + ")"
	}
	return text
}

// otherAuthor is who wrote a text that stands in another record or event; nothing where the record itself
// holds it.
func (k Known) otherAuthor(t provenance.Text) string {
	return cleanLine(t.ByOther(k.Text.Origin()))
}

// Section is a heading of a context, in the order in which they are written.
type Section int

// The sections of a context.
const (
	Thread Section = iota
	Skips
	Work
	Locked
	Failed
	Drafted
	Pitfalls
	Preferences
	Constraints
	Ways
	Decisions
	Learned
	People
)

// headingOf is how a section is called for programs, for readers and in the compact form.
func (s Section) headingOf() section {
	return [...]section{
		Thread:      {name: "thread", title: threadTitle, code: "N"},
		Skips:       {name: "skips", title: skipsTitle, code: "X!"},
		Work:        {name: "tasks", title: "Open work", code: "T"},
		Locked:      {name: "locked_decisions", title: lockedTitle, code: "D!"},
		Failed:      {name: "failed_attempts", title: failedTitle, code: "X"},
		Drafted:     {name: "drafts", title: draftsTitle, code: "R"},
		Pitfalls:    {name: "pitfalls", title: "Pitfalls", code: "P"},
		Preferences: {name: "preferences", title: "Preferences", code: "F"},
		Constraints: {name: "constraints", title: "Constraints", code: "C"},
		Ways:        {name: "procedures", title: waysTitle, code: "M"},
		Decisions:   {name: "decisions", title: "Decisions (may change)", code: "D?"},
		Learned:     {name: "learned", title: "Learned", code: "L"},
		People:      {name: "identity", title: "Who works here", code: "I"},
	}[s]
}

// fullItem is what is written of it beside a line that says as what most is claimed.
func (k Known) fullItem(most about, now time.Time) item {
	it, rest := k.ownItem(most)
	a := k.aboutRecord(now)
	it.from = cleanLine(strings.Join(slices.Concat([]string{k.ID(), k.Kind}, a.differingFrom(about{}),
		rest), ", "))
	return it
}

// briefItem is what is written of it below a heading, on one line and beside a line that says what holds for
// most. What says where it comes from stands first, so that its text cannot pass for that.
func (k Known) briefItem(most about, id string, now time.Time) item {
	it, rest := k.ownItem(most)
	a := k.aboutRecord(now)
	for i := range it.notes { // The heading says so.
		it.notes[i].text = strings.TrimPrefix(it.notes[i].text, "failed; ")
	}
	if k.Section == Thread || k.Section == Drafted {
		id += " " + kindWord(k.Kind)
	}
	switch {
	case k.Section == Drafted: // The heading says whose they are.
		a, most = about{age: a[age]}, about{}
	case !k.Text.Origin().Trusted:
		most = about{}
	}
	it.from = cleanLine(strings.Join(slices.Concat([]string{id}, a.differingFrom(most), rest), ", "))
	return it
}

// kindWord is how a kind is called where its section holds several.
func kindWord(kind string) string {
	switch kind {
	case packet.ItemNext:
		return "next"
	case packet.ItemAttempt:
		return "failed"
	case packet.ItemOutcome:
		return "ended"
	default:
		return kind
	}
}

// ownItem is what it says, and what has to be said of that beside who wrote it. What is claimed as most is has
// a mark for that.
func (k Known) ownItem(most about) (it item, rest []string) {
	o, text, why := k.Text.Origin(), k.textFor(k.Text), k.textFor(k.Why)
	doubt := o.Doubt()
	if o.IsClaimed() && most[claim] == cleanLine(o.Claim()) {
		doubt = claimMark
	}
	digest := k.textFor(k.Digest)
	if digest != "" {
		text, why = digest, ""
	}
	it = item{text: doubt + text, notes: makeNotes("wrong", k.saysBy(k.Wrong), "why", why, "next",
		k.saysBy(k.Next))}
	if o.How == provenance.Transcript && k.Section != Drafted {
		rest = append(rest, "draft, not reviewed")
	}
	if digest != "" {
		short := "in short"
		if by := k.otherAuthor(k.Digest); by != "" {
			short += " by " + by
		}
		rest = append(rest, short+inShort)
	}
	if k.Alike > 0 {
		rest = append(rest, fmt.Sprintf("%d more alike", k.Alike))
	}
	if k.Store != "" {
		rest = append(rest, k.Store)
	}
	if k.Branch != "" {
		rest = append(rest, "on branch "+escapeField(k.Branch))
	}
	if !k.Until.IsZero() {
		rest = append(rest, "until "+k.Until.UTC().Format(time.DateOnly))
	}
	for _, mark := range k.Marks {
		rest = append(rest, escapeField(mark))
	}
	return it, rest
}

// escapeField is one of the things that are told of a record. What somebody wrote into it cannot pass for
// the next one.
func escapeField(text string) string {
	return strings.NewReplacer(",", ";", "[", "(", "]", ")").Replace(text)
}

// joinLines puts the lines of a text on one.
func joinLines(text string) string { return cleanLine(strings.Join(strings.Split(text, "\n"), "; ")) }

// groupBySection puts what is known below its headings, the most valuable of each first.
func groupBySection(all []Known) []section {
	all = sortKnown(all)
	var sections []section
	for i, k := range all {
		if i == 0 || all[i-1].Section != k.Section {
			sections = append(sections, k.Section.headingOf())
		}
		last := &sections[len(sections)-1]
		last.items = append(last.items, k.written)
	}
	return sections
}

// sortKnown is the order in which it is written.
func sortKnown(all []Known) []Known {
	return slices.SortedStableFunc(slices.Values(all), func(a, b Known) int {
		return cmp.Or(cmp.Compare(a.Section, b.Section), cmp.Compare(a.countClaimed(), b.countClaimed()),
			cmp.Compare(b.Value, a.Value), cmp.Compare(a.ID(), b.ID()), cmp.Compare(a.Place, b.Place))
	})
}

// countClaimed is 1 for what is only claimed: it is shown automatically although nobody vouches for it.
func (k Known) countClaimed() int {
	if k.Text.Origin().IsClaimed() {
		return 1
	}
	return 0
}

// chooseKnown returns what fits into a budget of characters. What is only claimed takes no more than half of
// that, and nothing from the rest.
func chooseKnown(all []Known, budget int, size func(kept []Known, left int) int) (kept []Known, left int) {
	isOwn := func(k Known) bool { return k.countClaimed() == 0 || k.to != provenance.Automatic }
	own := slices.DeleteFunc(slices.Clone(all), func(k Known) bool { return !isOwn(k) })
	if len(own) == len(all) || budget <= 0 {
		return pickValuable(all, budget, size)
	}
	claims := slices.DeleteFunc(slices.Clone(all), isOwn)
	kept, left = pickValuable(own, budget, size)
	some, more := pickValuable(claims, min(budget, size(kept, left)+budget/2), func(some []Known,
		more int,
	) int {
		return size(slices.Concat(kept, some), left+more)
	})
	return slices.Concat(kept, some), left + more
}

// pickValuable returns what fits into a budget of characters: what is not to be done, where the thread stands,
// and then the most valuable for each character. What does not fit is passed over and never cut; size says how long the whole
// answer is with some of it.
func pickValuable(all []Known, budget int, size func(kept []Known, left int) int) (kept []Known, left int) {
	if budget <= 0 || size(all, 0) <= budget {
		return all, 0
	}
	// What one thing adds does not depend on those below other headings, so that two things at most are
	// written to know it.
	measure := func(some ...Known) int { return size(some, len(all)) }
	first, used := map[Section]Known{}, measure()
	for i, k := range shareBudget(sortByDensity(all), budget) {
		var before []Known
		if head, ok := first[k.Section]; ok {
			before = []Known{head}
		} else if len(kept) > 0 {
			before = kept[:1]
		}
		if more := measure(append(slices.Clone(before), k)...) - measure(before...); used+more <= budget {
			kept, used = append(kept, k), used+more
			if _, ok := first[k.Section]; !ok {
				first[k.Section] = k
			}
		}
		if i-len(kept) > mostTried {
			break
		}
	}
	return kept, len(all) - len(kept)
}

// sortByDensity is the order of value for each character.
func sortByDensity(all []Known) []Known {
	type weighed struct {
		known   Known
		density float64
	}
	order := make([]weighed, len(all))
	for i, k := range all {
		order[i] = weighed{k, k.Value / float64(max(1, k.written.sizeOf()))}
	}
	slices.SortStableFunc(order, func(a, b weighed) int {
		return cmp.Or(cmp.Compare(b.density, a.density), cmp.Compare(a.known.ID(), b.known.ID()),
			cmp.Compare(a.known.Place, b.known.Place))
	})
	known := make([]Known, len(order))
	for i, w := range order {
		known[i] = w.known
	}
	return known
}

// shareBudget puts first what is not to be done, as forgetting it does damage, and urgent work, at least one
// of each and at most a quarter of the budget; then where the thread stands and what the last sessions ran
// into; and last what is more of one heading than a quarter, so that many things of one sort do not take the
// place of all others.
func shareBudget(order []Known, budget int) []Known {
	var binding, first, then, last []Known
	taken := map[Section]int{}
	for _, k := range order {
		before := taken[k.Section]
		taken[k.Section] += k.written.sizeOf()
		switch {
		case (k.Section == Skips || k.Urgent) && (before == 0 || 4*taken[k.Section] <= budget):
			binding = append(binding, k)
		case k.Kind == packet.ItemGoal || k.Kind == packet.ItemNext || k.Section == Drafted:
			first = append(first, k)
		case 4*taken[k.Section] <= budget:
			then = append(then, k)
		default:
			last = append(last, k)
		}
	}
	slices.SortStableFunc(binding, func(a, b Known) int { return cmp.Compare(a.Section, b.Section) })
	return slices.Concat(binding, first, then, last)
}

// mostTried is how many things may not fit before a budget counts as full.
const mostTried = 100

func (i item) sizeOf() int {
	n := bracketed + utf8.RuneCountInString(i.text) + utf8.RuneCountInString(i.from)
	for _, note := range i.notes {
		n += utf8.RuneCountInString(note.label+note.text) + len("; : ")
	}
	return n
}
