package packet_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/git-ltm/git-ltm/internal/packet"
)

func TestParse_sketch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text     string
		problems []string
	}{
		"nothing yet":            {`{"tags":["a"]}`, nil},
		"no next step":           {`{"goal":"Build"}`, nil},
		"an empty goal":          {`{"goal":""}`, []string{"/goal"}},
		"a list of another type": {`{"attempts":"none"}`, []string{"/attempts"}},
		"an attempt without a result": {
			`{"attempts":[{"tried":"go test"}]}`,
			[]string{"/attempts/0/outcome"},
		},
		"a note lacks what notes need": {`{"type":"note","kind":"fact"}`, []string{"/text"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := packet.Parse([]byte(c.text), packet.Sketch)
			var got []string
			if invalid, ok := errors.AsType[*packet.InvalidError](err); ok {
				for _, p := range invalid.Problems {
					got = append(got, p.Path)
				}
			}
			if !slices.Equal(got, c.problems) {
				t.Errorf("Parse(%s, Sketch) finds problems at %q, want %q", c.text, got, c.problems)
			}
		})
	}
}
