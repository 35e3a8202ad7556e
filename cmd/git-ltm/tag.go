package main

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/reply"
)

// slugs brings tags into the form that records hold, each once, and tells what was changed.
func (e *env) slugs(tags []string) []string {
	var all []string
	for _, tag := range tags {
		s := reply.Slug(tag)
		if s != tag {
			e.say("hint", "the tag \""+reply.Word(tag)+"\" is stored as \""+reply.Word(s)+"\"")
		}
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}
