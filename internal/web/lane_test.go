package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/web"
)

func TestLanes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name    string
		packets string
		want    string
	}{
		{"a line", "c b|b a|a", "c 0|b 0|a 0"},
		{"two lines", "d b|c a|b|a", "d 0|c 1 pass 0|b 0 pass 1|a 1"},
		{"a fork", "c a|b a|a", "c 0|b 1 pass 0|a 0 into 1"},
		{"a join", "d c b|c a|b a|a", "d 0 out 1|c 0 pass 1|b 1 pass 0|a 0 into 1"},
		{"a free column is used again", "e d|d|c a|b a|a", "e 0|d 0|c 0|b 1 pass 0|a 0 into 1"},
		{"one that is passed over", "c b|(b a)|a", "c 0|a 0"},
		{"the end is passed over", "c b|(b)|a", "c 0|a 0"},
		{"a parent that comes never", "c x|b|a", "c 0|b 1 pass 0|a 1 pass 0"},
		{"the same parent twice", "b a a|a", "b 0 out 0|a 0"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := web.Strips(strings.Split(tt.packets, "|")...)
			if diff := cmp.Diff(strings.Split(tt.want, "|"), got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.packets, diff)
			}
		})
	}
}

// TestLanes_bound shows that however many threads are open, a row has no more columns than a phone has room
// for.
func TestLanes_bound(t *testing.T) {
	t.Parallel()
	var packets []string
	for i := range 1000 {
		packets = append(packets, fmt.Sprintf("p%d x%d y%d z%d", i, i, i, i))
	}
	for _, line := range web.Strips(packets...) {
		if strings.Count(line, "pass")+strings.Count(line, "into")+strings.Count(line, "out") > 10 {
			t.Fatalf("%q draws too much", line)
		}
		var name string
		var column int
		if _, err := fmt.Sscan(line, &name, &column); err != nil || column > 7 {
			t.Fatalf("%q lies beyond the last column", line)
		}
	}
}
