package report_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/report"
)

func read(tb testing.TB, text string) report.Baseline {
	tb.Helper()
	b, err := report.ReadBaseline(strings.NewReader(text))
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// suppressed returns who suppressed each result, "" for one that counts.
func suppressed(r *report.Report) []string {
	var by []string
	for _, x := range r.Results {
		if x.Suppressed == nil {
			by = append(by, "")
		} else {
			by = append(by, x.Suppressed.By)
		}
	}
	return by
}

func TestBaseline_Apply(t *testing.T) {
	t.Parallel()
	const person = "A. Person"
	tests := map[string]struct {
		baseline string
		want     []string
		unused   int
	}{
		"an empty file": {"", []string{"", "", "", "", "", person, ""}, 0},
		"comments":      {"# nothing\n\n  # known\r\n", []string{"", "", "", "", "", person, ""}, 0},
		"a list":        {"v1:0123456789abcdef\n", []string{"baseline", "", "", "", "", person, ""}, 0},
		"without an end": {
			"# a\n\tv1:1123456789abcdef # b\r\nv1:0123456789abcdef",
			[]string{"baseline", "baseline", "", "", "", person, ""},
			0,
		},
		"unused entries": {
			"v1:ffffffffffffffff\nv2:0123456789abcdef\nv1:0123456789abcdef",
			[]string{"baseline", "", "", "", "", person, ""},
			2,
		},
		"entries twice": {
			strings.Repeat("v1:ffffffffffffffff\n", 2),
			[]string{"", "", "", "", "", person, ""},
			1,
		},
		"allowed already": {"v1:2123456789abcdef\n", []string{"", "", "", "", "", person, ""}, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := read(t, test.baseline)
			r := sample()
			b.Apply(r)
			if diff := cmp.Diff(test.want, suppressed(r)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := b.Unused(); got != test.unused {
				t.Errorf("%d entries are unused, want %d", got, test.unused)
			}
		})
	}
}

func TestBaseline_Apply_zero(t *testing.T) {
	t.Parallel()
	var b report.Baseline
	r := sample()
	b.Apply(r)
	if diff := cmp.Diff(sample(), r); diff != "" || b.Unused() != 0 {
		t.Errorf("the zero value has %d entries and changes (-want +got):\n%s", b.Unused(), diff)
	}
}

func TestReadBaseline_broken(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		line int
	}{
		"words":             {"v1:0123456789abcdef\n\nsome words\n", 3},
		"two on a line":     {"v1:0123456789abcdef v1:1123456789abcdef", 1},
		"short":             {"# a\nv1:0123\n", 2},
		"capitals":          {"v1:0123456789ABCDEF", 1},
		"no version":        {"0123456789abcdef", 1},
		"a zero byte":       {"v1:0123456789abcdef\x00", 1},
		"a byte order mark": {"\ufeffv1:0123456789abcdef", 1},
		"an array":          {"[]", 1},
		"SARIF":             {write(t, sample(), report.SARIF), 1},
		"a report":          {write(t, sample(), report.JSON), 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := report.ReadBaseline(strings.NewReader(test.text))
			broken, ok := errors.AsType[*report.BaselineError](err)
			if !ok {
				t.Fatalf("got %v, want a BaselineError", err)
			}
			if broken.Line != test.line {
				t.Errorf("%v: want line %d", err, test.line)
			}
		})
	}
}

// TestReadBaseline_quotesNothing reads what may well be given by mistake: the report of another scanner, with
// the secret.
func TestReadBaseline_quotesNothing(t *testing.T) {
	t.Parallel()
	secret := "gh" + "p_" + strings.Repeat("aB3", 12)
	for _, text := range []string{
		secret,
		`{"Secret":"` + secret + `"}`,
		`{"tool":"t","ruleset":"1","results":[{"rule":"r","subject":"s","fingerprint":"` + secret + `"}]}`,
		`{"tool":"t","ruleset":"1","results":[{"rule":"r","subject":"s","region":"` + secret + `"}]}`,
		`{"` + secret + `":1,"` + secret + `":1}`,
	} {
		if _, err := report.ReadBaseline(strings.NewReader(text)); err == nil ||
			strings.Contains(err.Error(), "aB3") {
			t.Errorf("got %v, want an error without the secret", err)
		}
	}
}

// TestReadBaseline_afterError shows that the whole baseline is refused.
func TestReadBaseline_afterError(t *testing.T) {
	t.Parallel()
	b, err := report.ReadBaseline(strings.NewReader("v1:0123456789abcdef\nbroken"))
	r := sample()
	b.Apply(r)
	if diff := cmp.Diff(sample(), r); diff != "" || err == nil {
		t.Errorf("err is %v, and the report changed (-want +got):\n%s", err, diff)
	}
}

func TestReadBaseline_size(t *testing.T) {
	t.Parallel()
	line := []byte("# " + strings.Repeat("a", 1021) + "\n")
	full := bytes.Repeat(line, report.MaxBaseline/len(line))
	if _, err := report.ReadBaseline(bytes.NewReader(full)); err != nil {
		t.Errorf("%d bytes: %v", len(full), err)
	}
	if _, err := report.ReadBaseline(io.MultiReader(bytes.NewReader(full), strings.NewReader("\n"))); err ==
		nil {
		t.Errorf("%d bytes are taken", len(full)+1)
	}
	if _, err := report.ReadBaseline(iotest.ErrReader(errFull)); !errors.Is(err, errFull) {
		t.Errorf("got %v, want %v", err, errFull)
	}
}
