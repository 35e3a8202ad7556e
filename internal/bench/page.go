package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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

// writeRows prints the table: ratios for each style at each size, how they grow, and what the goals say.
func (t table) writeRows(out io.Writer) error {
	var b strings.Builder
	b.WriteString("| command | beside | goal |")
	for _, s := range t.styles {
		for _, size := range t.sizes {
			fmt.Fprintf(&b, " %s %d |", s, size)
		}
		b.WriteString(" growth |")
	}
	b.WriteString(" CPU ms | left behind ms | MB | |\n|---|---|---|" +
		strings.Repeat("--:|", len(t.styles)*(len(t.sizes)+1)+3) + "---|\n")
	for _, w := range t.rows {
		t.writeRow(&b, w)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (t table) writeRow(b *strings.Builder, w *row) {
	name := w.name
	if w.hook {
		name += " †"
	}
	fmt.Fprintf(b, "| %s | %s | %s |", name, cmp.Or(w.side, "R"), w.describeGoal())
	var shown result // the first that is there at the size of the goals
	var left, peak float64
	for _, s := range t.styles {
		for _, size := range t.sizes {
			got, ok := t.found[spot{w, s, size}]
			if !ok {
				b.WriteString(" |")
				continue
			}
			fmt.Fprintf(b, " %s |", short(got.ratio))
			if size <= t.judgedAt() && (shown.runs == 0 || s == t.styles[0] || !w.fitsStyle(t.styles[0])) {
				shown = got
			}
			left, peak = max(left, got.left), max(peak, got.peak)
		}
		if growth, ok := t.growthOf(w, s); ok {
			fmt.Fprintf(b, " %s |", short(growth))
		} else {
			b.WriteString(" |")
		}
	}
	behind := ""
	if left >= 0.05 {
		behind = short(left)
	}
	if shown.runs == 0 {
		b.WriteString(" | | | |\n")
		return
	}
	fmt.Fprintf(b, " %s | %s | %.0f | %s |\n", short(shown.ms), behind, peak, t.judgeRow(w))
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

// replaceIn writes the table into a page, with what it was measured on.
func (t table) replaceIn(ctx context.Context, page string) error {
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, begins := bytes.Cut(text, []byte(tableBegins))
	_, after, ends := bytes.Cut(rest, []byte(tableEnds))
	if !begins || !ends {
		return fmt.Errorf("write the table into %s: it has no lines %q and %q", page,
			strings.TrimSpace(tableBegins), strings.TrimSpace(tableEnds))
	}
	var out bytes.Buffer
	out.Write(before)
	out.WriteString(tableBegins)
	about, err := t.describeRun(ctx)
	out.WriteString(about)
	if err := errors.Join(err, t.writeRows(&out)); err != nil {
		return err
	}
	out.WriteString(tableEnds)
	out.Write(after)
	return os.WriteFile(page, out.Bytes(), 0o600)
}

// describeRun says what was measured, when and on what.
func (t table) describeRun(ctx context.Context) (string, error) {
	machine, err := machineLine(ctx)
	if err != nil {
		return "", err
	}
	fewest := mostRuns
	for _, got := range t.found {
		fewest = min(fewest, got.runs)
	}
	return fmt.Sprintf("%s Medians of %d to %d runs. The program was `git-ltm`, and `git-ltm-hook` in the rows with †.\n\n",
		machine, fewest, mostRuns), nil
}

// machineLine says what the page was measured on.
func machineLine(ctx context.Context) (string, error) {
	head, err := run(ctx, program.Command{
		File: "git", Args: []string{"describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"},
	})
	version, other := run(ctx, program.Command{File: "git", Args: []string{"version"}})
	memory := "unknown"
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		var kb int
		if _, err := fmt.Sscanf(string(text), "MemTotal: %d kB", &kb); err == nil {
			memory = fmt.Sprintf("%d GB", (kb+1<<19)>>20)
		}
	}
	return fmt.Sprintf("Commit %s, %s, %d cores, %s of memory, load %s, %s, %s.",
		strings.TrimSpace(string(head.Stdout)), time.Now().UTC().Format(time.DateOnly), runtime.NumCPU(), memory,
		readLoad(), runtime.Version(), strings.TrimSpace(string(version.Stdout))), errors.Join(err, other)
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
