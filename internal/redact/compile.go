package redact

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/layouts"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// A definition is what a table says of a rule. It is read when the rule is first asked, never at the start of
// the process.
type definition struct {
	row      string // The lines of a rule of ruleTable, or what stands behind the name of a token; or
	gitleaks string // a row of GitleaksTable.
	once     sync.Once
	find     finder
	behind   func(byte) bool // The class of the byte in front of a keyword. Nil is any byte.
	public   []string        // The prefixes that a mask may show.
}

// isToken says whether the rule is a row of tokenTable.
func (d *definition) isToken() bool { return d.gitleaks == "" && d.row[0] != '\t' }

// builtIn returns the rules of ruleTable, and those of other tables where it names them.
func builtIn() []Rule {
	most := strings.Count(rules.RuleTable, "\n\n") + strings.Count(rules.TokenTable+rules.GitleaksTable, "\n")
	all, definitions := make([]Rule, 0, most), make([]definition, most)
	addRule := func(r Rule) *definition {
		r.definition = &definitions[len(all)]
		all = append(all, r)
		return r.definition
	}
	for block := range strings.SplitSeq(rules.RuleTable, "\n\n") {
		switch head, row, _ := strings.Cut(block, "\n"); {
		case block == "*tokens":
			for line := range rules.RowsOf(rules.TokenTable) {
				id, row, _ := strings.Cut(line, "\t")
				addRule(Rule{ID: id, Severity: Block, shape: true}).row = row
			}
		case block == "*gitleaks":
			for line := range rules.RowsOf(rules.GitleaksTable) {
				id, row, _ := strings.Cut(line, "\t")
				addRule(Rule{ID: id, Severity: Block, shape: !strings.HasPrefix(row, behindName)}).gitleaks = line
			}
		case head[0] != '#':
			id, kind, _ := strings.Cut(head, "\t")
			r := Rule{
				ID: id, Severity: Block, shape: strings.Contains(kind, " shape"),
				beside: strings.Contains(kind, " beside"), strong: strings.Contains(kind, " strong"),
			}
			if strings.HasPrefix(kind, "warn") {
				r.Severity = Warn
			}
			addRule(r).row = row
		}
	}
	return all
}

// lineOf returns what the row of ruleTable says behind a name, or "".
func (d *definition) lineOf(name string) string {
	_, line, ok := strings.Cut(d.row, "\t"+name+"\t")
	if !ok {
		return ""
	}
	line, _, _ = strings.Cut(line, "\n")
	return line
}

// The functions that ruleTable names.
//
//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	finders = sync.OnceValue(layouts.FindersNamed)
	judges  = sync.OnceValue(judge.FunctionsByName)
)

// read reads the definition.
func (d *definition) read() {
	switch {
	case d.gitleaks != "":
		d.find = newBase(d.gitleaks).findSecret
		return
	case d.isToken():
		shape := readShape(d.row)
		d.find, d.public = shape.FindShape, shape.Prefixes
		return
	}
	if class := d.lineOf("behind"); class != "" {
		d.behind = lex.ClassNamed(class)
	}
	d.public = keywordsOf(d.lineOf("show"))
	by, ok := strings.CutPrefix(d.lineOf("by"), "match ")
	if !ok {
		d.find = finders()[by]
		return
	}
	columns := strings.SplitN(by, " ", 3)
	e := &expression{
		expr: columns[2], at: d.lineOf("at"), of: lex.IsToken, judge: judges()[d.lineOf("judge")],
		holds: keywordsOf(d.lineOf("holds")), without: d.lineOf("without"),
	}
	e.before, _ = strconv.Atoi(columns[0])
	e.after, _ = strconv.Atoi(columns[1])
	least, class, ok := strings.Cut(d.lineOf("least"), " ")
	e.least, _ = strconv.Atoi(least)
	if e.digit = least != ""; ok {
		e.of = lex.ClassNamed(class)
	}
	if more := d.lineOf("more"); more != "" {
		e.more = &expression{expr: more}
	}
	d.find = e.findMatch
}

// readShape reads what stands behind the name of a token: its prefixes and its form.
func readShape(row string) *layouts.Shape {
	columns := strings.Split(row, "\t")
	shape := &layouts.Shape{Prefixes: rules.WordsOf(columns[0])}
	words := append(rules.WordsOf(columns[1]), "", "")
	if words[0] == "layout" {
		shape.Layout = layouts.Layout(words[1])
	} else {
		least, more := strings.CutSuffix(words[1], "+")
		shape.Body, shape.Exact = lex.ClassNamed(words[0]), !more
		shape.Min, _ = strconv.Atoi(least)
	}
	for i, word := range words {
		switch word {
		case "alone":
			shape.Alone = true
		case "digit":
			shape.Digit = true
		case "mixed":
			shape.Mixed = true
		case "lead":
			shape.Body = lex.ClassNamed(words[i+1])
			shape.Lead, _ = strconv.Atoi(words[i+2])
		case "part":
			shape.Part = words[i+1][0]
		}
	}
	return shape
}

// keywordsOf returns the keywords of a list, with what its marks stand for.
func keywordsOf(list string) []string {
	var all []string
	for _, word := range rules.WordsOf(list) {
		switch {
		case word[0] != '*' && lex.IsASCII(word):
			all = append(all, word)
		case word == "*commands":
			all = append(all, layouts.ProgramNames()...)
		case word[0] == '*':
			all = append(all, rules.Words(word[1:]).List()...)
		default:
			all = append(all, expandKeyword(rules.WithoutMarks(word))...)
		}
	}
	return all
}

// expandKeyword returns what a keyword stands for that has one of many characters inside: "+‹1-9›".
func expandKeyword(word string) []string {
	before, rest, ok := strings.Cut(word, "‹")
	if !ok {
		return []string{word}
	}
	set, rest, _ := strings.Cut(rest, "›")
	all, ends := make([]string, 0, 32), expandKeyword(rest)
	for i := 0; i < len(set); i++ {
		last := set[i]
		if i+2 < len(set) && set[i+1] == '-' {
			last = set[i+2]
		}
		for c := set[i]; c <= last; c++ {
			for _, end := range ends {
				all = append(all, before+string(c)+end)
			}
		}
		if last != set[i] {
			i += 2
		}
	}
	return all
}

// maxMore is how far behind its keyword a secret may go on that a row of ruleTable tells to.
const maxMore = 16 << 10

// An expression is what a row of ruleTable looks for around its keywords.
type expression struct {
	before, after, least int             // The window around a keyword, and the least run of signs of a token in it.
	digit                bool            // That run must have a digit.
	of                   func(byte) bool // The class of its signs.
	more                 *expression     // What behind the secret belongs to it.
	holds                []string
	without              string // A list of words that must not stand in front of the secret.
	judge                func(string) bool
	expr                 string
	at                   string // The list of keywords of the rule.
	once                 sync.Once
	regexp               *regexp.Regexp
}

// compileOnce returns the expression, which is compiled at the first keyword, never at the start of the process.
// In it ‹at› stands for the keywords of the rule, and ‹*name› for the words of a list.
func (e *expression) compileOnce() *regexp.Regexp {
	e.once.Do(func() {
		expr := e.expr
		if strings.Contains(expr, "‹at›") {
			expr = strings.ReplaceAll(expr, "‹at›", anyOf(keywordsOf(e.at)))
		}
		for before, rest, ok := strings.Cut(expr, "‹*"); ok; before, rest, ok = strings.Cut(expr, "‹*") {
			name, after, _ := strings.Cut(rest, "›")
			expr = before + anyOf(rules.Words(name).List()) + after
		}
		e.regexp = regexp.MustCompile(expr)
	})
	return e.regexp
}

// findMatch matches the expression around a keyword. The first group that takes part, or else the whole match, is
// the secret. A match that ends before the keyword belongs to an earlier one.
func (e *expression) findMatch(text string, keyword lex.Span) (lex.Span, bool) {
	from := max(0, keyword.Start-e.before)
	window := text[from:min(len(text), keyword.End+e.after)]
	if e.least > 0 && !hasRun(window, e.least, e.of, e.digit) {
		return lex.Span{}, false
	}
	if e.holds != nil {
		folded := strings.ToLower(window)
		if !slices.ContainsFunc(e.holds, func(part string) bool {
			return strings.Contains(folded, part) || strings.Contains(window, part)
		}) {
			return lex.Span{}, false
		}
	}
	for _, match := range e.compileOnce().FindAllStringSubmatchIndex(window, layouts.MaxTried) {
		secret := groupOf(match)
		secret = lex.Between(from+secret.Start, from+secret.End)
		value := secret.Of(text)
		filler := lex.HasLetter(value) && judge.IsPlaceholder(value) || // A number is told by its judge.
			e.without != "" && rules.Words(e.without).Within(strings.ToLower(window[match[0]:secret.Start-from]))
		if from+match[1] > keyword.Start && !filler && (e.judge == nil || e.judge(value)) {
			if e.more != nil { // It is read only now, so that what is refused costs little.
				after := text[secret.End:min(len(text), keyword.End+maxMore)]
				secret.End += len(e.more.compileOnce().FindString(after))
			}
			return secret, true
		}
	}
	return lex.Span{}, false
}

// hasRun says whether text holds a run of signs of a class that is so long, which is far cheaper to see than
// a match.
func hasRun(text string, least int, in func(byte) bool, digit bool) bool {
	for at := 0; at < len(text); at++ {
		end := lex.Run(text, at, len(text), in)
		if end-at >= least && (!digit || lex.HasDigit(text[at:end])) {
			return true
		}
		at = end
	}
	return false
}

// anyOf returns an expression for any of some words.
func anyOf(all []string) string {
	quoted := make([]string, len(all))
	for i, word := range all {
		quoted[i] = regexp.QuoteMeta(word)
	}
	return "(?:" + strings.Join(quoted, "|") + ")"
}

// groupOf returns the first group of a match that took part, or all of it.
func groupOf(match []int) lex.Span {
	for i := 2; i+1 < len(match); i += 2 {
		if match[i] >= 0 {
			return lex.Between(match[i], match[i+1])
		}
	}
	return lex.Between(match[0], match[1])
}
