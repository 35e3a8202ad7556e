package redact

import "slices"

// Keywords returns what makes the built-in rules look closer.
func Keywords() []string {
	var all []string
	for _, rule := range Rules() {
		all = append(all, rule.keywords...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// FirstKeywords returns one keyword of each built-in rule.
func FirstKeywords() []string {
	var all []string
	for _, rule := range builtIn() {
		all = append(all, rule.keywords[0])
	}
	slices.Sort(all)
	return slices.Compact(all)
}
