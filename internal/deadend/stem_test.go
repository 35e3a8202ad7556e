package deadend_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/deadend"
)

func TestStem(t *testing.T) {
	t.Parallel()
	same := [][]string{
		{"raise", "raises", "raised", "raising", "Increase", "increasing", "bump"},
		{"cache", "caches", "cached", "caching"},
		{"split", "splits", "splitting"},
		{"retry", "retries", "retried", "retrying"},
		{"index", "indexes", "indexing"},
		{"process", "processes", "processed"},
		{"database", "databases", "DB"},
		{"test", "tests", "testing", "tested"},
		{"reduce", "reducing", "decrease", "lower"},
		{"run", "runs", "running"},
		{"user", "users", "user's"},
		{"don't", "dont", "don’t"},
		{"upgrade", "upgrading", "upgrades"},
		{"serialise", "serializing"},
	}
	for _, words := range same {
		for _, w := range words[1:] {
			if deadend.Stem(w) != deadend.Stem(words[0]) {
				t.Errorf("Stem(%q) = %q, Stem(%q) = %q, want the same", w, deadend.Stem(w), words[0],
					deadend.Stem(words[0]))
			}
		}
	}
	other := [][2]string{
		{"mustard", "must"},
		{"status", "stat"},
		{"string", "str"},
		{"redis", "red"},
		{"thing", "th"},
		{"S3", "s"},
		{"raise", "lower"},
		{"port", "portal"},
		{"upgrade", "downgrade"},
		{"sing", "s"},
		{"speed", "spe"},
	}
	for _, pair := range other {
		if deadend.Stem(pair[0]) == deadend.Stem(pair[1]) {
			t.Errorf("Stem of %q and of %q are both %q", pair[0], pair[1], deadend.Stem(pair[0]))
		}
	}
}
