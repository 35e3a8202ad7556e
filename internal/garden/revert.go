package garden

import (
	"slices"
	"strings"
)

// leastHash is how many characters of a hash name a commit.
const leastHash = 7

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
	subject, isRevert := revertedSubject(c.Subject)
	// Behind git's own words, and in a revert behind "Refs:".
	var named []string
	words := strings.Fields(strings.ToLower(c.Body))
	for i := range words {
		switch {
		case i >= 3 && words[i-1] == "commit" && words[i-2] == "reverts" && words[i-3] == "this":
			named = appendHash(named, words[i])
		case isRevert && i > 0 && words[i-1] == "refs:":
			for j := i; j < len(words); j++ {
				before := len(named)
				if named = appendHash(named, words[j]); len(named) == before {
					break
				}
			}
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

// revertedSubject returns what a revert says it takes back.
func revertedSubject(subject string) (string, bool) {
	subject = strings.TrimSpace(subject)
	if rest, ok := strings.CutPrefix(subject, `Revert "`); ok {
		return strings.TrimSuffix(rest, `"`), true
	}
	if len(subject) > len("revert:") && strings.EqualFold(subject[:len("revert:")], "revert:") {
		return strings.TrimSpace(subject[len("revert:"):]), true
	}
	return "", false
}

// appendHash appends a word that is a hash, or the begin of one.
func appendHash(all []string, word string) []string {
	word = strings.TrimRight(word, ".,;:)")
	if len(word) < leastHash || strings.Trim(word, "0123456789abcdef") != "" {
		return all
	}
	return append(all, word)
}
