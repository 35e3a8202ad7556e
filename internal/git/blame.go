package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Blamed is a commit that last changed some lines of a file.
type Blamed struct {
	Summary       // Summary has the parent alone in which the file stood before, if there is one.
	Lines   []int // Lines are rising.
}

// Blame says which commits last changed some lines of a file: of the work tree, or of HEAD where there is none. Lines that are
// not committed are left out. The commits come in the order of their first lines. A file that git does not know, or that has no such
// lines, is ErrNoPath. The path is relative to the top, and the lines count from 1.
func (r *Repo) Blame(ctx context.Context, path string, from, to int) ([]Blamed, error) {
	run := r.run
	args := []string{"blame", "--porcelain", "--no-textconv", "-L", strconv.Itoa(from) + "," + strconv.Itoa(max(from, to))}
	if r.WorkTree == "" {
		args = append(args, "HEAD")
	} else {
		run.dir = r.WorkTree
	}
	out, err := run.output(ctx, nil, append(args, "--", path)...)
	if exitCode(err) > 0 {
		return nil, fmt.Errorf("blame %q: %w: %w", path, ErrNoPath, err)
	}
	if err != nil {
		return nil, fmt.Errorf("blame %q: %w", path, err)
	}
	return parseBlame(string(out)), nil
}

// parseBlame reads the lines that begin with a commit, and what follows the first of each about the commit. Those of the file itself
// begin with a tab.
func parseBlame(text string) []Blamed {
	var all []Blamed
	at := map[string]int{} // the places in all
	commit := ""
	for line := range strings.Lines(text) {
		if line[0] == '\t' {
			continue
		}
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		fields := strings.Fields(rest)
		switch {
		case isObjectID(name) && len(fields) >= 2:
			commit = ""
			if number, err := strconv.Atoi(fields[1]); err == nil && strings.Trim(name, "0") != "" {
				commit = name
				if _, known := at[commit]; !known {
					at[commit] = len(all)
					all = append(all, Blamed{Summary: Summary{Commit: commit}})
				}
				b := &all[at[commit]]
				b.Lines = append(b.Lines, number)
			}
		case commit == "":
		case name == "summary":
			all[at[commit]].Subject = rest
		case name == "previous" && len(fields) > 0 && isObjectID(fields[0]):
			all[at[commit]].Parents = fields[:1]
		}
	}
	return all
}
