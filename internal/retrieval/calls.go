package retrieval

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// Calls are calls of tools and prompts, and the known dead ends that they meet.
type Calls struct {
	rules []deadendLine
	all   []callLine
}

// deadendLine is a skip or an attempt as somebody wrote it down.
type deadendLine struct {
	ID, Kind, Text string
	Match          *packet.Match
}

// callLine is a call, and the dead ends that it meets.
type callLine struct {
	ID, Type, Command, Path, Added, Text string
	Meets                                []string
}

// ReadCalls reads the files of a folder.
func ReadCalls(folder fs.FS) (*Calls, error) {
	c := &Calls{}
	return c, errors.Join(
		eachLine(folder, "deadends.jsonl", func(_ int, d deadendLine) { c.rules = append(c.rules, d) }),
		eachLine(folder, "calls.jsonl", func(_ int, call callLine) { c.all = append(c.all, call) }),
	)
}

// ruleOf is what a dead end is met by, as from a record.
func (d deadendLine) ruleOf() deadend.Rule {
	item, skip := packet.Item{Kind: packet.ItemAttempt, Text: d.Text, Failed: true}, packet.Skip{Item: d.Text}
	if d.Match != nil {
		item.Match, skip.Match = *d.Match, *d.Match
	}
	if d.Kind == packet.ItemSkip {
		item.Kind = packet.ItemSkip
	}
	rule, _ := index.RuleOf(item, skip)
	return rule
}

// forms are how dead ends were written down.
var forms = [...]string{
	"skips", "attempts with match",
	"attempts in prose",
} //nolint:gochecknoglobals // A table that nobody writes to.

// formOf says in which figure a dead end counts.
func (d deadendLine) formOf() string {
	switch {
	case d.Kind == packet.ItemSkip:
		return forms[0]
	case d.Match != nil:
		return forms[1]
	default:
		return forms[2]
	}
}

// CallFigures say how well dead ends were met: how many of each form were to be met and were, and how often
// one was told that is not met.
type CallFigures struct {
	Calls, Silent int
	False         int
	Want, Met     map[string]int
}

// Precision is how many of those that were told are met.
func (f CallFigures) Precision() float64 { return shareOf(f.Met[""], f.Met[""]+f.False) }

// Recall is how many of a form were told of those that are met; "" for all.
func (f CallFigures) Recall(form string) float64 { return shareOf(f.Met[form], f.Want[form]) }

func shareOf(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// Measure lets the calls of a part meet the dead ends: as a hook of a tool tells them, or where a prompt is
// checked on request. What went wrong with open ones is handed to wrong.
func (c *Calls) Measure(part Part, wrong func(line string)) CallFigures {
	var rules []deadend.Rule
	for _, d := range c.rules {
		rules = append(rules, d.ruleOf())
	}
	ready := deadend.New(rules)
	f := CallFigures{Want: map[string]int{}, Met: map[string]int{}}
	for i, call := range c.all {
		if !part.hasLine(i + 1) {
			continue
		}
		f.Calls++
		if len(call.Meets) == 0 {
			f.Silent++
		}
		action := deadend.Action{Command: call.Command, Prompt: call.Text, Added: call.Added}
		if call.Path != "" {
			action.Paths = []string{call.Path}
		}
		told := map[int]deadend.Match{}
		for _, m := range ready.Check(action) {
			if m.Sure != deadend.Low || call.Type == "prompt" {
				told[m.Rule] = m
			}
		}
		for i, d := range c.rules {
			m, is := told[i]
			meets, what := slices.Contains(call.Meets, d.ID), "MISSED"
			switch {
			case meets:
				f.Want[d.formOf()]++
				f.Want[""]++
				if is {
					f.Met[d.formOf()]++
					f.Met[""]++
				}
			case is:
				f.False++
				what = "FALSE"
			}
			if part == Open && meets != is {
				wrong(fmt.Sprintf("%s %+v\n    %s: %s %+v %v", what, call, d.ID, d.Text, d.Match, m))
			}
		}
	}
	return f
}

// Table writes the figures of some parts as a table in Markdown.
func (c *Calls) Table(parts ...Part) string {
	var table strings.Builder
	table.WriteString("| calls | number | meet none | precision |")
	for _, form := range forms {
		table.WriteString(" " + form + " |")
	}
	table.WriteString("\n|---|---|---|---|---|---|---|\n")
	for _, part := range parts {
		f := c.Measure(part, func(string) {})
		fmt.Fprintf(&table, "| %s | %d | %d | %.3f |", part, f.Calls, f.Silent, f.Precision())
		for _, form := range forms {
			fmt.Fprintf(&table, " %.3f (%d of %d) |", f.Recall(form), f.Met[form], f.Want[form])
		}
		table.WriteString("\n")
	}
	return table.String()
}
