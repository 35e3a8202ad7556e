package foreign_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/foreign"
)

// Sources that are large or repeat themselves take time in proportion: a square
// of it would not end here.
func TestParse_large(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("reads megabytes")
	}
	many := func(n int, head, tail string, item func(i int) string) string {
		var b strings.Builder
		b.WriteString(head)
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(item(i))
		}
		return b.String() + tail
	}
	for name, c := range map[string]struct {
		format foreign.Format
		data   string
		drafts int
	}{
		"memories": {foreign.Memento, many(4_000, `{"memories":[`, `]}`, func(i int) string {
			return fmt.Sprintf(`{"id":"%d","content":"memory %d","linkages":[{"type":"memory","id":"%d"}]}`,
				i, i, i/2)
		}), 4_000},
		"the same again": {foreign.MemoryFile, strings.Repeat("- same\n", 30_000), 1},
		"forgotten": {foreign.ClaudeLTM, many(20_000, `{"memories":[`, `]}`, func(int) string {
			return `{"id":"1","content":"[FORGOTTEN] x"}`
		}), 0},
		"one paragraph": {foreign.MemoryFile, strings.Repeat("word\n", 100_000), 0},
		"a long reason": {
			foreign.Markdown,
			"---\nname: a\ncreated: 2026-01-01\n---\n" + strings.Repeat("**Why:** x\n", 2900), 4,
		},
		"many members": {
			foreign.Memento,
			many(20_000, `{"content":"a",`, `}`, func(i int) string { return fmt.Sprintf(`"m%d":1`, i) }), 1,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			read, err := foreign.Parse(c.format, "f", []byte(c.data), options())
			if err != nil || len(read.Drafts) < c.drafts || c.drafts < 2 && len(read.Drafts) != c.drafts {
				t.Errorf("%d drafts, %v; want %d", len(read.Drafts), err, c.drafts)
			}
			for _, n := range read.Notes {
				if len(n) > 2000 {
					t.Errorf("a note of %d bytes", len(n))
				}
			}
		})
	}
}
