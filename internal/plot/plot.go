// Package plot draws small figures and text for a terminal: bars with labels and
// counts, a line of how much there was week by week, and pages cut to its width.
//
// A figure is never wider than it is told to be. Labels are hostile: they are
// cleaned and cut. The package is pure and knows no clock.
package plot

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// A Mode is the set of characters that a figure is drawn with.
type Mode string

// The modes.
const (
	ASCII   Mode = "ascii" // The default.
	Unicode Mode = "unicode"
)

// Options say how a figure is drawn.
type Options struct {
	Mode    Mode // default ASCII
	Columns int  // how wide it may be; default 80, at least 30
}

// columnsOf is how wide a figure may be.
func (o Options) columnsOf() int {
	return max(cmp.Or(o.Columns, 80), 30)
}

// A Bar is one line of a figure.
type Bar struct {
	Label string
	Count int // Less than zero is drawn as zero.
}

// Bars writes a line for each bar, in the order given: its label, its count,
// and a bar as long as the count is large. What is not zero has a bar.
func Bars(w io.Writer, bars []Bar, o Options) error {
	most, digits, width := 1, 1, 0
	for _, b := range bars {
		most = max(most, b.Count)
		digits = max(digits, len(strconv.Itoa(b.Count)))
		width = max(width, clean.Width(cleanLabel(b.Label, o.columnsOf()/3)))
	}
	room := max(o.columnsOf()-width-digits-4, 1) // A short bar says more than none.
	if width+digits+5 > o.columnsOf() {
		width = max(o.columnsOf()-digits-5, 1)
	}
	var out strings.Builder
	for _, b := range bars {
		text := cleanLabel(b.Label, min(width, o.columnsOf()/3))
		line := fmt.Sprintf("%s%s  %*d  %s", text, strings.Repeat(" ", max(width-clean.Width(text), 0)),
			digits, b.Count,
			o.drawBar(float64(max(b.Count, 0))/float64(most), room))
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("write bars: %w", err)
	}
	return nil
}

// drawBar draws a part of a whole that is so many columns long.
func (o Options) drawBar(part float64, columns int) string {
	if part <= 0 {
		return ""
	}
	if o.Mode != Unicode {
		return strings.Repeat("#", max(int(math.Round(part*float64(columns))), 1))
	}
	const eighths = "▏▎▍▌▋▊▉"
	n := max(int(math.Round(part*float64(columns)*8)), 1)
	line := strings.Repeat("█", n/8)
	if n%8 > 0 {
		line += string([]rune(eighths)[n%8-1])
	}
	return line
}

// Spark returns one character for each count, as high as the count is large.
// Where there are more counts than columns, the last ones are shown. What is
// not zero stands out from zero.
func Spark(counts []int, o Options) string {
	levels := []rune("_.-:=+*#")
	if o.Mode == Unicode {
		levels = []rune("▁▂▃▄▅▆▇█")
	}
	counts = counts[max(len(counts)-o.columnsOf(), 0):]
	most := 1
	for _, n := range counts {
		most = max(most, n)
	}
	var b strings.Builder
	for _, n := range counts {
		level := 0
		if n > 0 {
			level = max(int(math.Round(float64(n)/float64(most)*float64(len(levels)-1))), 1)
		}
		b.WriteRune(levels[level])
	}
	return b.String()
}

// cleanLabel returns s as one clean line of at most so many columns.
func cleanLabel(s string, columns int) string { return clean.Truncate(clean.Line(s), columns) }
