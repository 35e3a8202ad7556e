package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/pflag"

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
	f.StringArrayVar(&c.attempts, "attempt", nil, "`'TRIED :: OUTCOME [:: LEARNED [:: MATCH]]'`, MATCH as in 'command: make bench', or path:, adds:, words:")
	f.StringArrayVar(&c.questions, "question", nil, "what is open: `TEXT`")
	f.StringArrayVar(&c.methods, "method", nil, "`'NAME :: WHEN :: HOW'`")
	f.StringArrayVar(&c.criteria, "criterion", nil, "when the work is done: `TEXT`")
	f.StringArrayVar(&c.tags, "tag", nil, "a `TAG`")
	f.StringArrayVar(&c.cites, "cite", nil, "a place in the code, from here: `PATH[:LINE[-LINE]]`")
}

// lists are the flags that can be given more than once.
func (c *compose) lists() [][]string {
	return [][]string{c.constraints, c.decisions, c.attempts, c.questions, c.methods, c.criteria, c.tags, c.cites}
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

// The JSON shape of a composed packet.
type (
	composed struct {
		Goal        string             `json:"goal,omitempty"`
		Criteria    []string           `json:"success_criteria,omitempty"`
		Constraints []string           `json:"constraints,omitempty"`
		Decisions   []composedDecision `json:"decisions,omitempty"`
		Methods     []composedMethod   `json:"methods,omitempty"`
		Attempts    []composedAttempt  `json:"attempts,omitempty"`
		Questions   []string           `json:"open_questions,omitempty"`
		Next        string             `json:"next_step,omitempty"`
		Tags        []string           `json:"tags,omitempty"`
		Cites       []composedCite     `json:"cites,omitempty"`
	}
	composedDecision struct {
		What         string `json:"what"`
		Why          string `json:"why"`
		Consequences string `json:"consequences,omitempty"`
		Locked       bool   `json:"locked,omitempty"`
	}
	composedMethod struct {
		Name string `json:"name"`
		When string `json:"when_applicable"`
		How  string `json:"how"`
	}
	composedAttempt struct {
		Tried   string `json:"tried"`
		Outcome string `json:"outcome"`
		Learned string `json:"learned,omitempty"`

		Match *reply.Match `json:"match,omitempty"`
	}
	composedCite struct {
		Path    string `json:"path"`
		Line    int    `json:"line,omitempty"`
		EndLine int    `json:"end_line,omitempty"`
	}
)

// packet returns the packet as JSON. The gate checks it like any other. Cited
// paths are as seen from prefix, a folder of the repository.
func (c *compose) packet(prefix string) ([]byte, error) {
	p := composed{
		Goal: c.goal, Criteria: c.criteria, Constraints: c.constraints, Questions: c.questions, Next: c.next, Tags: c.tags,
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
		p.Decisions = append(p.Decisions, composedDecision{f[0], f[1], f[2], c.lock})
	}
	for _, a := range c.attempts {
		f := fields("attempt", a, "TRIED :: OUTCOME [:: LEARNED [:: MATCH]]", 2, 4)
		var by *matchFlags
		if what, text, _ := strings.Cut(f[3], ":"); f[3] != "" {
			by = &matchFlags{}
			member := map[string]*string{"command": &by.command, "path": &by.path, "adds": &by.adds, "words": &by.words}[what]
			if text = strings.TrimSpace(text); member == nil || text == "" {
				problems = append(problems, errors.New("--attempt: MATCH is 'command: TEXT', or begins with path:, adds: or words: instead"))
				continue
			}
			*member = text
		}
		p.Attempts = append(p.Attempts, composedAttempt{f[0], f[1], f[2], by.match(prefix)})
	}
	for _, m := range c.methods {
		f := fields("method", m, "NAME :: WHEN :: HOW", 3, 3)
		p.Methods = append(p.Methods, composedMethod{f[0], f[1], f[2]})
	}
	p.Cites = below(prefix, c.cites)
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

// parseCite reads PATH[:LINE[-LINE]]. What is no line number belongs to the
// path.
func parseCite(place string) composedCite {
	whole := composedCite{Path: place}
	i := strings.LastIndexByte(place, ':')
	if i < 0 {
		return whole
	}
	from, to, ranged := strings.Cut(place[i+1:], "-")
	cite := composedCite{Path: place[:i], Line: lineNumber(from)}
	if ranged {
		cite.EndLine = lineNumber(to)
	}
	if cite.Line == 0 || ranged && cite.EndLine == 0 {
		return whole
	}
	return cite
}

// lineNumber returns 0 for what is none.
func lineNumber(text string) int {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0
	}
	return int(n)
}
