package main

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/memory"
)

// slugs brings tags into the form that records hold, each once, and tells what was changed.
func (e *env) slugs(tags []string) []string {
	var all []string
	for _, tag := range tags {
		s := slug(tag)
		if s != tag {
			e.say("hint", "the tag \""+word(tag)+"\" is stored as \""+word(s)+"\"")
		}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// slug writes a tag in lower case, with hyphens for what parts its words. What else is wrong with it the gate says. A secret stays
// as it is, so that the gate knows it: in lower case it would be none.
func slug(tag string) string {
	if (*memory.Rules)(nil).Public(tag) != tag {
		return tag
	}
	tag = strings.ToLower(tag)
	const parts = ":/_ \t"
	if !strings.ContainsAny(tag, parts) {
		return tag
	}
	return strings.Join(strings.FieldsFunc(tag, func(r rune) bool { return strings.ContainsRune(parts+"-", r) }), "-")
}
