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

// A tokenRow is a line of tokenTable.
type tokenRow struct {
	columns       string // Behind the prefixes: the form, what it is, where it is revoked.
	once          sync.Once
	layouts.Shape // Except for its prefixes it is read when one of them is first seen.
}

// tokenRules returns the rules of tokenTable.
func tokenRules() []Rule {
	rows := make([]tokenRow, strings.Count(rules.TokenTable, "\n"))
	all := make([]Rule, 0, len(rows))
	for line := range rules.RowsOf(rules.TokenTable) {
		row := &rows[len(all)]
		id, line, _ := strings.Cut(line, "\t")
		prefixes, columns, _ := strings.Cut(line, "\t")
		row.Prefixes, row.columns = rules.WordsOf(prefixes), columns
		all = append(all,
			Rule{
				ID: id, Severity: Block, keywords: row.Prefixes, shape: true, find: row.findToken,
				token: row, public: row.Prefixes,
			})
	}
	return all
}

func (row *tokenRow) findToken(text string, keyword lex.Span) (lex.Span, bool) {
	row.once.Do(row.readForm)
	return row.Shape.FindShape(text, keyword)
}

// readForm takes over the form.
func (row *tokenRow) readForm() {
	form, _, _ := strings.Cut(row.columns, "\t")
	words := append(rules.WordsOf(form), "", "")
	if words[0] == "layout" {
		row.Layout = layouts.Layout(words[1])
	} else {
		least, more := strings.CutSuffix(words[1], "+")
		row.Body, row.Exact = lex.ClassNamed(words[0]), !more
		row.Min, _ = strconv.Atoi(least)
	}
	for i, word := range words {
		switch word {
		case "alone":
			row.Alone = true
		case "digit":
			row.Digit = true
		case "mixed":
			row.Mixed = true
		case "lead":
			row.Body = lex.ClassNamed(words[i+1])
			row.Lead, _ = strconv.Atoi(words[i+2])
		case "part":
			row.Part = words[i+1][0]
		}
	}
}

// builtIn returns the rules of ruleTable, and those of other tables where it names them, without the words that can
// be put together later.
func builtIn() []Rule {
	known, judging := layouts.FindersNamed(), judge.FunctionsByName()
	tokens, base := tokenRules(), baseRules()
	all := make([]Rule, 0, 3*len(known)+len(tokens)+len(base))
	var expr *expression // Of the rule that is read.
	for line := range rules.RowsOf(rules.RuleTable) {
		name, value, _ := strings.Cut(strings.TrimPrefix(line, "\t"), "\t")
		switch {
		case name == "*tokens":
			all = append(all, tokens...)
			continue
		case name == "*gitleaks":
			all = append(all, base...)
			continue
		case line[0] != '\t':
			severity, _, _ := strings.Cut(value, " ")
			r := Rule{
				ID: name, Severity: Block, shape: strings.Contains(value, " shape"),
				beside: strings.Contains(value, " beside"), strong: strings.Contains(value, " strong"),
			}
			if severity == "warn" {
				r.Severity = Warn
			}
			all = append(all, r)
			continue
		}
		switch r := &all[len(all)-1]; name {
		case "why":
			r.Why = value
		case "do":
			r.Advice = value
		case "at":
			r.keywords = keywordsOf(value)
		case "behind":
			r.behind = lex.ClassNamed(value)
		case "by":
			if row, ok := strings.CutPrefix(value, "match "); ok {
				columns := strings.SplitN(row, " ", 3)
				expr = &expression{expr: columns[2], keywords: r.keywords, of: lex.IsToken}
				expr.before, _ = strconv.Atoi(columns[0])
				expr.after, _ = strconv.Atoi(columns[1])
				r.find = expr.findMatch
			} else {
				r.find = known[value]
			}
		case "judge":
			expr.judge = judging[value]
		case "holds":
			expr.holds = keywordsOf(value)
		case "without":
			expr.without = value
		case "least":
			expr.digit = true
			least, class, ok := strings.Cut(value, " ")
			expr.least, _ = strconv.Atoi(least)
			if ok {
				expr.of = lex.ClassNamed(class)
			}
		case "more":
			expr.more = &expression{expr: value}
		case "show":
			r.public = keywordsOf(value)
		}
	}
	return all
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
	keywords             []string
	once                 sync.Once
	regexp               *regexp.Regexp
}

// compileOnce returns the expression, which is compiled at the first keyword, never at the start of the process.
// In it ‹at› stands for the keywords of the rule, and ‹*name› for the words of a list.
func (e *expression) compileOnce() *regexp.Regexp {
	e.once.Do(func() {
		expr := strings.ReplaceAll(e.expr, "‹at›", anyOf(e.keywords))
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
