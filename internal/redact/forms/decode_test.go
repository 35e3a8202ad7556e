package forms_test

import (
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/redact/forms"
)

// TestDecodeAll_cut holds that an escape which the text cuts off is none.
func TestDecodeAll_cut(t *testing.T) {
	t.Parallel()
	for _, escape := range []string{
		"%u0041", "%41", "=41", `\u0041`, `\u{41}`, `\U00000041`, `\x41`, `\101`, `\/`, "&#65;", "&#x41;", "&amp;",
	} {
		text := strings.Repeat(escape, 8)
		for end := range len(text) {
			whole := text[:end]
			for _, f := range forms.DecodeAll(whole) {
				if len(f.Text) > len(whole) {
					t.Errorf("a form of %q is longer: %q", whole, f.Text)
				}
			}
		}
	}
}
