package redact

import (
	_ "embed"
	"iter"
	"regexp"
	"strconv"
	"strings"
	"sync"
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
		rules = append(rules, Rule{ID: id, Severity: Block, keywords: row.prefixes, shape: true, find: row.find, token: row})
	}
	return rules
}

func (row *tokenRow) find(text string, keyword span) (span, bool) {
	row.once.Do(row.read)
	return row.shape.find(text, keyword)
}

// words returns what a finding looks like and what to do about it.
func (row *tokenRow) words() (why, advice string) {
	_, columns, _ := strings.Cut(row.columns, "\t")
	service, where, _ := strings.Cut(columns, "\t")
	return "looks like " + service, "revoke it " + where + ", then leave it out of the packet"
}

// read takes over the form.
func (row *tokenRow) read() {
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

// classNamed returns the class of a letter of a layout and the signs behind it.
func classNamed(name string) func(byte) bool {
	class, signs := classOf(name[0]), name[1:]
	if signs == "" {
		return class
	}
	return func(c byte) bool { return class(c) || strings.IndexByte(signs, c) >= 0 }
}

// tableRules returns the rules of ruleTable, and those of other tables where it names them.
func tableRules() []Rule {
	known := finders()
	rules := make([]Rule, 0, len(known)+32)
	for line := range rowsOf(ruleTable) {
		name, value, _ := strings.Cut(strings.TrimPrefix(line, "\t"), "\t")
		switch {
		case name == "*tokens":
			rules = append(rules, tokenRules()...)
			continue
		case name == "*gitleaks":
			rules = append(rules, baseRules()...)
			continue
		case line[0] != '\t':
			severity, _, _ := strings.Cut(value, " ")
			r := Rule{ID: name, Severity: Block, shape: strings.Contains(value, " shape"), beside: strings.Contains(value, " beside"), strong: strings.Contains(value, " strong")}
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
			if r.find = known[value]; r.find == nil {
				r.find = matching(strings.TrimPrefix(value, "match "))
			}
		case "named":
			r.member = members()[value]
		case "show":
			r.public = keywordsOf(value)
		}
	}
	return rules
}

// keywordsOf returns the keywords of a list, with what its marks stand for.
func keywordsOf(list string) []string {
	words := wordsOf(list)
	if strings.IndexByte(list, "␠"[0]) < 0 && strings.IndexByte(list, '*') < 0 {
		return words
	}
	marks := strings.NewReplacer("␠", " ", "␤", "\n", "␉", "\t")
	all := make([]string, 0, len(words))
	for _, word := range words {
		switch {
		case !strings.ContainsAny(word, "␠␤␉‹*"):
			all = append(all, word)
		case word == "*services":
			all = append(all, services.list()...)
			all = append(all, shortServices.list()...)
			all = append(all, wordServices.list()...)
		case word == "*commands":
			all = append(all, programs()...)
		case word[0] == '*':
			all = append(all, (&wordSet{name: word[1:]}).list()...)
		default:
			all = append(all, expanded(marks.Replace(word))...)
		}
	}
	return all
}

// expanded returns what a keyword stands for that has one of many characters inside: "+‹1-9›".
func expanded(word string) []string {
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
			for _, end := range expanded(rest) {
				all = append(all, before+string(c)+end)
			}
		}
		if last != set[i] {
			i += 2
		}
	}
	return all
}

// matching returns a finder that matches an expression in a window, given how many bytes of it stand before the
// keyword and behind it. The first group that takes part, or else the whole match, is the secret. The expression is
// compiled when a keyword is first seen, never at the start of the process.
func matching(window string) finder {
	columns := strings.SplitN(window, " ", 3)
	before, _ := strconv.Atoi(columns[0])
	after, _ := strconv.Atoi(columns[1])
	compiled := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(columns[2]) })
	return func(text string, keyword span) (span, bool) {
		from := max(0, keyword.start-before)
		match := compiled().FindStringSubmatchIndex(text[from:min(len(text), keyword.end+after)])
		if match == nil {
			return span{}, false
		}
		secret := groupOf(match)
		secret = span{from + secret.start, from + secret.end}
		return secret, !placeholder(secret.of(text))
	}
}

// members returns the functions that ruleTable names to judge a value by the name of its member.
func members() map[string]func(name, value string) (span, bool) {
	return map[string]func(name, value string) (span, bool){"assignedMember": assignedMember, "headerMember": headerMember}
}

// finders returns the functions that ruleTable names.
func finders() map[string]finder {
	return map[string]finder{
		"findPEM":            findPEM,
		"findPuTTY":          findPuTTY,
		"findKeyBody":        findKeyBody,
		"findKeyHex":         findKeyHex,
		"findJWK":            findJWK,
		"findWalletKey":      findWalletKey,
		"findNumbers":        findNumbers,
		"findNixKey":         findNixKey,
		"findVapid":          findVapid,
		"findValidatorKey":   findValidatorKey,
		"findPhrase":         findPhrase,
		"findJWT":            findJWT,
		"findAWSSecret":      findAWSSecret,
		"findServerToken":    findServerToken,
		"findUserinfo":       findUserinfo,
		"findCredentials":    findCredentials,
		"findAssigned":       findAssigned,
		"findArgument":       findArgument,
		"findKeyArgument":    findKeyArgument,
		"findAppPassword":    findAppPassword,
		"findAuthenticator":  findAuthenticator,
		"findMoved":          findMoved,
		"findLogin":          findLogin,
		"findPair":           findPair,
		"findCommand":        findCommand,
		"findOption":         findOption,
		"findDialog":         findDialog,
		"findLiteral":        findLiteral,
		"findPiped":          findPiped,
		"findHeaderSecret":   findHeaderSecret,
		"findCookie":         findCookie,
		"findConnection":     findConnection,
		"findOracle":         findOracle,
		"findHostCredential": findHostCredential,
		"findWifi":           findWifi,
		"findNetrc":          findNetrc,
		"findPgpass":         findPgpass,
		"findNpmrc":          findNpmrc,
		"findDockerAuth":     findDockerAuth,
		"findParameterValue": findParameterValue,
		"findHash":           findHash,
		"findService":        findService,
		"findEndpoint":       findEndpoint,
		"findHome":           findHome,
		"findImageHome":      findImageHome,
		"findFileURL":        findFileURL,
		"findHomeRelative":   findHomeRelative,
		"findTilde":          findTilde,
		"findWindowsHome":    findWindowsHome,
		"findDrive":          findDrive,
		"findShare":          findShare,
		"findSystemDrive":    findSystemDrive,
		"findPublicKey":      findPublicKey,
		"findSystem":         findSystem,
		"findAddress":        findAddress,
		"findIPv6":           findIPv6,
		"findLocal":          findLocal,
		"findInternalHost":   findInternalHost,
		"findHardware":       findHardware,
		"findPrompt":         findPrompt,
		"findEmail":          findEmail,
		"findInternational":  findInternational,
		"findNational":       findNational,
		"findCard":           findCard,
		"findIBAN":           findIBAN,
		"findSocial":         findSocial,
		"findCivil":          findCivil,
	}
}
