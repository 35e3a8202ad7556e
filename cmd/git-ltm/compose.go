package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// compose is a packet written as flags.
type compose struct {
	goal, next                             string
	constraints, questions, criteria, tags []string
	decisions, attempts, methods, cites    []string
	lock                                   bool
}

func (c *compose) flags(f *pflag.FlagSet) {
	f.StringVar(&c.goal, "goal", "", "what the work is after: `TEXT`")
	f.StringVar(&c.next, "next", "", "the next step: `TEXT`")
	f.StringArrayVar(&c.constraints, "constraint", nil, "what bounds the work: `TEXT`")
	f.StringArrayVar(&c.decisions, "decision", nil, "`'WHAT :: WHY [:: CONSEQUENCES]'`")
	f.BoolVar(&c.lock, "lock", false, "the decisions given here are settled")
	f.StringArrayVar(&c.attempts, "attempt", nil,
		"`'TRIED :: OUTCOME [:: LEARNED [:: MATCH]]'`, MATCH as in 'command: make bench', or path:, "+
			"adds:, words:")
	f.StringArrayVar(&c.questions, "question", nil, "what is open: `TEXT`")
	f.StringArrayVar(&c.methods, "method", nil, "`'NAME :: WHEN :: HOW'`")
	f.StringArrayVar(&c.criteria, "criterion", nil, "when the work is done: `TEXT`")
	f.StringArrayVar(&c.tags, "tag", nil, "a `TAG`")
	f.StringArrayVar(&c.cites, "cite", nil, "a place in the code, from here: `PATH[:LINE[-LINE]]`")
}

// lists are the flags that can be given more than once.
func (c *compose) lists() [][]string {
	return [][]string{
		c.constraints, c.decisions, c.attempts, c.questions, c.methods, c.criteria, c.tags,
		c.cites,
	}
}

// isText tells whether all that was given is UTF-8.
func (c *compose) isText() bool {
	return utf8.ValidString(c.goal + c.next + strings.Join(slices.Concat(c.lists()...), ""))
}

// used tells whether any of the flags was given.
func (c *compose) used() bool {
	for _, l := range c.lists() {
		if len(l) > 0 {
			return true
		}
	}
	return c.goal != "" || c.next != "" || c.lock
}

// packet returns the packet as JSON. The gate checks it like any other. Cited
// paths are as seen from prefix, a folder of the repository.
func (c *compose) packet(prefix string) ([]byte, error) {
	p := command.Packet{
		Goal: c.goal, Criteria: c.criteria, Constraints: c.constraints, Questions: c.questions, Next: c.next,
		Tags: c.tags,
	}
	var problems []error
	fields := func(flag, text, form string, least, most int) []string {
		parts := separate(text)
		said := parts
		if len(parts) == 4 { // What was learned of an attempt may be left out before what meets it.
			said = slices.Delete(slices.Clone(parts), 2, 3)
		}
		if len(parts) < least || len(parts) > most || slices.Contains(said, "") {
			problems = append(problems, fmt.Errorf("--%s takes '%s'", flag, form))
		}
		return append(parts, make([]string, most)...)
	}
	for _, d := range c.decisions {
		f := fields("decision", d, "WHAT :: WHY [:: CONSEQUENCES]", 2, 3)
		p.Decisions = append(p.Decisions,
			command.Decision{What: f[0], Why: f[1], Consequences: f[2], Locked: c.lock})
	}
	for _, a := range c.attempts {
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
		p.Attempts = append(p.Attempts, command.Attempt{Tried: f[0], Outcome: f[1], Learned: f[2], Match: by})
	}
	for _, m := range c.methods {
		f := fields("method", m, "NAME :: WHEN :: HOW", 3, 3)
		p.Methods = append(p.Methods, command.Method{Name: f[0], When: f[1], How: f[2]})
	}
	for _, place := range c.cites {
		cite := command.ParseCite(place)
		cite.Path = git.Below(prefix, cite.Path)
		p.Cites = append(p.Cites, cite)
	}
	if !c.isText() {
		problems = append(problems, errors.New("a flag holds bytes that are not UTF-8"))
	}
	if c.lock && len(c.decisions) == 0 {
		problems = append(problems, errors.New("--lock needs a --decision"))
	}
	if err := usage(problems); err != nil {
		return nil, err
	}
	return json.Marshal(p)
}

// separate parts a text at each "::" that stands between blanks; one inside a
// word, as in std::vector, belongs to the text.
func separate(text string) []string {
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
		if !endsWord(before) || !beginsWord(after) {
			at = i + 1
			continue
		}
		parts = append(parts, strings.TrimSpace(before))
		rest, at = after, 0
	}
	return append(parts, strings.TrimSpace(rest))
}

func endsWord(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return s == "" || unicode.IsSpace(r)
}

func beginsWord(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s == "" || unicode.IsSpace(r)
}
