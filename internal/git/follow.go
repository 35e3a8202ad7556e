package git

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// mostRenames bounds among how many files git looks for renames.
const mostRenames = "-l400"

// Touch is a commit that changed a file.
type Touch struct {
	Summary

	Path   string // Path is the name of the file after the commit, or the one that it took away.
	Before string // Before is the older name, where the commit gave it another one.
}

// Summary is what a commit says of itself.
type Summary struct {
	Commit  string
	Parents []string
	Subject string // Subject is the first paragraph of its message in one line, as hostile as it may be.
}

// FileHistory returns the commits that changed a file, the newest first and at most limit of them, across renames. The path is
// relative to the top. A file without a history has none, and so has a repository without commits.
func (r *Repo) FileHistory(ctx context.Context, path string, limit int) ([]Touch, error) {
	if path == "" {
		return nil, nil
	}
	out, err := r.run.output(ctx, nil, "-c", "core.quotePath=false", "log", "--follow", "-M", mostRenames, "-z", "--name-status",
		"--format=%H%x00%P%x00%s", "--no-show-signature", "--no-color", "--no-notes", "--no-ext-diff", "--no-textconv", "--no-relative",
		"--encoding=UTF-8", "--max-count="+strconv.Itoa(limit), "HEAD", "--", ":(top,literal)"+path)
	if exitCode(err) > 0 {
		if head, unresolved := r.Resolve(ctx); unresolved == nil && head.Commit == "" {
			return nil, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read history of %q: %w", path, err)
	}
	return parseTouches(string(out)), nil
}

// parseTouches reads what git log and git diff print: of a commit its name, its parents and its subject, and then states with one or
// two names each.
func parseTouches(text string) []Touch {
	var all []Touch
	var commit Summary
	fields := strings.Split(text, "\x00")
	for i := 0; i < len(fields); i++ {
		state := strings.TrimPrefix(fields[i], "\n")
		names := namesAfter(state)
		switch {
		case isObjectID(state) && i+2 < len(fields):
			commit = Summary{Commit: state, Parents: strings.Fields(fields[i+1]), Subject: fields[i+2]}
			i += 2
		case names == 0 || i+names >= len(fields):
		default:
			t := Touch{Summary: commit, Path: fields[i+names]}
			if names == 2 {
				t.Before = fields[i+1]
			}
			all = append(all, t)
			i += names
		}
	}
	return all
}

// namesAfter is how many names stand behind the state of a file.
func namesAfter(state string) int {
	switch {
	case state == "":
		return 0
	case state[0] == 'R' || state[0] == 'C':
		return 2
	default:
		return 1
	}
}

// RenamedSince says under which names the files of a commit stand now, in the work tree or, where there is none, in HEAD. Files
// that kept their names are not in the answer, nor those that nothing resembles. A commit that is not here is ErrMissing.
func (r *Repo) RenamedSince(ctx context.Context, commit string) (map[string]string, error) {
	if !isObjectID(commit) {
		return nil, fmt.Errorf("find renames since %q: %w", commit, ErrMissing)
	}
	args := []string{
		"--no-optional-locks", "diff", "-M", mostRenames, "-z", "--name-status", "--diff-filter=R", "--no-color", "--no-ext-diff",
		"--no-textconv", "--no-relative", "--ignore-submodules=all", commit,
	}
	if r.WorkTree == "" {
		args = append(args, "HEAD")
	}
	out, err := r.run.output(ctx, nil, append(args, "--")...)
	if exitCode(err) > 0 {
		return nil, fmt.Errorf("find renames since %s: %w: %w", commit, ErrMissing, err)
	}
	if err != nil {
		return nil, fmt.Errorf("find renames since %s: %w", commit, err)
	}
	now := map[string]string{}
	for _, t := range parseTouches(string(out)) {
		now[t.Before] = t.Path
	}
	return now, nil
}

// Tracked reports whether the index, or HEAD where there is no work tree, holds a file or anything below a folder.
func (r *Repo) Tracked(ctx context.Context, path string) (bool, error) {
	args := []string{"ls-files", "-z", "--", ":(top,literal)" + path}
	if r.WorkTree == "" {
		head, err := r.Resolve(ctx)
		if err != nil || head.Commit == "" {
			return false, err
		}
		args = []string{"--literal-pathspecs", "ls-tree", "-z", "--full-tree", head.Commit, "--", path}
	}
	out, err := r.run.output(ctx, nil, args...)
	if err != nil {
		return false, fmt.Errorf("look for %q: %w", path, err)
	}
	return len(out) > 0, nil
}

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
