package reply

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/scan"
)

// Slug writes a tag in lower case, with hyphens for what parts its words. What else is wrong with it the gate says. A secret stays
// as it is, so that the gate knows it: in lower case it would be none.
func Slug(tag string) string {
	if (*scan.Rules)(nil).Public(tag) != tag {
		return tag
	}
	tag = strings.ToLower(tag)
	const parts = ":/_ \t"
	if !strings.ContainsAny(tag, parts) {
		return tag
	}
	return strings.Join(strings.FieldsFunc(tag, func(r rune) bool { return strings.ContainsRune(parts+"-", r) }), "-")
}
