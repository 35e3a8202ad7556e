package deadend

import (
	"slices"
	"strings"
)

// exactRule is an attempt whose text is one command and nothing else. It is met by that command alone, however common its words
// are: who wrote down no more than a command meant it.
type exactRule struct {
	rule    int
	key     string
	assigns []string // NAME=value before it
	doubt   int
}

// newExactRule reads the text of an attempt as a command of so many words at least: a single word of prose is none. Of several
// commands none is what was tried.
func newExactRule(i int, text string, least int) (exactRule, bool) {
	if len(text) > maxRule {
		return exactRule{}, false
	}
	run := slices.DeleteFunc(shellCommands(text), func(c shellCommand) bool {
		_, goes := c.changesTo()
		return goes
	})
	if len(run) != 1 || len(run[0].words) < least {
		return exactRule{}, false
	}
	key := exactKey(spelledOut(run[0].words))
	return exactRule{rule: i, key: key, assigns: run[0].assigns}, key != ""
}

// exactKey is what commands are compared by that must be the same but for case and quotes, "" for one of too many words.
func exactKey(words []string) string {
	if len(words) > maxUnits {
		return ""
	}
	return strings.ToLower(strings.Join(words, " "))
}

// byExact finds the rules that are one of the commands of an action, as it stands there or within another.
func (r *Rules) byExact(run []shellCommand) []Match {
	if len(r.exact) == 0 {
		return nil
	}
	var found []Match
	for _, c := range run {
		for _, words := range c.unwrapped() {
			key := exactKey(words)
			for _, rule := range r.exact {
				if rule.key == key && c.assignsAll(rule.assigns) {
					found = append(found, Match{Rule: rule.rule, By: ByCommand, On: words, Sure: lower(rule.doubt)})
				}
			}
		}
	}
	return found
}
