package git

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

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

// Commits returns the commits in a part of the history of HEAD, the newest 20,000 at most. Where HEAD has no commit there is
// none. A revision that is not here is ErrMissing.
func (r *Repo) Commits(ctx context.Context, within Range) ([]CommitMade, error) {
	head, err := r.Resolve(ctx)
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
		commit, err := r.commit(ctx, within.Not)
		if err != nil {
			return nil, err
		}
		args = append(args, "^"+commit)
	}
	out, err := r.run.output(ctx, nil, append(args, "--")...)
	if err != nil {
		return nil, fmt.Errorf("read commits: %w", err)
	}
	return parseCommits(string(out), within.Since)
}

// Authors returns names and addresses of those who wrote the newest commits in the history of tip, and not in that of another
// commit, which may be "": of so many at most, each once. Both are whole ids.
func (r *Repo) Authors(ctx context.Context, tip, not string, most int) ([]CommitMade, error) {
	args := []string{"log", "--no-show-signature", "--no-patch", "--encoding=UTF-8", "-z", "--format=tformat:%an%x00%ae", fmt.Sprintf("--max-count=%d", most)}
	if !isObjectID(tip) || not != "" && !isObjectID(not) {
		return nil, fmt.Errorf("read authors of %q: %w", tip, ErrMissing)
	}
	if args = append(args, tip); not != "" {
		args = append(args, "^"+not)
	}
	out, err := r.run.output(ctx, nil, append(args, "--")...)
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

// commit returns the id of the commit that a revision names.
func (r *Repo) commit(ctx context.Context, revision string) (string, error) {
	if strings.HasPrefix(revision, "-") {
		return "", fmt.Errorf("find commit %q: %w", revision, ErrMissing)
	}
	out, err := r.run.output(ctx, nil, "rev-parse", "--verify", "--quiet", revision+"^{commit}")
	if exitCode(err) > 0 {
		return "", fmt.Errorf("find commit %q: %w", revision, ErrMissing)
	}
	if err != nil {
		return "", fmt.Errorf("find commit %q: %w", revision, err)
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}

// parseCommits reads fields that end with a zero byte each, which no message holds.
func parseCommits(out string, since time.Time) ([]CommitMade, error) {
	const fields = 6
	parts := strings.Split(strings.ToValidUTF8(out, "\uFFFD"), "\x00")
	var all []CommitMade
	for ; len(parts) >= fields; parts = parts[fields:] {
		at, err := unixTime(parts[1])
		if err != nil {
			return nil, fmt.Errorf("read commit %q: %w", parts[0], err)
		}
		c := CommitMade{Hash: parts[0], At: at, Author: parts[2], Email: parts[3], Subject: parts[4], Body: parts[5]}
		if !at.Before(since) {
			all = append(all, c)
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

// TagsMade returns the annotated tags on commits, in the order of their names. Tags without a maker are left out.
func (r *Repo) TagsMade(ctx context.Context) ([]TagMade, error) {
	out, err := r.run.output(ctx, nil, "for-each-ref",
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
			Name: strings.TrimPrefix(parts[0], "refs/tags/"), Object: parts[1], Commit: parts[3], Maker: parts[4],
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
