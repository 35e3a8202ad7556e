package garden

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/words"
)

// findReverted returns the hashes of the commits that no longer stand: those that
// another commit takes back which itself stands. The commits are in order of
// time.
func findReverted(commits []Commit) map[string]bool {
	gone := map[string]bool{}
	for i, c := range slices.Backward(commits) {
		if !gone[c.Hash] {
			for _, target := range targetsOf(i, commits) {
				gone[target] = true
			}
		}
	}
	return gone
}

// targetsOf returns the hashes of the commits that one of them takes back.
// Where it names none by hash, it is the last one before it of the subject
// that it quotes.
func targetsOf(place int, commits []Commit) []string {
	c := commits[place]
	subject, isRevert := strings.CutPrefix(strings.TrimSpace(c.Subject), `Revert "`)
	if isRevert {
		subject = strings.TrimSuffix(subject, `"`)
	} else if n := len("revert:"); len(subject) > n && strings.EqualFold(subject[:n], "revert:") {
		subject, isRevert = strings.TrimSpace(subject[n:]), true
	}
	var named []string
	body := strings.ToLower(c.Body)
	for _, m := range revertsCommit().FindAllStringSubmatch(body, -1) {
		named = append(named, m[1])
	}
	if isRevert {
		for _, refs := range namedRefs().FindAllString(body, -1) {
			named = append(named, strings.FieldsFunc(refs[len("refs:"):], func(c rune) bool {
				return !strings.ContainsRune("0123456789abcdef", c)
			})...)
		}
	}
	var found []string
	for _, o := range commits {
		lower := strings.ToLower(o.Hash)
		if o.Hash != c.Hash &&
			slices.ContainsFunc(named, func(hash string) bool { return strings.HasPrefix(lower, hash) }) {
			found = append(found, o.Hash)
		}
		if len(named) == 0 && isRevert && o.Hash != c.Hash && !o.At.After(c.At) &&
			strings.TrimSpace(o.Subject) == subject {
			found = []string{o.Hash}
		}
		if len(named) == 0 && !isRevert {
			break
		}
	}
	return found
}

// Behind git's own words, and in a revert behind "Refs:", stand hashes of commits.
//
//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	revertsCommit = words.Compiled(`\bthis\s+reverts\s+commit\s+([0-9a-f]{7,})\b`)
	namedRefs     = words.Compiled(`\brefs:(?:\s+[0-9a-f]{7,}\b[.,;:)]*)+`)
)
