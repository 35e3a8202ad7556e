// Package plot draws small figures and text for a terminal: bars with labels and
// counts, a line of how much there was week by week, and pages cut to its width.
//
// A figure is never wider than it is told to be. Labels are hostile: they are
// cleaned and cut. The package is pure and knows no clock.
package plot

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// widthOf is how wide a figure may be: 80 columns where none are said, and never less than 30.
func widthOf(columns int) int { return max(cmp.Or(columns, 80), 30) }

// A Bar is one line of a figure.
type Bar struct {
	Label string
	Count int // Less than zero is drawn as zero.
}

// Bars is a line for each bar, in the order given: its label, its count, and a bar as long as the count is
// large. What is not zero has a bar.
func Bars(bars []Bar, columns int) string {
	columns = widthOf(columns)
	most, digits, width := 1, 1, 0
	for _, b := range bars {
		most = max(most, b.Count)
		digits = max(digits, len(strconv.Itoa(b.Count)))
		width = max(width, clean.Width(cleanLabel(b.Label, columns/3)))
	}
	room := max(columns-width-digits-4, 1) // A short bar says more than none.
	if width+digits+5 > columns {
		width = max(columns-digits-5, 1)
	}
	var out strings.Builder
	for _, b := range bars {
		text, bar := cleanLabel(b.Label, min(width, columns/3)), ""
		if b.Count > 0 {
			bar = strings.Repeat("#", max(int(math.Round(float64(b.Count)/float64(most)*float64(room))), 1))
		}
		line := fmt.Sprintf("%s%s  %*d  %s", text, strings.Repeat(" ", max(width-clean.Width(text), 0)),
			digits, b.Count, bar)
		out.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return out.String()
}

// Spark returns one character for each count, as high as the count is large.
// Where there are more counts than columns, the last ones are shown. What is
// not zero stands out from zero.
func Spark(counts []int, columns int) string {
	const levels = "_.-:=+*#"
	counts = counts[max(len(counts)-widthOf(columns), 0):]
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
		b.WriteByte(levels[level])
	}
	return b.String()
}

// cleanLabel returns s as one clean line of at most so many columns.
func cleanLabel(s string, columns int) string { return clean.Truncate(clean.Line(s), columns) }
