package briefing

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/plot"
)

// Person writes the briefing for a person at a terminal: the goal, what comes next, and the rest, without
// marks and without a budget. What is hostile in it is cleaned as everywhere.
func (b Briefing) Person(p *plot.Page) {
	made := b.openPacket()
	p.Put("", plot.Plain, joinLines(made.Goal), plot.Title)
	about := fmt.Sprintf("%s, %s", cleanLine(b.Packet.Origin().By()), Age(made.CreatedAt, b.Now))
	if made.Anchor.Branch != "" {
		about += ", on " + cleanLine(made.Anchor.Branch)
	}
	p.Put(ShortID(b.Packet.Origin().ID)+"  ", plot.Name, about, plot.Faint)
	for _, warning := range []string{b.trustLine(), b.storeLine()} {
		if warning != "" {
			p.Put("", plot.Plain, warning, plot.Warning)
		}
	}
	if b.Closed {
		p.Put("", plot.Plain, closedThread, plot.Plain)
	}
	all := b.sections()
	next := slices.IndexFunc(all, func(s section) bool { return s.name == "next_step" })
	if next > 0 { // What comes next stands behind the goal.
		all = slices.Insert(slices.Delete(slices.Clone(all), next, next+1), 0, all[next])
	}
	for _, s := range all {
		if s.name == "goal" || s.name == "about" {
			continue
		}
		p.Gap()
		p.Put("", plot.Plain, s.title, plot.Kind)
		for _, it := range s.items {
			p.Put("  - ", plot.Plain, it.doubt+it.text, plot.Plain)
			for _, n := range it.notes {
				p.Put("    "+n.label+": ", plot.Faint, n.text, plot.Plain)
			}
			if it.from != "" {
				p.Put("    ", plot.Plain, "from "+it.from, plot.Faint)
			}
		}
	}
}

// Person writes the answers for a person at a terminal, the best first.
func (a Answer) Person(p *plot.Page) {
	var known []Known
	for _, k := range a.Known {
		known = append(known, k.Known)
	}
	kept := a.withRanks()
	for _, k := range kept {
		p.Gap()
		lead := kindWord(k.Kind) + "  "
		it, rest := k.ownItem(about{})
		p.Put(lead, plot.Kind, it.text, plot.Plain)
		indent := strings.Repeat(" ", min(len(lead), 4))
		for _, n := range it.notes {
			p.Put(indent+n.label+": ", plot.Faint, n.text, plot.Plain)
		}
		if k.Weak && len(k.Met) > 0 {
			rest = append(rest, byChance+": "+cleanLine(strings.Join(k.Met, " ")))
		}
		p.Put(indent+shortIDAmong(k.ID(), known)+"  ", plot.Name, k.aboutPerson(a.Now, rest), plot.Faint)
		if a.Explain {
			p.Put(indent, plot.Plain, fmt.Sprintf("score %.3f", k.Score), plot.Faint)
			for _, f := range a.shownFactors(k) {
				p.Put(indent+"  ", plot.Plain, fmt.Sprintf("%s %.4f: %s", f.Name, f.Value, f.Why), plot.Faint)
			}
		}
	}
	if left := a.More + len(a.Known) - len(kept); left > 0 {
		p.Gap()
		p.Put("", plot.Plain, fmt.Sprintf("%d more: --limit", left), plot.Faint)
	}
}

// Person writes the context for a person at a terminal, all of it.
func (c Context) Person(p *plot.Page) {
	all, _ := addressKnown(c.Known, c.To, c.Now)
	all = sortKnown(all)
	for i, k := range all {
		if i == 0 || all[i-1].Section != k.Section {
			p.Gap()
			p.Put("", plot.Plain, k.Section.headingOf().title, plot.Title)
		}
		it, rest := k.ownItem(about{})
		lead := "  - "
		if k.Section == Thread || k.Section == Drafted {
			lead += kindWord(k.Kind) + ": "
		}
		p.Put(lead, plot.Plain, it.text, plot.Plain)
		for _, n := range it.notes {
			p.Put("    "+n.label+": ", plot.Faint, strings.TrimPrefix(n.text, "failed; "), plot.Plain)
		}
		p.Put("    "+shortIDAmong(k.ID(), all)+"  ", plot.Name, k.aboutPerson(c.Now, rest), plot.Faint)
	}
	if c.More > 0 {
		p.Gap()
		p.Put("", plot.Plain, fmt.Sprintf("%d more: git ltm recall WORDS", c.More), plot.Faint)
	}
}

// aboutPerson says who wrote it and when, and what has to be said of it besides.
func (k Known) aboutPerson(now time.Time, rest []string) string {
	o := k.Text.Origin()
	about := []string{escapeField(cleanLine(o.By())), Age(k.Created, now)}
	if mark := o.Mark(); mark != "" {
		about = append(about, mark)
	}
	return cleanLine(strings.Join(append(about, rest...), ", "))
}
