package briefing

import (
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// section is a heading and what stands below it.
type section struct {
	name  string // for programs
	title string // for readers
	code  string // for the compact form
	items []item
}

// item is one thing worth knowing. All of its text is clean.
type item struct {
	text  string
	notes []note
	from  string // the earlier packet that it was carried from
	doubt string // what is said in front of it, where that packet is not trusted
	keep  int    // the lowest goes first when the budget is short
}

type note struct{ label, text string }

// always is the rank of what no budget takes out.
const always = 100

// cleanLine makes hostile text safe to stand between the marks.
func cleanLine(s string) string { return clean.Line(s) }

// sections puts the briefing in the order of attention: what binds first, what
// informs in the middle.
func (b Briefing) sections() []section {
	p := b.openPacket()
	nextTitle := claimedNextTitle // What is not trusted is never the first thing to do.
	if b.Packet.Origin().Trusted {
		nextTitle = "First action"
	}
	all := []section{
		{"goal", "Goal", "G", plainItems(always, p.Goal)},
		{"outcome", "How it ended", "E", plainItems(60, p.Outcome)},
		{"success_criteria", "Done when", "S", plainItems(90, p.SuccessCriteria...)},
		{"locked_decisions", lockedTitle, "D!", b.decidedItems(true)},
		{"failed_attempts", failedTitle, "X", b.failedItems()},
		{"next_step", nextTitle, "N", markDoubt(plainItems(always, b.nextStep()), b.Packet)},
		{"constraints", "Constraints", "C", plainItems(70, p.Constraints...)},
		{"methods", methodsTitle, "M", itemsOf(p.Methods, "", 60, func(m packet.Method) (string, []string) {
			return m.Name, []string{"when", m.WhenApplicable, "how", m.How}
		})},
		{"worked", "Attempts that worked", "W", attemptItems(p, "", 50, false)},
		{"tentative_decisions", tentativeTitle, "D?", b.decidedItems(false)},
		{"open_questions", "Open questions", "Q", plainItems(30, p.OpenQuestions...)},
		{"cites", citesTitle, "@", itemsOf(p.Cites, "", 35, func(c packet.Cite) (string, []string) {
			return c.String(), []string{"note", c.Note, "standing", b.Changed[c.Path]}
		})},
		{"project", "Project", "P", plainItems(10, strings.TrimSpace(p.Project.Name+" "+p.Project.Ref))},
		{"about", aboutTitle, "A", b.aboutItems()},
	}
	return slices.DeleteFunc(all, func(s section) bool { return len(s.items) == 0 })
}

func plainItems(keep int, texts ...string) []item {
	var items []item
	for _, t := range texts {
		if t = cleanLine(t); t != "" {
			items = append(items, item{text: t, keep: keep})
		}
	}
	return items
}

// decidedItems returns the decisions of the packet, and those that the thread locked: what is settled, or
// what may change. Only of what is trusted, and of which nobody said since that it is wrong, anything is settled.
func (b Briefing) decidedItems(settled bool) []item {
	own := b.Packet.Origin().Trusted
	keep := 40
	if settled {
		keep = 88
	}
	items := markDoubt(decisionItems(b.openPacket(), "", keep, func(d packet.Decision) bool {
		return (own && d.Locked) == settled
	}), b.Packet)
	for _, from := range b.Thread {
		_, isWrong := b.Wrong[from.Origin().ID]
		if (from.Origin().Trusted && !isWrong) == settled {
			items = append(items, b.carryItems(from, func(p packet.Packet, id string) []item {
				return decisionItems(p, id, keep-13, func(d packet.Decision) bool { return d.Locked })
			})...)
		}
	}
	return dropRepeated(items)
}

// itemsOf are some things that a packet lists, as far as they are told, each with labels and texts in turn.
func itemsOf[T any](list []T, from string, keep int, tell func(T) (text string, notes []string)) []item {
	var items []item
	for _, one := range list {
		if text, notes := tell(one); text != "" {
			items = append(items, item{text: cleanLine(text), from: from, keep: keep, notes: makeNotes(notes...)})
		}
	}
	return items
}

func decisionItems(p packet.Packet, from string, keep int, wanted func(packet.Decision) bool) []item {
	return itemsOf(p.Decisions, from, keep, func(d packet.Decision) (string, []string) {
		if !wanted(d) {
			return "", nil
		}
		return d.What, []string{"why", d.Why, "breaks otherwise", d.Consequences}
	})
}

// failedItems returns the failed attempts of the packet and of those that it continues, but for what worked
// later in the thread, as somebody says who is trusted at least as much.
func (b Briefing) failedItems() []item {
	items := attemptItems(b.openPacket(), "", 86, true)
	var worked []success
	for n, from := range b.Thread {
		worked = append(worked, b.successesOf(append([]Packet{b.Packet}, b.Thread...)[n])...)
		items = append(items, b.carryItems(from, func(p packet.Packet, id string) []item {
			p.Attempts = slices.DeleteFunc(slices.Clone(p.Attempts), func(a packet.Attempt) bool {
				failed := a.Item("")
				return slices.ContainsFunc(worked, func(later success) bool {
					return later.Overcomes(failed) && later.by.TrustedAs(from.Origin())
				})
			})
			return attemptItems(p, id, 65, true)
		})...)
	}
	return dropRepeated(items)
}

// success is an attempt that worked.
type success struct {
	packet.Item

	by provenance.Origin
}

// successesOf are the attempts of a packet that worked, unless somebody said that it is wrong.
func (b Briefing) successesOf(p Packet) (all []success) {
	said, _ := p.For(b.To)
	if _, isWrong := b.Wrong[p.Origin().ID]; isWrong {
		return nil
	}
	for _, a := range said.Attempts {
		if !a.Failed() {
			all = append(all, success{a.Item(""), p.Origin()})
		}
	}
	return all
}

// markDoubt notes what is said in front of items of a packet that is not trusted, so that they are not read
// as settled.
func markDoubt(items []item, of Packet) []item {
	for i := range items {
		items[i].doubt = of.Origin().Doubt()
	}
	return items
}

func attemptItems(p packet.Packet, from string, keep int, failed bool) []item {
	return itemsOf(p.Attempts, from, keep, func(a packet.Attempt) (string, []string) {
		if a.Failed() != failed {
			return "", nil
		}
		return a.Tried, []string{"outcome", a.Outcome, "learned", a.Learned, confidenceNote, a.Confidence}
	})
}

// aboutItems is what the packet says of itself. It is as free as any other text, so
// it stands between the marks like any other.
func (b Briefing) aboutItems() []item {
	p := b.openPacket()
	items := []item{{text: "written by " + cleanLine(b.Packet.Origin().By()), keep: 95}}
	add := func(keep int, label, text string) {
		if text = cleanLine(text); text != "" {
			items = append(items, item{text: label + " " + text, keep: keep})
		}
	}
	add(94, "on branch", p.Anchor.Branch)
	add(80, allowedSecrets, strings.Join(p.Scan.Overridden, ", "))
	if p.ID != b.packetID() {
		add(20, ownID, p.ID)
	}
	add(20, "continues", p.ParentID)
	add(15, "tags", strings.Join(p.Tags, " "))
	return items
}

// makeNotes takes labels and texts in turn and drops the empty ones.
func makeNotes(pairs ...string) []note {
	var list []note
	for pair := range slices.Chunk(pairs, 2) {
		if t := cleanLine(pair[1]); t != "" {
			list = append(list, note{pair[0], t})
		}
	}
	return list
}

// dropRepeated drops what an earlier item already says.
func dropRepeated(items []item) []item {
	seen := map[string]bool{}
	return slices.DeleteFunc(items, func(i item) bool {
		was := seen[i.text]
		seen[i.text] = true
		return was
	})
}

// fitSections takes out the least needed items until size says that the rest fits the budget. It returns how many
// it took out. Whoever can push can make thousands, and each size is that of all text, so it asks for few.
func fitSections(all []section, budget int, size func([]section, int) int) (kept []section, left int) {
	most := 0
	for _, s := range all {
		most += len(s.items)
	}
	if budget <= 0 || size(all, 0) <= budget {
		return all, 0
	}
	left = sort.Search(most, func(n int) bool {
		kept, left := withoutLeast(all, n)
		return left < n || size(kept, n) <= budget
	})
	return withoutLeast(all, left)
}

// withoutLeast takes out so many of the least needed items, as far as these may go: of those that are needed alike,
// the last below a heading. It returns how many that were.
func withoutLeast(all []section, n int) (kept []section, left int) {
	for _, s := range all {
		s.items = slices.Clone(s.items)
		kept = append(kept, s)
	}
	for ; left < n; left++ {
		s, i, least := -1, 0, always
		for section := range kept {
			for place, it := range kept[section].items {
				if it.keep < least || s >= 0 && it.keep == least && place > i {
					s, i, least = section, place, it.keep
				}
			}
		}
		if s < 0 {
			break
		}
		if kept[s].items = slices.Delete(kept[s].items, i, i+1); len(kept[s].items) == 0 {
			kept = slices.Delete(kept, s, s+1)
		}
	}
	return kept, left
}

// Quote sets lines of records between two marks that carry a nonce, each marked as data, for a reader, human
// or not. The name is that of the marks, after ltm. No lines are no quotation.
func Quote(name, nonce string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<ltm-%s nonce=%q note=%q>\n", name, nonce, DataNote)
	for _, l := range lines {
		text := cleanLine(l)
		indent := l[:len(l)-len(strings.TrimLeft(l, " "))]
		out.WriteString(strings.TrimRight("| "+indent+text, " ") + "\n")
	}
	fmt.Fprintf(&out, "</ltm-%s nonce=%q>\n", name, nonce)
	return out.String()
}

// Nonce draws 64 random bits in hex, for the marks around what is told once.
func Nonce(entropy io.Reader) (string, error) {
	var b [8]byte
	if _, err := io.ReadFull(entropy, b[:]); err != nil {
		return "", fmt.Errorf("draw a nonce: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// Age tells how long ago something was, in one unit.
func Age(then, now time.Time) string {
	d := now.Sub(then)
	if then.IsZero() {
		return unknownAge
	}
	if d < -time.Minute {
		return "in the future"
	}
	for _, u := range []struct {
		length time.Duration
		name   string
	}{
		{365 * 24 * time.Hour, "year"},
		{30 * 24 * time.Hour, "month"},
		{7 * 24 * time.Hour, "week"},
		{24 * time.Hour, "day"},
		{time.Hour, "hour"},
		{time.Minute, "minute"},
	} {
		if n := int(d / u.length); n > 0 {
			return fmt.Sprintf("%d %s%s ago", n, u.name, pluralEnd(n))
		}
	}
	return "just now"
}

func pluralEnd(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
