package deadend

import (
	"slices"
	"strings"
)

// isSame says whether an action is the very thing that a rule names: each command of the rule is among those
// of the action word for word, where the rule says so, or the file is the one that it names. An attempt that
// nobody is sure of names nothing surely, nor do words, and one that names a file and something else was more
// than a change of that file. This is the one place that says when two commands are equal, and where the last of
// them runs.
func (r Rule) isSame(given []form, paths []string) (dir string, same bool) {
	if r.stepsBelow() > 1 {
		return "", false
	}
	run := ruleCommands(r.Command)
	if len(run) > 0 && !slices.ContainsFunc(run, func(c shellCommand) bool {
		return !slices.ContainsFunc(given, func(g form) bool {
			dir = g.below
			return slices.Equal(g.words, spelledOut(c.words)) && slices.Equal(g.assigns, assignmentsIn(c.assigns)) &&
				(c.below == "" || c.below == g.below) // One that does not say where means every place.
		})
	}) {
		return dir, true
	}
	if r.Path == "" || strings.ContainsAny(r.Path, "*?") || r.Derived && r.Words+r.Command+r.Adds != "" {
		return "", false
	}
	return "", slices.ContainsFunc(paths, func(p string) bool { return tidyPath(p) == tidyPath(r.Path) })
}

// assignmentsIn are the assignments among some words, sorted.
func assignmentsIn(all ...[]string) []string {
	set := slices.DeleteFunc(slices.Concat(all...), func(word string) bool { return !isAssignment(word) })
	slices.Sort(set)
	return slices.Compact(set)
}
