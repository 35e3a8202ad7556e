package plot_test

import (
	"errors"
	"io"
	"math"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/plot"
)

func bars(tb testing.TB, all []plot.Bar, o plot.Options) string {
	tb.Helper()
	var b strings.Builder
	if err := plot.Bars(&b, all, o); err != nil {
		tb.Fatal(err)
	}
	return "\n" + b.String()
}

func TestBars(t *testing.T) {
	t.Parallel()
	kinds := []plot.Bar{{"decision", 120}, {"pitfall", 61}, {"preference", 1}, {"skip", 0}}
	tests := map[string]struct {
		bars []plot.Bar
		o    plot.Options
		want string
	}{
		"ASCII": {kinds, plot.Options{Columns: 40}, `
decision    120  #######################
pitfall      61  ############
preference    1  #
skip          0
`},
		"Unicode": {kinds, plot.Options{Columns: 40, Mode: plot.Unicode}, `
decision    120  ███████████████████████
pitfall      61  ███████████▊
preference    1  ▎
skip          0
`},
		"narrow": {kinds, plot.Options{Columns: 1}, `
decision    120  #############
pitfall      61  #######
preference    1  #
skip          0
`},
		"all zero": {[]plot.Bar{{"a", 0}}, plot.Options{}, "\na  0\n"},
		"below zero": {
			[]plot.Bar{{"a", -5}, {"b", 5}},
			plot.Options{Columns: 30},
			"\na  -5\nb   5  #######################\n",
		},
		"wide letters": {
			[]plot.Bar{{"\u6f22\u5b57", 1}, {"abcd", 1}},
			plot.Options{Columns: 30},
			"\n\u6f22\u5b57  1  #####################\nabcd  1  #####################\n",
		},
		"long labels": {
			[]plot.Bar{{"a label that is far too long", 1}},
			plot.Options{Columns: 30},
			"\na label t…  1  ###############\n",
		},
		"none": {nil, plot.Options{}, "\n"},
		"largest count": {
			[]plot.Bar{{"a", math.MaxInt}},
			plot.Options{Columns: 30},
			"\na  9223372036854775807  ######\n",
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, bars(t, test.bars, test.o)); diff != "" {
				t.Errorf("Bars (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBars_writeError(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	full := errors.New("no space left")
	_ = r.CloseWithError(full)
	if err := plot.Bars(w, []plot.Bar{{"a", 1}}, plot.Options{}); !errors.Is(err, full) {
		t.Errorf("Bars = %v, want %v", err, full)
	}
}

func TestSpark(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		counts []int
		o      plot.Options
		want   string
	}{
		"ASCII":      {[]int{0, 1, 20, 40, 60, 80, 100}, plot.Options{}, "_..:=*#"},
		"Unicode":    {[]int{0, 1, 20, 40, 60, 80, 100}, plot.Options{Mode: plot.Unicode}, "▁▂▂▄▅▇█"},
		"all zero":   {[]int{0, 0}, plot.Options{}, "__"},
		"below zero": {[]int{-3, 3}, plot.Options{}, "_#"},
		"the last ones": {
			append(make([]int, 50), 1),
			plot.Options{Columns: 30},
			"_____________________________#",
		},
		"none": {nil, plot.Options{}, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := plot.Spark(test.counts, test.o); got != test.want {
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
		for _, mode := range []plot.Mode{plot.ASCII, plot.Unicode} {
			got := strings.TrimPrefix(
				bars(t, []plot.Bar{{label, count}, {"other", 9}}, plot.Options{Mode: mode, Columns: columns}),
				"\n")
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
		}
	})
}
