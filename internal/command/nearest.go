package command

import "strings"

// Nearest returns the names that a word may be a slip of, at most two letters away, the likeliest
// alone first.
func Nearest(word string, names []string) []string {
	word = strings.ToLower(word)
	best := min(2, len(word)/2)
	var found []string
	for _, name := range names {
		d := countEdits(word, name)
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			d = 1
		}
		if d < best || d == best && len(found) == 0 {
			best, found = d, nil
		}
		if d == best && len(found) < 3 {
			found = append(found, name)
		}
	}
	return found
}

// countEdits is how many letters must be changed, left out, put in or swapped with their neighbour
// to make one word of another.
func countEdits(a, b string) int {
	row := func() []int { return make([]int, len(b)+1) }
	before, last, now := row(), row(), row()
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		now[0] = i + 1
		for j := range len(b) {
			same := 1
			if a[i] == b[j] {
				same = 0
			}
			now[j+1] = min(last[j]+same, last[j+1]+1, now[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				now[j+1] = min(now[j+1], before[j-1]+1)
			}
		}
		before, last, now = last, now, before
	}
	return last[len(b)]
}
