package plot_test

import (
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/plot"
)

func TestBars(t *testing.T) {
	t.Parallel()
	kinds := []plot.Bar{{"decision", 120}, {"pitfall", 61}, {"preference", 1}, {"skip", 0}}
	tests := map[string]struct {
		bars    []plot.Bar
		columns int
		want    string
	}{
		"ASCII": {kinds, 40, `
decision    120  #######################
pitfall      61  ############
preference    1  #
skip          0
`},
		"narrow": {kinds, 1, `
decision    120  #############
pitfall      61  #######
preference    1  #
skip          0
`},
		"all zero": {[]plot.Bar{{"a", 0}}, 0, "\na  0\n"},
		"below zero": {
			[]plot.Bar{{"a", -5}, {"b", 5}},
			30,
			"\na  -5\nb   5  #######################\n",
		},
		"wide letters": {
			[]plot.Bar{{"\u6f22\u5b57", 1}, {"abcd", 1}},
			30,
			"\n\u6f22\u5b57  1  #####################\nabcd  1  #####################\n",
		},
		"long labels": {
			[]plot.Bar{{"a label that is far too long", 1}},
			30,
			"\na label t…  1  ###############\n",
		},
		"none": {nil, 0, "\n"},
		"largest count": {
			[]plot.Bar{{"a", math.MaxInt}},
			30,
			"\na  9223372036854775807  ######\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, "\n"+plot.Bars(test.bars, test.columns)); diff != "" {
				t.Errorf("Bars (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSpark(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		counts  []int
		columns int
		want    string
	}{
		"ASCII":      {[]int{0, 1, 20, 40, 60, 80, 100}, 0, "_..:=*#"},
		"all zero":   {[]int{0, 0}, 0, "__"},
		"below zero": {[]int{-3, 3}, 0, "_#"},
		"the last ones": {
			append(make([]int, 50), 1),
			30,
			"_____________________________#",
		},
		"none": {nil, 0, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := plot.Spark(test.counts, test.columns); got != test.want {
				t.Errorf("Spark(%v) = %q, want %q", test.counts, got, test.want)
			}
		})
	}
}

// A line holds no character that a terminal obeys or that has no shape, and
// it is not wider than it was told to be.
func FuzzBars(f *testing.F) {
	f.Add("\x1b[31mred\n\u202egnp\u200b", 3, 40)
	f.Add(strings.Repeat("long ", 2000), math.MaxInt, 20)
	f.Add("a\xff\u0301\u0301\u3164\U000e0041", -1, 0)
	f.Add(strings.Repeat("\u6f22", 50), 7, 21)
	f.Fuzz(func(t *testing.T, label string, count, columns int) {
		columns = min(columns, 500)
		got := plot.Bars([]plot.Bar{{label, count}, {"other", 9}}, columns)
		if strings.Count(got, "\n") != 2 || !utf8.ValidString(got) {
			t.Fatalf("not two lines: %q", got)
		}
		bound := max(columns, 30)
		if columns == 0 {
			bound = 80
		}
		for line := range strings.Lines(got) {
			line = strings.TrimSuffix(line, "\n")
			if n := clean.Width(line); n > bound {
				t.Errorf("%d characters in %d columns: %q", n, bound, line)
			}
			for _, r := range line {
				if !unicode.IsPrint(r) {
					t.Errorf("%U in %q", r, line)
				}
			}
		}
	})
}
