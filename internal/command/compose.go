package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// Composed is a packet as a command line says it: what a list takes has its parts between colons.
type Composed struct {
	Goal, Next                              string
	Constraints, Questions, Criterion, Tags []string
	Decisions, Attempts, Methods, Cites     []string
	Lock                                    bool
}

// allLists are the flags that can be given more than once.
func (c *Composed) allLists() [][]string {
	return [][]string{
		c.Constraints, c.Decisions, c.Attempts, c.Questions, c.Methods, c.Criterion, c.Tags,
		c.Cites,
	}
}

// IsUsed tells whether any of the flags was given.
func (c *Composed) IsUsed() bool {
	for _, l := range c.allLists() {
		if len(l) > 0 {
			return true
		}
	}
	return c.Goal != "" || c.Next != "" || c.Lock
}

// Packet returns the packet as JSON. The gate checks it like any other. Cited
// paths are as seen from prefix, a folder of the repository.
func (c *Composed) Packet(prefix string) ([]byte, error) {
	p := Packet{
		Goal: c.Goal, Criteria: c.Criterion, Constraints: c.Constraints, Questions: c.Questions, Next: c.Next,
		Tags: c.Tags,
	}
	var problems []error
	fields := func(flag, text, form string, least, most int) []string {
		parts := splitParts(text)
		said := parts
		if len(parts) == 4 { // What was learned of an attempt may be left out before what meets it.
			said = slices.Delete(slices.Clone(parts), 2, 3)
		}
		if len(parts) < least || len(parts) > most || slices.Contains(said, "") {
			problems = append(problems, fmt.Errorf("--%s takes '%s'", flag, form))
		}
		return append(parts, make([]string, most)...)
	}
	for _, d := range c.Decisions {
		f := fields("decision", d, "WHAT :: WHY [:: CONSEQUENCES]", 2, 3)
		p.Decisions = append(p.Decisions,
			Decision{What: f[0], Why: f[1], Consequences: f[2], Locked: c.Lock})
	}
	for _, a := range c.Attempts {
		f := fields("attempt", a, "TRIED :: OUTCOME [:: LEARNED [:: MATCH]]", 2, 4)
		var by *reply.Match
		if what, text, _ := strings.Cut(f[3], ":"); f[3] != "" {
			by = &reply.Match{}
			member := map[string]*string{
				"command": &by.Command, "path": &by.Path, "adds": &by.Adds,
				"words": &by.Words,
			}[what]
			if text = strings.TrimSpace(text); member == nil || text == "" {
				problems = append(problems,
					errors.New("--attempt: MATCH is 'command: TEXT', or begins with path:, adds: or "+
						"words: instead"))
				continue
			}
			*member = text
			by.Path = git.Below(prefix, by.Path)
		}
		p.Attempts = append(p.Attempts, Attempt{Tried: f[0], Outcome: f[1], Learned: f[2], Match: by})
	}
	for _, m := range c.Methods {
		f := fields("method", m, "NAME :: WHEN :: HOW", 3, 3)
		p.Methods = append(p.Methods, Method{Name: f[0], When: f[1], How: f[2]})
	}
	for _, place := range c.Cites {
		cite := ParseCite(place)
		cite.Path = git.Below(prefix, cite.Path)
		p.Cites = append(p.Cites, cite)
	}
	if !utf8.ValidString(c.Goal + c.Next + strings.Join(slices.Concat(c.allLists()...), "")) {
		problems = append(problems, errors.New("a flag holds bytes that are not UTF-8"))
	}
	if c.Lock && len(c.Decisions) == 0 {
		problems = append(problems, errors.New("--lock needs a --decision"))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return json.Marshal(p)
}

// splitParts parts a text at each "::" that stands between blanks; one inside a
// word, as in std::vector, belongs to the text.
func splitParts(text string) []string {
	const mark = "::"
	var parts []string
	rest := text
	for at := 0; at < len(rest); {
		i := strings.Index(rest[at:], mark)
		if i < 0 {
			break
		}
		i += at
		before, after := rest[:i], rest[i+len(mark):]
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if before != "" && !unicode.IsSpace(last) || after != "" && !unicode.IsSpace(next) {
			at = i + 1
			continue
		}
		parts = append(parts, strings.TrimSpace(before))
		rest, at = after, 0
	}
	return append(parts, strings.TrimSpace(rest))
}
