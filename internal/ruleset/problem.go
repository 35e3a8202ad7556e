package ruleset

import (
	"cmp"
	"fmt"
	"strings"
)

// A Problem is one thing that is wrong with a rule file.
type Problem struct {
	Line, Column int // From 1. Zero if it is about the file as a whole.
	Text         string
}

func (p Problem) compareTo(q Problem) int {
	return cmp.Or(cmp.Compare(p.Line, q.Line), cmp.Compare(p.Column, q.Column))
}

// maxProblems bounds how many problems a message lists.
const maxProblems = 50

// An InvalidError tells of everything that is wrong with a rule file. It quotes
// no expression and no value, because these may be secrets.
type InvalidError struct {
	Name     string    // As it was given to Parse.
	Problems []Problem // In the order of the file, never empty.
}

// Error returns a line for each problem.
func (e *InvalidError) Error() string {
	var lines []string
	for i, p := range e.Problems {
		if i == maxProblems {
			lines = append(lines, fmt.Sprintf("%s: and %d more", e.Name, len(e.Problems)-i))
			break
		}
		place := e.Name
		if p.Line > 0 {
			place += fmt.Sprintf(":%d:%d", p.Line, p.Column)
		}
		lines = append(lines, place+": "+p.Text)
	}
	return strings.Join(lines, "\n")
}
