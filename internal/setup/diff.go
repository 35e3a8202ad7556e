package setup

import (
	"fmt"
	"slices"
	"strings"
)

// around is how many lines that stay are shown around those that change.
const around = 3

// mostCells bounds the work of finding which lines stay.
const mostCells = 4 << 20

// Diff is the change in the unified form.
func (c Change) Diff() string {
	before, after := lines(c.File.Text), lines(c.After)
	from, to := c.File.Path, c.File.Path
	if !c.File.Exists {
		from = "/dev/null"
	}
	if c.Gone {
		to = "/dev/null"
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", from, to)
	steps := compare(before, after)
	for i := 0; i < len(steps); {
		if steps[i].sign == ' ' {
			i++
			continue
		}
		begin, end := max(0, i-around), hunkEnd(steps, i)
		writeHunk(&out, steps[begin:end])
		i = end
	}
	return out.String()
}

// lines are the lines of a text with their line breaks.
func lines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	all := strings.SplitAfter(string(text), "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

// step is one line of a comparison, and where it stands in both texts.
type step struct {
	sign     byte // ' ', '-' or '+'
	line     string
	old, now int
}

// hunkEnd is where a hunk ends: behind the last change that has less than two borders of lines before the next.
func hunkEnd(steps []step, i int) int {
	end := i
	for ; i < len(steps) && i <= end+2*around; i++ {
		if steps[i].sign != ' ' {
			end = i
		}
	}
	return min(len(steps), end+1+around)
}

// writeHunk writes one hunk.
func writeHunk(out *strings.Builder, steps []step) {
	var old, now int
	for _, s := range steps {
		if s.sign != '+' {
			old++
		}
		if s.sign != '-' {
			now++
		}
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(steps[0].old, old), span(steps[0].now, now))
	for _, s := range steps {
		out.WriteByte(s.sign)
		out.WriteString(strings.TrimSuffix(strings.TrimSuffix(s.line, "\n"), "\r"))
		if !strings.HasSuffix(s.line, "\n") {
			out.WriteString("\n\\ No newline at end of file")
		}
		out.WriteByte('\n')
	}
}

// span names lines of a text as the unified form does.
func span(from, count int) string {
	if count == 0 {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, count)
}

// compare finds the lines that stay.
func compare(before, after []string) []step {
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	var w walker
	w.keep(before[:head])
	w.middle(before[head:len(before)-tail], after[head:len(after)-tail])
	w.keep(before[len(before)-tail:])
	return w.steps
}

// walker collects steps.
type walker struct {
	steps    []step
	old, now int
}

func (w *walker) keep(all []string) {
	for _, line := range all {
		w.add(' ', line)
	}
}

func (w *walker) add(sign byte, line string) {
	w.steps = append(w.steps, step{sign, line, w.old, w.now})
	if sign != '+' {
		w.old++
	}
	if sign != '-' {
		w.now++
	}
}

// middle compares what differs at both ends.
func (w *walker) middle(a, b []string) {
	var common [][]int
	if (len(a)+1)*(len(b)+1) <= mostCells {
		common = commonLines(a, b)
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case common != nil && i < len(a) && j < len(b) && a[i] == b[j]:
			w.add(' ', a[i])
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common == nil || common[i+1][j] >= common[i][j+1]):
			w.add('-', a[i])
			i++
		default:
			w.add('+', b[j])
			j++
		}
	}
}

// commonLines holds for each pair of offsets how many lines the rests have in common.
func commonLines(a, b []string) [][]int {
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i, line := range slices.Backward(a) {
		for j := len(b) - 1; j >= 0; j-- {
			if line == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	return common
}
