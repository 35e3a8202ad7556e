package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
)

// judgedAt is the size for which the goals are.
func (t table) judgedAt() int {
	if slices.Contains(t.sizes, goalSize) {
		return goalSize
	}
	return t.sizes[len(t.sizes)-1]
}

// The lines of a page between which the table stands.
const (
	tableBegins = "<!-- make bench writes from here -->\n"
	tableEnds   = "<!-- to here -->\n"
)

// table is what was measured.
type table struct {
	options

	rows  []*row
	found map[spot]result
}

// String is the table: ratios for each style at each size, how they grow, and what the goals say.
func (t table) String() string {
	head, align := []string{"command", "beside", "goal"}, []string{"---", "---", "---"}
	for _, s := range t.styles {
		for _, size := range t.sizes {
			head, align = append(head, fmt.Sprint(s, " ", size)), append(align, "--:")
		}
		head, align = append(head, "growth"), append(align, "--:")
	}
	all := [][]string{
		append(head, "CPU ms", "left behind ms", "MB", ""), append(align, "--:", "--:", "--:", "---"),
	}
	for _, w := range t.rows {
		all = append(all, t.cellsOf(w))
	}
	return joinTable(all...)
}

// cellsOf are the cells of a row.
func (t table) cellsOf(w *row) []string {
	name := w.name
	if w.hook {
		name += " †"
	}
	cells := []string{name, cmp.Or(w.side, "R"), w.describeGoal()}
	var shown result // the first that is there at the size of the goals
	var left, peak float64
	for _, s := range t.styles {
		for _, size := range t.sizes {
			got, ok := t.found[spot{w, s, size}]
			if !ok {
				cells = append(cells, "")
				continue
			}
			cells = append(cells, short(got.ratio))
			if size <= t.judgedAt() && (shown.runs == 0 || s == t.styles[0] || !w.fitsStyle(t.styles[0])) {
				shown = got
			}
			left, peak = max(left, got.left), max(peak, got.peak)
		}
		cells = append(cells, "")
		if growth, ok := t.growthOf(w, s); ok {
			cells[len(cells)-1] = short(growth)
		}
	}
	if shown.runs == 0 {
		return append(cells, "", "", "", "")
	}
	behind := ""
	if left >= 0.05 {
		behind = short(left)
	}
	return append(cells, short(shown.ms), behind, fmt.Sprintf("%.0f", peak), t.judgeRow(w))
}

// joinTable writes a table of Markdown: the names of its columns, how they are aligned, and rows.
func joinTable(rows ...[]string) string {
	var b strings.Builder
	for _, row := range rows {
		gap := " "
		if row[0] == "---" {
			gap = ""
		}
		b.WriteString("|")
		for _, cell := range row {
			if cell != "" {
				cell = gap + cell
			}
			b.WriteString(cell + gap + "|")
		}
		b.WriteString("\n")
	}
	return b.String()
}

// describeGoal says what is wanted of a row.
func (w *row) describeGoal() string {
	text := "-"
	if w.goal > 0 {
		text = fmt.Sprintf("%gx", w.goal)
	}
	switch w.growth {
	case 0:
	case none:
		text += ", no growth"
	default:
		text += fmt.Sprintf(", growth %gx", w.growth)
	}
	return text
}

// growthOf is how much dearer a row is at the largest size than at the smallest, as times of its other side.
func (t table) growthOf(w *row, s style) (float64, bool) {
	first, last := t.found[spot{w, s, t.sizes[0]}], t.found[spot{w, s, t.sizes[len(t.sizes)-1]}]
	return last.ratio / first.ratio, len(t.sizes) > 1 && first.runs > 0 && last.runs > 0
}

// judgeRow says whether the goals of a row hold everywhere, and where they do not.
func (t table) judgeRow(w *row) string {
	var bad []string
	judged := false
	for _, s := range t.styles {
		if got, ok := t.found[spot{w, s, t.judgedAt()}]; ok && w.goal > 0 {
			judged = true
			if math.Round(got.ratio*10)/10 > w.goal {
				bad = append(bad, fmt.Sprintf("%s %s", s, short(got.ratio)))
			}
		}
		if growth, ok := t.growthOf(w, s); ok && w.growth > 0 && t.sizes[0] < t.sizes[len(t.sizes)-1] {
			judged = true
			if growth > w.growth {
				bad = append(bad, fmt.Sprintf("%s grows %s", s, short(growth)))
			}
		}
		for _, size := range t.sizes {
			if got := t.found[spot{w, s, size}]; got.faults > 0 {
				bad = append(bad, fmt.Sprintf("%s gave up at %d in %d of %d runs", s, size, got.faults,
					got.runs+1))
			}
			most := cmp.Or(w.mb, mostMB)
			if got := t.found[spot{w, s, size}]; most > 0 && got.peak > most {
				bad = append(bad, fmt.Sprintf("%s %d MB at %d", s, int(got.peak), size))
			}
		}
	}
	switch {
	case len(bad) > 0:
		return "**no**: " + strings.Join(bad, ", ")
	case judged:
		return "holds"
	default:
		return ""
	}
}

// short is a number as a reader wants it.
func short(n float64) string {
	if n < 10 {
		return fmt.Sprintf("%.1f", n)
	}
	return fmt.Sprintf("%.0f", n)
}

// replaceIn writes the table into a page, with what was measured, when and on what.
func (t table) replaceIn(ctx context.Context, page string) {
	before, rest, begins := bytes.Cut(must(os.ReadFile(page)), []byte(tableBegins))
	_, after, ends := bytes.Cut(rest, []byte(tableEnds))
	if !begins || !ends {
		panic(failure{fmt.Errorf("write the table into %s: it has no lines %q and %q", page,
			strings.TrimSpace(tableBegins), strings.TrimSpace(tableEnds))})
	}
	fewest := mostRuns
	for _, got := range t.found {
		fewest = min(fewest, got.runs)
	}
	about := fmt.Sprintf("%s Medians of %d to %d runs. The program was `git-ltm`, and `git-ltm-hook` in the rows "+
		"with †.\n\n", machineLine(ctx), fewest, mostRuns)
	text := slices.Concat(before, []byte(tableBegins+about+t.String()+tableEnds), after)
	check(os.WriteFile(page, text, 0o600))
}

// machineLine says what a page was measured on.
func machineLine(ctx context.Context) string {
	git := func(args ...string) string {
		return strings.TrimSpace(string(run(ctx, program.Command{File: "git", Args: args}).Stdout))
	}
	memory := "unknown"
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		var kb int
		if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &kb); err == nil {
			memory = fmt.Sprintf("%d GB", (kb+1<<19)>>20)
		}
	}
	return fmt.Sprintf("Commit %s, %s, %d cores, %s of memory, load %s, %s, %s.",
		git("describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"),
		time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), memory, readLoad(), runtime.Version(), git("version"))
}

// readLoad is what else the machine did.
func readLoad() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return "not known"
	}
	return fields[1]
}
