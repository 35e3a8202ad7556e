package redact

import (
	_ "embed"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// The tables of the built-in rules. Each says at its head how its rows are written.
var (
	//go:embed rules/rules.txt
	ruleTable string
	//go:embed rules/tokens.txt
	tokenTable string
	//go:embed rules/commands.txt
	commandTable string
	//go:embed rules/services.txt
	serviceTable string
	//go:embed rules/words.txt
	wordTable string
	//go:embed rules/seed.txt
	seedTable string
	//go:embed rules/bigrams.txt
	bigramTable string
)

// rowsOf yields the lines of a table without comments and empty lines.
func rowsOf(table string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.SplitSeq(table, "\n") {
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// A tokenRow is a line of tokenTable.
type tokenRow struct {
	columns string // Behind the prefixes: the form, what it is, where it is revoked.
	once    sync.Once
	shape   // Except for its prefixes it is read when one of them is first seen.
}

// tokenRules returns the rules of tokenTable.
func tokenRules() []Rule {
	rows := make([]tokenRow, strings.Count(tokenTable, "\n"))
	rules := make([]Rule, 0, len(rows))
	for line := range rowsOf(tokenTable) {
		row := &rows[len(rules)]
		id, line, _ := strings.Cut(line, "\t")
		prefixes, columns, _ := strings.Cut(line, "\t")
		row.prefixes, row.columns = wordsOf(prefixes), columns
		rules = append(rules,
			Rule{ID: id, Severity: Block, keywords: row.prefixes, shape: true, find: row.findToken, token: row})
	}
	return rules
}

func (row *tokenRow) findToken(text string, keyword span) (span, bool) {
	row.once.Do(row.readForm)
	return row.shape.findShape(text, keyword)
}

// words returns what a finding looks like and what to do about it.
func (row *tokenRow) words() (why, advice string) {
	_, columns, _ := strings.Cut(row.columns, "\t")
	service, where, _ := strings.Cut(columns, "\t")
	return "looks like " + service, "revoke it " + where + ", then leave it out of the packet"
}

// readForm takes over the form.
func (row *tokenRow) readForm() {
	form, _, _ := strings.Cut(row.columns, "\t")
	words := append(wordsOf(form), "", "")
	if words[0] == "layout" {
		row.layout = layout(words[1])
	} else {
		least, more := strings.CutSuffix(words[1], "+")
		row.body, row.exact = classNamed(words[0]), !more
		row.min, _ = strconv.Atoi(least)
	}
	for i, word := range words {
		switch word {
		case "alone":
			row.alone = true
		case "digit":
			row.digit = true
		case "mixed":
			row.mixed = true
		case "lead":
			row.body = classNamed(words[i+1])
			row.lead, _ = strconv.Atoi(words[i+2])
		case "part":
			row.part = words[i+1][0]
		}
	}
}

// classNamed returns the class of a letter of a layout and the signs behind it, or with "!" in front every
// other byte.
func classNamed(name string) func(byte) bool {
	if rest, ok := strings.CutPrefix(name, "!"); ok {
		in := classNamed(rest)
		return func(c byte) bool { return !in(c) }
	}
	class, signs := classOf(name[0]), name[1:]
	switch {
	case class == nil:
		return func(c byte) bool { return strings.IndexByte(name, c) >= 0 }
	case signs == "":
		return class
	default:
		return func(c byte) bool { return class(c) || strings.IndexByte(signs, c) >= 0 }
	}
}

// tableRules returns the rules of ruleTable, and those of other tables where it names them.
func tableRules() []Rule {
	known, judging := findersByName(), judgesByName()
	tokens, base := tokenRules(), baseRules()
	rules := make([]Rule, 0, 3*len(known)+len(tokens)+len(base))
	var expr *expression // Of the rule that is read.
	for line := range rowsOf(ruleTable) {
		name, value, _ := strings.Cut(strings.TrimPrefix(line, "\t"), "\t")
		switch {
		case name == "*tokens":
			rules = append(rules, tokens...)
			continue
		case name == "*gitleaks":
			rules = append(rules, base...)
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
			rules = append(rules, r)
			continue
		}
		switch r := &rules[len(rules)-1]; name {
		case "why":
			r.Why = value
		case "do":
			r.Advice = value
		case "at":
			r.keywords = keywordsOf(value)
		case "behind":
			r.behind = classNamed(value)
		case "by":
			if row, ok := strings.CutPrefix(value, "match "); ok {
				expr = r.newExpression(row)
				r.find = expr.findMatch
			} else {
				r.find = known[value]
			}
		case "judge":
			expr.judge = judging[value]
		case "holds":
			expr.holds = keywordsOf(value)
		case "least":
			expr.least, _ = strconv.Atoi(value)
		case "show":
			r.public = keywordsOf(value)
		}
	}
	return rules
}

// withoutMarks puts back the signs that would end a word or a row of a table.
func withoutMarks(word string) string {
	for _, mark := range [...][2]string{{"␠", " "}, {"␤", "\n"}, {"␉", "\t"}} {
		word = strings.ReplaceAll(word, mark[0], mark[1])
	}
	return word
}

// keywordsOf returns the keywords of a list, with what its marks stand for.
func keywordsOf(list string) []string {
	plain := wordsOf(list)
	if strings.IndexByte(list, "␠"[0]) < 0 && strings.IndexByte(list, '*') < 0 {
		return plain
	}
	all := make([]string, 0, len(plain))
	for _, word := range plain {
		switch {
		case word[0] != '*' && isASCII(word):
			all = append(all, word)
		case word == "*services":
			all = append(all, words("services").list()...)
			all = append(all, words("short").list()...)
			all = append(all, words("word").list()...)
		case word == "*private-domains":
			all = append(all, privateDomains()...)
		case word == "*commands":
			all = append(all, programNames()...)
		case word[0] == '*':
			all = append(all, words(word[1:]).list()...)
		default:
			all = append(all, expandKeyword(withoutMarks(word))...)
		}
	}
	return all
}

func isASCII(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
}

// expandKeyword returns what a keyword stands for that has one of many characters inside: "+‹1-9›".
func expandKeyword(word string) []string {
	before, rest, ok := strings.Cut(word, "‹")
	if !ok {
		return []string{word}
	}
	set, rest, _ := strings.Cut(rest, "›")
	var all []string
	for i := 0; i < len(set); i++ {
		last := set[i]
		if i+2 < len(set) && set[i+1] == '-' {
			last = set[i+2]
		}
		for c := set[i]; c <= last; c++ {
			for _, end := range expandKeyword(rest) {
				all = append(all, before+string(c)+end)
			}
		}
		if last != set[i] {
			i += 2
		}
	}
	return all
}

// An expression is what a row of ruleTable looks for around its keywords.
type expression struct {
	before, after, least int // The window around a keyword, and the least run of signs of a token in it.
	holds                []string
	judge                func(string) bool
	compiled             func() *regexp.Regexp // At the first keyword, never at the start of the process.
}

// findMatch matches the expression around a keyword. The first group that takes part, or else the whole match, is
// the secret. A match that ends before the keyword belongs to an earlier one.
func (e *expression) findMatch(text string, keyword span) (span, bool) {
	from := max(0, keyword.start-e.before)
	window := text[from:min(len(text), keyword.end+e.after)]
	if e.least > 0 && !hasRun(window, e.least) {
		return span{}, false
	}
	if e.holds != nil {
		folded := strings.ToLower(window)
		if !slices.ContainsFunc(e.holds, func(part string) bool {
			return strings.Contains(folded, part) || strings.Contains(window, part)
		}) {
			return span{}, false
		}
	}
	for _, match := range e.compiled().FindAllStringSubmatchIndex(window, maxTried) {
		secret := groupOf(match)
		secret = span{from + secret.start, from + secret.end}
		value := secret.of(text)
		filler := hasLetter(value) && isPlaceholder(value) // A number is told by its judge.
		if from+match[1] > keyword.start && !filler && (e.judge == nil || e.judge(value)) {
			return secret, true
		}
	}
	return span{}, false
}

// hasRun says whether text holds a run of signs of a token that is so long, which is far cheaper to see than
// a match.
func hasRun(text string, least int) bool {
	for at := 0; at < len(text); at++ {
		end := run(text, at, len(text), isToken)
		if end-at >= least && hasDigit(text[at:end]) {
			return true
		}
		at = end
	}
	return false
}

// newExpression reads the window and the expression of a row. In the expression ‹at› stands for the keywords of
// the rule, and ‹*name› for the words of a list.
func (r *Rule) newExpression(row string) *expression {
	columns := strings.SplitN(row, " ", 3)
	e := &expression{}
	e.before, _ = strconv.Atoi(columns[0])
	e.after, _ = strconv.Atoi(columns[1])
	keywords := r.keywords
	e.compiled = sync.OnceValue(func() *regexp.Regexp {
		expr := strings.ReplaceAll(columns[2], "‹at›", anyOf(keywords))
		for before, rest, ok := strings.Cut(expr, "‹*"); ok; before, rest, ok = strings.Cut(expr, "‹*") {
			name, after, _ := strings.Cut(rest, "›")
			expr = before + anyOf(words(name).list()) + after
		}
		return regexp.MustCompile(expr)
	})
	return e
}

// anyOf returns an expression for any of some words.
func anyOf(all []string) string {
	quoted := make([]string, len(all))
	for i, word := range all {
		quoted[i] = regexp.QuoteMeta(word)
	}
	return "(?:" + strings.Join(quoted, "|") + ")"
}

// findersByName returns the functions that ruleTable names.
func findersByName() map[string]finder {
	return map[string]finder{
		"findPEM":            findPEM,
		"findPuTTY":          findPuTTY,
		"findKeyBody":        findKeyBody,
		"findKeyHex":         findKeyHex,
		"findJWK":            findJWK,
		"findWalletKey":      findWalletKey,
		"findPhrase":         findPhrase,
		"findJWT":            findJWT,
		"findUserinfo":       findUserinfo,
		"findCredentials":    findCredentials,
		"findAssigned":       findAssigned,
		"findArgument":       findArgument,
		"findKeyArgument":    findKeyArgument,
		"findCommand":        findCommand,
		"findOption":         findOption,
		"findHeaderSecret":   findHeaderSecret,
		"findCookie":         findCookie,
		"findHostCredential": findHostCredential,
		"findParameterValue": findParameterValue,
		"findHash":           findHash,
		"findService":        findService,
		"findPlaceholder":    findPlaceholder,
		"findHome":           findHome,
		"findFileURL":        findFileURL,
		"findWindowsHome":    findWindowsHome,
		"findShare":          findShare,
		"findInternalHost":   findInternalHost,
		"findPrompt":         findPrompt,
	}
}

// A wordSet is a list of words in wordTable or serviceTable: its name and a colon, then the words in lines
// that begin with a tab, where ␠ stands for a blank. It is read when it is first asked for, and is safe for
// concurrent use.
type wordSet struct {
	name  string
	lines string
	next  *wordSet // Of those that share a place in wordLists.

	listed sync.Once
	all    []string
	asked  sync.Once
	known  map[string]bool
}

// words returns the list of that name, which must be in one of the tables.
func words(name string) *wordSet {
	for list := wordLists()[placeOf(name)]; list != nil; list = list.next {
		if list.name == name {
			return list
		}
	}
	panic("redact: there is no list of words " + name)
}

// placeOf numbers the names of lists. That is far cheaper than a map, and lists are asked for at every name
// in a text.
func placeOf(name string) uint8 {
	return name[0]*31 + name[len(name)/2]*7 + name[len(name)-1] +
		uint8(len(name)) //nolint:gosec // Its low bits will do.
}

// wordLists are the lists of both tables by the place of their names.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var wordLists = sync.OnceValue(func() *[1 << 8]*wordSet {
	var lists [1 << 8]*wordSet
	for _, table := range [...]string{wordTable, serviceTable} {
		for section := range strings.SplitSeq(table, "\n\n") {
			at := back(section, max(0, strings.Index(section, ":\n\t")), 0, isURLSafe)
			if name, lines, ok := strings.Cut(section[at:], ":\n"); ok && name != "" {
				place := &lists[placeOf(name)]
				*place = &wordSet{name: name, lines: lines, next: *place}
			}
		}
	}
	return &lists
})

// list returns the words in the order of the table.
func (s *wordSet) list() []string {
	s.listed.Do(func() {
		s.all = wordsOf(s.lines)
		for i, word := range s.all {
			s.all[i] = strings.ReplaceAll(word, "␠", " ")
		}
	})
	return s.all
}

// has says whether word is one of the list.
func (s *wordSet) has(word string) bool {
	s.asked.Do(func() {
		s.known = make(map[string]bool, len(s.list()))
		for _, word := range s.all {
			s.known[word] = true
		}
	})
	return s.known[word]
}

// begins says whether text begins with a word of the list.
func (s *wordSet) begins(text string) bool {
	return slices.ContainsFunc(s.list(), func(word string) bool { return strings.HasPrefix(text, word) })
}

// beginsFold says the same for a list in small letters, in any case of the letters of text.
func (s *wordSet) beginsFold(text string) bool {
	return slices.ContainsFunc(s.list(), func(word string) bool { return hasFold(text, word) })
}

// ends says whether text ends with a word of the list.
func (s *wordSet) ends(text string) bool {
	return slices.ContainsFunc(s.list(), func(word string) bool { return strings.HasSuffix(text, word) })
}

// within says whether text holds a word of the list.
func (s *wordSet) within(text string) bool {
	return slices.ContainsFunc(s.list(), func(word string) bool { return strings.Contains(text, word) })
}

// withinFold says the same for a list in small letters, in any case of the letters of text.
func (s *wordSet) withinFold(text string) bool {
	return slices.ContainsFunc(s.list(), func(word string) bool { return containsFold(text, word) })
}
