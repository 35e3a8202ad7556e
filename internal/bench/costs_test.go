package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// update writes the table of bounds: "lower" takes what became less, "force" takes what was measured.
var update = flag.String("update", "", "write docs/costs.md: lower, or force to raise bounds too")

// costSizes are the numbers of records of the table.
var costSizes = []int{10, 1000, 10_000}

// column is one count of the table.
type column struct {
	name  string
	of    func(counts) int
	slack int // what one run may differ from another by, beside a tenth; -1 where runs are the same
}

func columns() []column {
	return []column{
		{"processes", func(c counts) int { return c.processes }, -1},
		{"syncs", func(c counts) int { return c.syncs }, 1}, // A folder of objects may be new, or not.
		{"files", func(c counts) int { return c.files }, 8},
		{"KB", func(c counts) int { return (c.bytes + 1023) >> 10 }, 32},
		{"records", func(c counts) int { return c.records }, 8},
		{"refs", func(c counts) int { return c.refs }, 200},
		{"judged", func(c counts) int { return c.judged }, 8},
		{"rows", func(c counts) int { return c.rows }, 40},
		{"left", func(c counts) int { return c.left }, -1},
		{"left KB", func(c counts) int { return (c.leftBytes + 1023) >> 10 }, 32},
	}
}

// chosen reads which sizes, by their place in the table, and which styles are to be counted; of what is not
// named all are.
func chosen(asked string) (sizes []int, kinds []style) {
	for _, word := range strings.Fields(asked) {
		if size, err := strconv.Atoi(word); err == nil && slices.Contains(costSizes, size) {
			sizes = append(sizes, slices.Index(costSizes, size))
		} else if slices.Contains(styles(), style(word)) {
			kinds = append(kinds, style(word))
		}
	}
	if sizes == nil {
		sizes = []int{0, 1, 2}
	}
	if kinds == nil {
		kinds = styles()
	}
	return sizes, kinds
}

// unknown stands for a count that nobody could take, and bounds nothing.
const unknown = -1

// allows is the most that passes for a bound.
func (c column) allows(bound int) int {
	if c.slack < 0 {
		return bound
	}
	return bound + bound/10 + c.slack
}

// A bound is the most that a command may do of something at each size of the table.
type bound [3]int

// bounds of a command are by column.
type bounds []bound

// The page of the bounds, and what stands before its tables.
const costsPage = "../../docs/costs.md"

// TestCosts counts what each command does at each size, and holds that against the table of bounds.
func TestCosts(t *testing.T) {
	t.Parallel()
	needStrace(t)
	sizes, kinds := []int{0, 1}, []style{own}
	if asked := os.Getenv("LTM_COSTS"); asked != "" {
		sizes, kinds = chosen(asked)
	}
	page, err := os.ReadFile(costsPage)
	if err != nil && *update == "" {
		t.Fatal(err)
	}
	want, err := readBounds(string(page))
	if err != nil {
		t.Fatal(err)
	}
	var m sync.Mutex
	got := map[style]map[string]bounds{}
	t.Run("counted", func(t *testing.T) {
		var programs tools
		if err := catch(func() { programs = buildTools(t.Context(), t.TempDir(), "") }); err != nil {
			t.Fatal(err)
		}
		t.Run("in", func(t *testing.T) {
			for _, s := range kinds {
				got[s] = map[string]bounds{}
				for _, at := range sizes {
					t.Run(fmt.Sprint(s, " ", costSizes[at]), func(t *testing.T) {
						t.Parallel()
						countAll(t, programs, s, costSizes[at], func(w *row, c counts) {
							m.Lock()
							defer m.Unlock()
							if got[s][w.name] == nil {
								got[s][w.name] = slices.Repeat(bounds{{unknown, unknown, unknown}}, len(columns()))
							}
							for i, column := range columns() {
								got[s][w.name][i][at] = column.of(c)
							}
							if *update == "" {
								holdTo(t, want[s][w.name], got[s][w.name], at, w)
							}
						})
					})
				}
			}
		})
	})
	if *update != "" && !t.Failed() {
		if err := os.WriteFile(costsPage, []byte(writeBounds(string(page), want, got)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// countAll counts every row in one repository.
func countAll(t *testing.T, programs tools, s style, size int, found func(*row, counts)) {
	t.Helper()
	if err := catch(func() {
		r := newRepo(t.Context(), programs, t.TempDir(), s, size)
		r.warmUp(t.Context())
		for _, w := range inOrder(rows()) {
			if !w.fitsStyle(s) {
				continue
			}
			within(w.name, func() {
				for range 4 {
					if c, ok := r.countRow(t.Context(), w); ok {
						found(w, c)
						return
					}
				}
				t.Logf("NOT COUNTED: %s gave up each time: the machine is too busy, or it takes too long", w.name)
			})
		}
	}); err != nil {
		t.Fatal(err)
	}
}

// countRow counts one run of a row, unless it gave up.
func (r *repo) countRow(ctx context.Context, w *row) (c counts, ok bool) {
	c, took := r.counted(ctx, w.nextCall(ctx, r))
	if r.gaveUp() {
		return c, false
	}
	w.checkOutput(r, took.out)
	return c, true
}

// holdTo fails where a count at a size is above its bound.
func holdTo(t *testing.T, want, got bounds, at int, w *row) {
	t.Helper()
	if want == nil {
		t.Errorf("%s has no bounds in %s: run make costs UPDATE=lower", w.name, costsPage)
		return
	}
	for i, c := range columns() {
		if most := c.allows(want[i][at]); want[i][at] != unknown && got[i][at] > most {
			t.Errorf("%s: %d %s, want at most %d (the table says %d)", w.name, got[i][at], c.name, most,
				want[i][at])
		}
	}
}

// headOf is the first cells of the line above the bounds of a style.
const headOf = "| command | goal |"

// readBounds reads the tables of a page.
func readBounds(page string) (map[style]map[string]bounds, error) {
	all := map[style]map[string]bounds{}
	var now style
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "## "); ok {
			word, _, _ := strings.Cut(strings.ToLower(name), ":")
			now = style(word)
			continue
		}
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, headOf) {
			continue
		}
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		if len(cells) < 2+len(columns()) {
			return nil, fmt.Errorf("the line %q of %s has %d cells", line, costsPage, len(cells))
		}
		of := make(bounds, len(columns()))
		for i := range columns() {
			numbers := strings.Split(cells[2+i], "/")
			for at := range of[i] {
				number := numbers[min(at, len(numbers)-1)]
				if number == "?" {
					of[i][at] = unknown
					continue
				}
				n, err := strconv.Atoi(number)
				if err != nil {
					return nil, fmt.Errorf("the line %q of %s: %w", line, costsPage, err)
				}
				of[i][at] = n
			}
		}
		if all[now] == nil {
			all[now] = map[string]bounds{}
		}
		all[now][cells[0]] = of
	}
	return all, nil
}

// writeBounds writes the page anew from what it said and from what was measured.
func writeBounds(page string, want, got map[style]map[string]bounds) string {
	about, _, _ := strings.Cut(page, "\n## ")
	var b strings.Builder
	b.WriteString(strings.TrimSpace(about) + "\n")
	titles := map[style]string{
		own:       "Own: this clone made the records",
		strangers: "Strangers: plain git brought them, and nothing here trusts them",
		pulled:    "Pulled: git ltm brought them, and nothing here trusts them",
	}
	for _, s := range styles() {
		fmt.Fprintf(&b, "\n## %s\n\n%s", titles[s], headOf)
		for _, c := range columns() {
			b.WriteString(" " + c.name + " |")
		}
		b.WriteString(" still grows |\n|---|---|" + strings.Repeat("--:|", len(columns())) + "---|\n")
		for _, w := range rows() {
			now, was := got[s][w.name], want[s][w.name]
			switch {
			case now == nil && was == nil || !w.fitsStyle(s):
				continue
			case now == nil:
				now = was
			case was != nil:
				now = merge(was, now, *update == "force")
			}
			fmt.Fprintf(&b, "| %s | %s |", w.name, w.countsGoal())
			var grows []string
			for i, c := range columns() {
				cell := c.write(now[i])
				if c.grows(now[i]) {
					grows = append(grows, c.name)
				}
				fmt.Fprintf(&b, " %s |", cell)
			}
			if w.grows {
				grows = nil
			}
			fmt.Fprintf(&b, " %s |\n", strings.Join(grows, ", "))
		}
	}
	return b.String()
}

// merge takes what became less by more than runs differ, and what was not known; where it is forced, all that
// was measured.
func merge(was, now bounds, force bool) bounds {
	all := slices.Clone(was)
	for i, c := range columns() {
		for at, n := range now[i] {
			less := n < was[i][at] && (c.slack < 0 || c.allows(n) < was[i][at])
			if n != unknown && (force || less || was[i][at] == unknown) {
				all[i][at] = n
			}
		}
	}
	return all
}

// write is one number where the sizes do not matter, and one for each size where they do.
func (c column) write(b bound) string {
	if least := slices.Min(b[:]); least != unknown && slices.Max(b[:]) <= c.allows(least) {
		return strconv.Itoa(slices.Max(b[:]))
	}
	return strings.ReplaceAll(fmt.Sprintf("%d/%d/%d", b[0], b[1], b[2]), strconv.Itoa(unknown), "?")
}

// grows tells whether a count is larger at a larger size, by more than runs differ. Where there are ten
// records all of them are few.
func (c column) grows(b bound) bool {
	if b[2] == unknown {
		return b[0] != unknown && b[1] > c.allows(b[0])
	}
	return b[1] != unknown && b[2] > c.allows(b[1])
}

// countsGoal is what is wanted of the counts of a row.
func (w *row) countsGoal() string {
	switch {
	case w.grows:
		return "-"
	case w.side == "save":
		return "flat, 7 syncs"
	default:
		return "flat"
	}
}

// TestBounds shows that a table is read as it was written, and that it is lowered alone where nobody forces
// it.
func TestBounds(t *testing.T) {
	t.Parallel()
	name := rows()[0].name
	had := bounds{
		{1, unknown, 1},
		{9, 9, 9},
		{20, 200, 2000},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
	}
	page := writeBounds("# Costs\n", nil, map[style]map[string]bounds{own: {name: had}})
	read, err := readBounds(page)
	if err != nil {
		t.Fatal(err)
	}
	if got := read[own][name]; !slices.Equal(got, had) {
		t.Errorf("read %v, want %v of\n%s", got, had, page)
	}
	if !strings.Contains(page, "| 20/200/2000 |") || !strings.Contains(page, "| files |\n") {
		t.Errorf("the table does not say what grows:\n%s", page)
	}
	now := bounds{
		{1, unknown, 1},
		{2, 2, 12},
		{19, 100, 20},
		{9, 9, 9},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
	}
	want := bounds{
		{1, unknown, 1},
		{2, 2, 9},
		{20, 100, 20},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
		{0, 0, 0},
	}
	if got := merge(had, now, false); !slices.Equal(got, want) {
		t.Errorf("lowered to %v, want %v", got, want)
	}
	if _, err := readBounds(
		"## Own\n| status | flat | many | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | 1 | |\n"); err == nil {
		t.Error("a bound that is no number was read")
	}
}
