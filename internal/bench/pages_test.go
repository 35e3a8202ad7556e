package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// readTables reads a page: the rows of each of its tables, with the head, in cells.
func readTables(t *testing.T, page string) (tables [][][]string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	inside := false
	for line := range strings.Lines(string(text)) {
		line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, "/")
		row := strings.HasPrefix(line, "|")
		if row && !inside {
			tables = append(tables, nil)
		}
		if row && !strings.HasPrefix(line, "|---") {
			var cells []string
			for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
				cells = append(cells, strings.TrimSpace(cell))
			}
			last := &tables[len(tables)-1]
			*last = append(*last, cells)
			if n := len((*last)[0]); len(cells) != n {
				t.Errorf("%s: the row %q has %d cells, want %d", page, line, len(cells), n)
			}
		}
		inside = row
	}
	return tables
}

// TestPages_complete asks of each page that a long run writes whether all parts have their rows.
func TestPages_complete(t *testing.T) {
	t.Parallel()
	peers, abilities := readPeers(peersText)
	var untried []string
	for _, one := range peers {
		if one.lines["try"] != "" {
			untried = append(untried, one.name)
		}
	}
	tables := readTables(t, "peers.md")
	last := len(tables) - 1
	wantRows(t, "peers.md, versions and missing", append(tables[0], tables[last]...), namesOf(peers))
	wantRows(t, "peers.md, missing", tables[last], untried)
	for _, costs := range tables[1 : last-2] {
		wantRows(t, "peers.md, costs", costs, peerSteps())
	}
	wantRows(t, "peers.md, abilities", tables[last-1], abilities)

	var keeps []string
	for _, one := range allKeepings() {
		keeps = append(keeps, one.name)
	}
	tables = readTables(t, "scale.md")
	wantRows(t, "scale.md, measured", tables[0], []string{"records", "refs of the remote", "push: time"})
	wantRows(t, "scale.md, reckoned", tables[1], keeps)
	if got := len(tables[1]) - 1; got != 4*len(keeps) {
		t.Errorf("scale.md has %d rows that are reckoned, want four quarters of %d", got, len(keeps))
	}

	rows := readTables(t, "nightly.md")[0][1:]
	parts := []string{"soak", "model", "kills", "fuzz", "clients"}
	for i, row := range rows {
		if row[2] != parts[i%len(parts)] {
			t.Errorf("nightly.md: row %d is of %q, want %q: each run has a row for each part", i, row[2],
				parts[i%len(parts)])
		}
	}
	if len(rows) == 0 || len(rows)%len(parts) != 0 {
		t.Errorf("nightly.md has %d rows, want %d of each run", len(rows), len(parts))
	}
}

func namesOf(all []*peer) (names []string) {
	for _, one := range all {
		names = append(names, one.name)
	}
	return names
}

// wantRows asks for rows that begin with these cells.
func wantRows(t *testing.T, what string, table [][]string, begin []string) {
	t.Helper()
	for _, want := range begin {
		if !slices.ContainsFunc(table, func(row []string) bool { return row[0] == want }) {
			t.Errorf("%s: no row of %q in %s", what, want, fmt.Sprint(table))
		}
	}
}
