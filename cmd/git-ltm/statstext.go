package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/plot"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// printFigures prints figures for a person: in words where there is one, as bars where there are several.
func (e *env) printFigures(f figures) error {
	p := plots{Options: e.plotting()}
	p.Put("Records", counts(f.Records, "packet", "note", "skip", "event"))
	p.bars("What was done to them", bars(f.Events))
	p.bars("Notes", bars(f.Notes))
	p.bars("Authors", namedBars(f.Authors, "(nobody)"))
	p.bars("Branches", namedBars(f.Branches, "(none)"))
	p.Printf("\nSaved in each of %d weeks, the last from %s:\n  %s\n", len(f.Weeks.Saved), f.Weeks.Last,
		plot.Spark(f.Weeks.Saved, p.inner()))
	p.expiring(f.Expiring)
	p.Printf("\n")
	p.Put("Signed", fmt.Sprintf("%d, unsigned %d", f.Signatures.Signed, f.Signatures.Unsigned))
	p.local(f.Local)
	if p.err != nil {
		return p.err
	}
	_, err := fmt.Fprint(e.stdout, p.String())
	return err
}

// plotting is how figures are drawn: as wide as the terminal, and with blocks where it shows UTF-8.
func (e *env) plotting() plot.Options {
	columns, terminal := e.width(e.stdout)
	o := plot.Options{Mode: plot.ASCII, Columns: min(columns, 120)}
	if terminal && e.speaksUTF8() {
		o.Mode = plot.Unicode
	}
	return o
}

// speaksUTF8 tells what the locale says of characters. The first variable that is set counts.
func (e *env) speaksUTF8() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value, _ := e.getenv(name); value != "" {
			value = strings.ReplaceAll(strings.ToLower(value), "-", "")
			return strings.Contains(value, "utf8")
		}
	}
	return false
}

// plots is a description with figures in it.
type plots struct {
	reply.Description
	plot.Options

	err error
}

// inner is how wide a figure may be that stands in by two blanks.
func (p *plots) inner() plot.Options {
	return plot.Options{Mode: p.Mode, Columns: max(cmp.Or(p.Columns, 80)-2, 0)}
}

// bars draws one figure under a heading; nothing where there is nothing to count.
func (p *plots) bars(title string, all []plot.Bar) {
	all = slices.DeleteFunc(all, func(b plot.Bar) bool { return b.Count == 0 })
	if !p.Head(title, len(all)) {
		return
	}
	var out strings.Builder
	if err := plot.Bars(&out, all, p.inner()); err != nil {
		p.err = err
	}
	for line := range strings.Lines(out.String()) {
		p.Printf("  %s", line)
	}
}

// bars are counts, the largest first.
func bars(counts map[string]int) []plot.Bar {
	all := make([]plot.Bar, 0, len(counts))
	for word, n := range counts {
		all = append(all, plot.Bar{Label: word, Count: n})
	}
	slices.SortFunc(all, func(a, b plot.Bar) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), strings.Compare(a.Label, b.Label))
	})
	return all
}

func namedBars(all []recall.Named, none string) []plot.Bar {
	var drawn []plot.Bar
	for _, n := range all {
		drawn = append(drawn, plot.Bar{Label: cmp.Or(n.Name, none), Count: n.Records})
	}
	return drawn
}

// counts says how many there are of some words, each with an s where that is its plural.
func counts(all map[string]int, words ...string) string {
	var parts []string
	for _, word := range words {
		if n := all[word]; n == 1 {
			parts = append(parts, "1 "+word)
		} else {
			parts = append(parts, fmt.Sprintf("%d %ss", n, word))
		}
	}
	return strings.Join(parts, ", ")
}

// expiring lists what expires soon, the next first.
func (p *plots) expiring(all []recall.Expiring) {
	if !p.Head("Expiring next, within 30 days", len(all)) {
		return
	}
	for _, x := range all {
		p.Printf("  %s  %s  %s\n", reply.Stamp(x.At), x.ID, x.Kind)
	}
}

// local says what holds of this clone alone.
func (p *plots) local(l *localFigures) {
	p.Printf("\nOf this clone alone:\n")
	p.Put("Private", strconv.Itoa(l.Private))
	if l.Remote == nil {
		p.Put("Unpushed", "there is no remote; memory stays in this clone")
		return
	}
	p.Put("Unpushed", fmt.Sprintf("%d, as of the last exchange or fetch with %s", l.Unpushed, *l.Remote))
}
