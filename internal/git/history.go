package git

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
)

// History answers questions about the commits of a repository and the files in them.
type History struct{ repo *Repo }

// History is that of the repository.
func (r *Repo) History() History { return History{r} }

// ancestryLimit is how many commits Ancestry looks at.
const ancestryLimit = 5000

// IsAncestor reports whether old is tip or lies in the history of tip. A commit that is not here is
// ErrMissing.
func (h History) IsAncestor(ctx context.Context, old, tip string) (bool, error) {
	if !IsObjectID(old) || !IsObjectID(tip) {
		return false, fmt.Errorf("compare commits %q and %q: %w", old, tip, ErrMissing)
	}
	_, err := h.repo.run.readOutput(ctx, nil, "merge-base", "--is-ancestor", old, tip)
	switch exitCode(err) {
	case 0:
		return true, nil
	case 1:
		return false, nil
	case -1:
		return false, fmt.Errorf("compare commits: %w", err)
	}
	return false, fmt.Errorf("compare commits: %w: %w", ErrMissing, err)
}

// Ancestry returns, for each of the commits in the history of HEAD, how many steps from child to parent lie
// between them on the shortest way. It looks at the newest 5,000 commits only; commits that are further away,
// on other branches or not here at all are not in the answer.
func (h History) Ancestry(ctx context.Context, commits []string) (map[string]int, error) {
	found := map[string]int{}
	wanted := map[string]bool{}
	for _, commit := range commits {
		if IsObjectID(commit) {
			wanted[commit] = true
		}
	}
	if len(wanted) == 0 {
		return found, nil
	}
	head, err := h.repo.Resolve(ctx)
	if err != nil || head.Commit == "" {
		return found, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	args := []string{"rev-list", "--parents", fmt.Sprintf("--max-count=%d", ancestryLimit), head.Commit, "--"}
	process, err := h.repo.run.newCommand(args...).Start(ctx, program.Stdout)
	if err != nil {
		return nil, fmt.Errorf("read history: %w", runError(args, err))
	}
	if measureDistances(process.Stdout, head.Commit, wanted, found) {
		cancel() // Everything is known, so git need not go on.
		_ = process.Wait()
		return found, nil
	}
	if err := runError(args, process.Wait()); err != nil {
		return nil, fmt.Errorf("read history: %w", err)
	}
	return found, nil
}

// measureDistances reads commits and their parents, children first, and notes the distances of those that are
// wanted. It reports whether all of them were seen.
func measureDistances(history io.Reader, head string, wanted map[string]bool, found map[string]int) bool {
	distance := map[string]int{head: 0}
	lines := bufio.NewScanner(history)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 {
			continue
		}
		steps := distance[fields[0]]
		if wanted[fields[0]] {
			found[fields[0]] = steps
		}
		if len(found) == len(wanted) {
			return true
		}
		for _, parent := range fields[1:] {
			if known, ok := distance[parent]; !ok || steps+1 < known {
				distance[parent] = steps + 1
			}
		}
	}
	return false
}

// ChangedSince tells which of the paths (relative to the top of the work tree) differ between the commit and
// the work tree, or HEAD where there is no work tree. A commit that is not here is ErrMissing.
func (h History) ChangedSince(ctx context.Context, commit string, paths []string) (map[string]bool, error) {
	changed := make(map[string]bool, len(paths))
	if !IsObjectID(commit) {
		return nil, fmt.Errorf("compare with commit %q: %w", commit, ErrMissing)
	}
	if len(paths) == 0 {
		return changed, nil
	}
	args := []string{
		"--no-optional-locks", "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff",
		"--no-textconv", "--no-relative", "--ignore-submodules=dirty", commit,
	}
	if h.repo.WorkTree == "" {
		args = append(args, "HEAD")
	}
	args = append(args, "--")
	for _, path := range paths {
		args = append(args, ":(top,literal)"+path)
	}
	out, err := h.repo.run.readOutput(ctx, nil, args...)
	if err != nil {
		if _, known := h.repo.run.readOutput(ctx, nil, "cat-file", "-e", commit+"^{commit}"); exitCode(known) > 0 {
			err = fmt.Errorf("%w: %w", ErrMissing, err)
		}
		return nil, fmt.Errorf("compare with commit %s: %w", commit, err)
	}
	for name := range bytes.SplitSeq(out, []byte{0}) {
		for _, path := range paths { // It may be a directory above the name.
			if n := string(name); n != "" && (n == path || strings.HasPrefix(n, strings.TrimSuffix(path, "/")+"/")) {
				changed[path] = true
			}
		}
	}
	return changed, nil
}

// mostCommits is how many commits Commits looks at.
const mostCommits = 20_000

// Range is a part of the history of HEAD.
type Range struct {
	Since time.Time // commits made at or after; the zero time is no bound
	Not   string    // a revision whose history is left out
}

// CommitMade is a commit as the history tells of it. All texts are as hostile as whoever wrote the commit.
type CommitMade struct {
	Hash          string
	At            time.Time // when it was committed
	Author, Email string
	Subject, Body string
}

// Commits returns the commits in a part of the history of HEAD, the newest 20,000 at most. Where HEAD has no
// commit there is none. A revision that is not here is ErrMissing.
func (h History) Commits(ctx context.Context, within Range) ([]CommitMade, error) {
	head, err := h.repo.Resolve(ctx)
	if err != nil || head.Commit == "" {
		return nil, err
	}
	args := []string{
		"log", "--no-show-signature", "--no-patch", "--no-notes", "--no-color", "--encoding=UTF-8", "-z",
		"--format=tformat:%H%x00%ct%x00%an%x00%ae%x00%s%x00%b", fmt.Sprintf("--max-count=%d", mostCommits),
	}
	if !within.Since.IsZero() {
		args = append(args, "--since="+within.Since.UTC().Format(time.RFC3339))
	}
	args = append(args, head.Commit)
	if within.Not != "" {
		commit, err := h.repo.resolveCommit(ctx, within.Not)
		if err != nil {
			return nil, err
		}
		args = append(args, "^"+commit)
	}
	out, err := h.repo.run.readOutput(ctx, nil, append(args, "--")...)
	if err != nil {
		return nil, fmt.Errorf("read commits: %w", err)
	}
	// Reads fields that end with a zero byte each, which no message holds.
	const fields = 6
	parts := strings.Split(strings.ToValidUTF8(string(out), "\uFFFD"), "\x00")
	var all []CommitMade
	for ; len(parts) >= fields; parts = parts[fields:] {
		at, err := unixTime(parts[1])
		if err != nil {
			return nil, fmt.Errorf("read commit %q: %w", parts[0], err)
		}
		c := CommitMade{
			Hash: parts[0], At: at, Author: parts[2], Email: parts[3], Subject: parts[4],
			Body: parts[5],
		}
		if !at.Before(within.Since) {
			all = append(all, c)
		}
	}
	return all, nil
}

// Authors returns names and addresses of those who wrote the newest commits in the history of tip, and not in
// that of another commit, which may be "": of so many at most, each once. Both are whole ids.
func (h History) Authors(ctx context.Context, tip, not string, most int) ([]CommitMade, error) {
	args := []string{
		"log", "--no-show-signature", "--no-patch", "--encoding=UTF-8", "-z",
		"--format=tformat:%an%x00%ae", fmt.Sprintf("--max-count=%d", most),
	}
	if !IsObjectID(tip) || not != "" && !IsObjectID(not) {
		return nil, fmt.Errorf("read authors of %q: %w", tip, ErrMissing)
	}
	if args = append(args, tip); not != "" {
		args = append(args, "^"+not)
	}
	out, err := h.repo.run.readOutput(ctx, nil, append(args, "--")...)
	if err != nil {
		return nil, fmt.Errorf("read authors: %w", err)
	}
	var all []CommitMade
	seen := map[[2]string]bool{}
	for pair := range slices.Chunk(strings.Split(string(out), "\x00"), 2) {
		if len(pair) == 2 && !seen[[2]string(pair)] {
			seen[[2]string(pair)] = true
			all = append(all, CommitMade{Author: pair[0], Email: pair[1]})
		}
	}
	return all, nil
}

// TagMade is an annotated tag on a commit. All texts are as hostile as whoever made the tag.
type TagMade struct {
	Name         string // without refs/tags/
	Object       string // the tag itself
	Commit       string
	Maker, Email string
	At           time.Time
}

// TagsMade returns the annotated tags on commits, in the order of their names. Tags without a maker are left
// out.
func (h History) TagsMade(ctx context.Context) ([]TagMade, error) {
	out, err := h.repo.run.readOutput(ctx, nil, "for-each-ref",
		"--format=%(refname)%00%(objectname)%00%(*objecttype)%00%(*objectname)%00%(taggername)%00%(taggeremail)%00%(taggerdate:unix)", "refs/tags/")
	if err != nil {
		return nil, fmt.Errorf("list tags: %w", err)
	}
	var all []TagMade
	for line := range strings.Lines(strings.ToValidUTF8(string(out), "\uFFFD")) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if len(parts) != 7 || parts[2] != "commit" || parts[6] == "" {
			continue
		}
		at, err := unixTime(parts[6])
		if err != nil {
			return nil, fmt.Errorf("read tag %q: %w", parts[0], err)
		}
		all = append(all, TagMade{
			Name: strings.TrimPrefix(parts[0], "refs/tags/"), Object: parts[1], Commit: parts[3],
			Maker: parts[4],
			Email: strings.TrimSuffix(strings.TrimPrefix(parts[5], "<"), ">"), At: at,
		})
	}
	return all, nil
}

// unixTime reads seconds since 1970.
func unixTime(text string) (time.Time, error) {
	seconds, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("git answered %q for a time", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// Made returns when the commit was made that a revision names, and the name of who wrote it. One that is not
// here is ErrMissing.
func (h History) Made(ctx context.Context, revision string) (CommitMade, error) {
	commit, err := h.repo.resolveCommit(ctx, revision)
	if err != nil {
		return CommitMade{}, err
	}
	out, err := h.repo.run.readOutput(ctx, nil, "show", "--no-patch", "--encoding=UTF-8", "--format=%ct %an",
		commit, "--")
	if err != nil {
		return CommitMade{}, fmt.Errorf("read time of commit %s: %w", commit, err)
	}
	at, author, _ := strings.Cut(strings.TrimSpace(strings.ToValidUTF8(string(out), "\uFFFD")), " ")
	made, err := unixTime(at)
	return CommitMade{Hash: commit, At: made, Author: author}, err
}

// Identity returns the name and the address that git would write as the committer. Both are "" when none is
// configured: nothing is guessed from the machine.
func (r *Repo) Identity(ctx context.Context) (name, email string, err error) {
	out, err := r.run.readOutput(ctx, nil, "-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT")
	if exitCode(err) > 0 {
		return "", "", nil
	}
	if err != nil {
		return "", "", fmt.Errorf("read identity: %w", err)
	}
	before, _, found := strings.Cut(string(out), ">")
	name, email, split := strings.Cut(before, "<")
	if !found || !split {
		return "", "", errors.New("read identity: git answered in another form")
	}
	return strings.TrimSpace(name), email, nil
}

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

// FileHistory returns the commits that changed a file, the newest first and at most limit of them, across
// renames. The path is relative to the top. A file without a history has none, and so has a repository
// without commits.
func (h History) FileHistory(ctx context.Context, path string, limit int) ([]Touch, error) {
	if path == "" {
		return nil, nil
	}
	out, err := h.repo.run.readOutput(ctx, nil, "-c", "core.quotePath=false", "log", "--follow", "-M",
		mostRenames, "-z", "--name-status",
		"--format=%H%x00%P%x00%s", "--no-show-signature", "--no-color", "--no-notes", "--no-ext-diff",
		"--no-textconv", "--no-relative",
		"--encoding=UTF-8", "--max-count="+strconv.Itoa(limit), "HEAD", "--", ":(top,literal)"+path)
	if exitCode(err) > 0 {
		if head, unresolved := h.repo.Resolve(ctx); unresolved == nil && head.Commit == "" {
			return nil, nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read history of %q: %w", path, err)
	}
	return parseTouches(string(out)), nil
}

// parseTouches reads what git log and git diff print: of a commit its name, its parents and its subject, and
// then states with one or two names each.
func parseTouches(text string) []Touch {
	var all []Touch
	var commit Summary
	fields := strings.Split(text, "\x00")
	for i := 0; i < len(fields); i++ {
		state := strings.TrimPrefix(fields[i], "\n")
		names := 1 // stand behind the state of a file
		switch {
		case state == "":
			names = 0
		case state[0] == 'R' || state[0] == 'C':
			names = 2
		}
		switch {
		case IsObjectID(state) && i+2 < len(fields):
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

// RenamedSince says under which names the files of a commit stand now, in the work tree or, where there is
// none, in HEAD. Files that kept their names are not in the answer, nor those that nothing resembles. A
// commit that is not here is ErrMissing.
func (h History) RenamedSince(ctx context.Context, commit string) (map[string]string, error) {
	if !IsObjectID(commit) {
		return nil, fmt.Errorf("find renames since %q: %w", commit, ErrMissing)
	}
	args := []string{
		"--no-optional-locks", "diff", "-M", mostRenames, "-z", "--name-status", "--diff-filter=R",
		"--no-color", "--no-ext-diff",
		"--no-textconv", "--no-relative", "--ignore-submodules=all", commit,
	}
	if h.repo.WorkTree == "" {
		args = append(args, "HEAD")
	}
	out, err := h.repo.run.readOutput(ctx, nil, append(args, "--")...)
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

// Tracked reports whether the index, or HEAD where there is no work tree, holds a file or anything below a
// folder.
func (h History) Tracked(ctx context.Context, path string) (bool, error) {
	args := []string{"ls-files", "-z", "--", ":(top,literal)" + path}
	if h.repo.WorkTree == "" {
		head, err := h.repo.Resolve(ctx)
		if err != nil || head.Commit == "" {
			return false, err
		}
		args = []string{"--literal-pathspecs", "ls-tree", "-z", "--full-tree", head.Commit, "--", path}
	}
	out, err := h.repo.run.readOutput(ctx, nil, args...)
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

// Blame says which commits last changed some lines of a file: of the work tree, or of HEAD where there is
// none. Lines that are not committed are left out. The commits come in the order of their first lines. A file
// that git does not know, or that has no such lines, is ErrNoPath. The path is relative to the top, and the
// lines count from 1.
func (h History) Blame(ctx context.Context, path string, from, to int) ([]Blamed, error) {
	run := h.repo.run
	args := []string{
		"blame", "--porcelain", "--no-textconv", "-L",
		strconv.Itoa(from) + "," + strconv.Itoa(max(from, to)),
	}
	if h.repo.WorkTree == "" {
		args = append(args, "HEAD")
	} else {
		run.dir = h.repo.WorkTree
	}
	out, err := run.readOutput(ctx, nil, append(args, "--", path)...)
	if exitCode(err) > 0 {
		return nil, fmt.Errorf("blame %q: %w: %w", path, ErrNoPath, err)
	}
	if err != nil {
		return nil, fmt.Errorf("blame %q: %w", path, err)
	}
	return parseBlame(string(out)), nil
}

// parseBlame reads the lines that begin with a commit, and what follows the first of each about the commit.
// Those of the file itself begin with a tab.
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
		case IsObjectID(name) && len(fields) >= 2:
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
		case name == "previous" && len(fields) > 0 && IsObjectID(fields[0]):
			all[at[commit]].Parents = fields[:1]
		}
	}
	return all
}
