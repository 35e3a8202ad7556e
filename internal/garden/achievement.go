package garden

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/words"
)

// Commit is what gardening needs to know of a commit.
type Commit struct {
	Hash          string // required: whole
	Subject, Body string
	Author, Email string
	At            time.Time
	Tags          []string // the annotated tags on it
}

// An Achievement is something that an author brought about, as a commit shows it.
type Achievement struct {
	Key    string // the hash of the commit, so that a second look adds nothing
	Text   string // what was done, in one line that names the commit
	Impact string // high for a release and for what breaks, medium for a feature, low for a fix
	Tags   []string
	Author string
	At     time.Time
}

const (
	shortHash  = 12
	longChange = 200 // characters of what a commit says it did
)

// Achievements returns what the author with an address has achieved in the
// commits, the oldest first. A release counts, and so does what its subject
// or its trailers call a feature, a fix, a gain in speed or a breaking change.
// A commit that was reverted, by whomever, does not count unless its revert
// was reverted too. Case does not matter in the address; without an address
// there is no author, and nothing is returned.
func Achievements(commits []Commit, email string) []Achievement {
	if email == "" {
		return nil
	}
	commits = slices.Clone(commits)
	slices.SortStableFunc(commits, func(a, b Commit) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Hash, b.Hash))
	})
	commits = slices.CompactFunc(commits, func(a, b Commit) bool { return a.Hash == b.Hash })
	gone := findReverted(commits)
	var all []Achievement
	for _, c := range commits {
		if gone[c.Hash] || !strings.EqualFold(c.Email, email) {
			continue
		}
		if a, ok := achievementOf(c); ok {
			all = append(all, a)
		}
	}
	return all
}

// achievementOf returns what a commit achieved, where it did.
func achievementOf(c Commit) (Achievement, bool) {
	a := Achievement{Key: strings.ToLower(c.Hash), Author: c.Author, At: c.At}
	short := a.Key[:min(len(a.Key), shortHash)]
	var names []string // of the versions among its tags
	for _, tag := range c.Tags {
		if releaseTag().MatchString(tag) {
			names = append(names, clipText(clean.Line(tag), longTag))
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if releases := strings.Join(names[:min(len(names), 5)], ", "); releases != "" {
		a.Text, a.Impact, a.Tags = "Released: "+releases+" ("+short+")", "high", []string{"release"}
		return a, true
	}
	ch, ok := changeOf(c)
	if !ok {
		return Achievement{}, false
	}
	switch a.Text = ch.asStatement(short); { // No word of the text says how much it counts for.
	case ch.breaks:
		a.Impact = "high"
	case ch.sort == sortFeature:
		a.Impact = "medium"
	default:
		a.Impact = "low"
	}
	if scope := strings.ToLower(ch.scope); isSlug(scope) {
		a.Tags = []string{scope}
	}
	return a, true
}

// releaseTag matches the name of a finished version: two or more numbers with points between, with or without
// a name or a "v" in front. One that comes before a release has something behind a dash.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var releaseTag = words.Compiled(`^(?:.*[/@])?(?:v|[^0-9]*(?:-v?|_))?[0-9]+(?:\.[0-9]+)+(?:\+.*)?$`)

// isSlug says whether s can be a tag of a record.
func isSlug(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && !isDigit(rune(c)) && (c != '-' || i == 0) {
			return false
		}
	}
	return s != "" && len(s) <= longTag
}

// clipText returns at most n characters of s, whole words where it can.
func clipText(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	s = string(runes[:n-3])
	if at := strings.LastIndexByte(s, ' '); at > n/2 {
		s = s[:at]
	}
	return s + "..."
}
