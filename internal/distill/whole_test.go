package distill_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/distill"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

func TestWhole(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("abcDEF123\n", 20) + "-----END PRIVATE KEY-----\nand then"
	for name, c := range map[string]struct{ text, want string }{
		"a short text": {"one two three", "one two three"},
		"cut at both ends": {
			"alf " + strings.Repeat("x ", 1020) + "hal",
			strings.TrimSpace(strings.Repeat("x ", 1020)),
		},
		"cut before a wide char": {
			"alf " + strings.Repeat("x ", 1020) + "h",
			strings.TrimSpace(strings.Repeat("x ", 1020)),
		},
		"a single word":    {strings.Repeat("a", 1024), ""},
		"the end of a key": {key, "and then"},
		"a whole key": {
			"-----BEGIN PRIVATE KEY-----\n" + key,
			"-----BEGIN PRIVATE KEY-----\n" + key,
		},
		"long, and yet not cut": {
			strings.Repeat("word ", 250),
			strings.TrimSpace(strings.Repeat("word ", 250)),
		},
		"a key's end without more": {"abc\n-----END PRIVATE KEY-----", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := distill.Whole(
				transcript.Session{Commands: []transcript.Command{{Output: c.text}}}).Commands[0].Output
			if got != c.want {
				t.Errorf("Whole = %q, want %q", got, c.want)
			}
		})
	}
}
