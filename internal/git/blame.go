package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// Blamed is a line of a file and the commit that last changed it.
type Blamed struct {
	Line   int
	Commit string
}

// Blame says which commits last changed some lines of a file: of the work tree, or of HEAD where there is none. Lines that are
// not committed are left out. A file that git does not know, or that has no such lines, is ErrNoPath. The path is relative to
// the top, and the lines count from 1.
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

// parseBlame reads the lines that begin with a commit; those of the file itself begin with a tab.
func parseBlame(text string) []Blamed {
	var all []Blamed
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if line[0] == '\t' || len(fields) < 3 || !isObjectID(fields[0]) {
			continue
		}
		number, err := strconv.Atoi(fields[2])
		if err == nil && strings.Trim(fields[0], "0") != "" {
			all = append(all, Blamed{Line: number, Commit: fields[0]})
		}
	}
	return all
}
