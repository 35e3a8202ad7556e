package redact

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// KeywordIndex returns the index of the built-in rules as the program has it, and as their tables give it.
func KeywordIndex() (embedded, made string) {
	return keywordIndex, string(newIndex(builtIn(), 0)) + rules.TableSizes() + gitleaksVersion
}

// Keywords returns what makes the built-in rules look closer.
func Keywords() []string {
	var all []string
	for _, rule := range Rules() {
		all = append(all, rule.listKeywords()...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// FirstKeywords returns one keyword of each built-in rule.
func FirstKeywords() []string {
	var all []string
	for _, rule := range builtIn() {
		all = append(all, rule.listKeywords()[0])
	}
	slices.Sort(all)
	return slices.Compact(all)
}
