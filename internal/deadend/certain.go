package deadend

import (
	"slices"
	"strings"
)

// saying is one command as it is compared word for word: what it runs, the variables that are set for it, and
// where.
type saying struct{ words, assigns, below string }

// sayingsOf are those of the commands of a line, each as it stands there and as what it runs in turn: "sudo
// -H make" is also "make". This is the one place that says when two commands are equal.
func sayingsOf(run []shellCommand) map[saying]bool {
	all := map[saying]bool{}
	for _, c := range run {
		for _, words := range c.commandChain() {
			before := c.words[:max(0, len(c.words)-len(words))]
			said := saying{joinWords(words), joinWords(assignmentsIn(c.assigns, before)), c.below}
			all[said] = true
			said.below = "" // A rule that does not say where means every place.
			all[said] = true
		}
	}
	return all
}

// isSame says whether an action is the very thing that a rule names: each command of the rule is among those
// of the action, or the file is the one that it names. An attempt that nobody is sure of names nothing
// surely, nor do words, and one that names a file and something else was more than a change of that file.
func (r Rule) isSame(given map[saying]bool, paths []string) bool {
	if r.stepsBelow() > 1 {
		return false
	}
	run := ruleCommands(r.Command)
	if len(run) > 0 && !slices.ContainsFunc(run, func(c shellCommand) bool {
		return !given[saying{joinWords(spelledOut(c.words)), joinWords(assignmentsIn(c.assigns)), c.below}]
	}) {
		return true
	}
	if r.Path == "" || strings.ContainsAny(r.Path, "*?") || r.Derived && r.Words+r.Command+r.Adds != "" {
		return false
	}
	return slices.ContainsFunc(paths, func(p string) bool { return tidyPath(p) == tidyPath(r.Path) })
}

// joinWords is one text for words in their order.
func joinWords(words []string) string { return strings.Join(words, "\x00") }

// assignmentsIn are the assignments among some words, sorted.
func assignmentsIn(all ...[]string) []string {
	set := slices.DeleteFunc(slices.Concat(all...), func(word string) bool { return !isAssignment(word) })
	slices.Sort(set)
	return slices.Compact(set)
}
