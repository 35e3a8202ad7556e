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
	tokens, base := tokenRules(), baseRules()
	rules := make([]Rule, 0, 2*len(known)+len(tokens)+len(base))
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

// unmarked puts back the signs that would end a word or a row of a table.
var unmarked = sync.OnceValue(func() *strings.Replacer { return strings.NewReplacer("␠", " ", "␤", "\n", "␉", "\t") })

// keywordsOf returns the keywords of a list, with what its marks stand for.
func keywordsOf(list string) []string {
	words := wordsOf(list)
	if strings.IndexByte(list, "␠"[0]) < 0 && strings.IndexByte(list, '*') < 0 {
		return words
	}
	all := make([]string, 0, len(words))
	for _, word := range words {
		switch {
		case word[0] != '*' && isASCII(word):
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
			all = append(all, expanded(unmarked().Replace(word))...)
		}
	}
	return all
}

func isASCII(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
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

// A wordSet is a list of words in wordTable or another table of the same form: its name and a colon, then the words in
// lines that begin with a tab, where ␠ stands for a blank. It is read when it is first asked for, and is safe for
// concurrent use.
type wordSet struct {
	name  string  // required
	table *string // default: wordTable
	once  sync.Once
	words []string
	known map[string]bool
}

// list returns the words in the order of the table.
func (s *wordSet) list() []string {
	s.once.Do(s.read)
	return s.words
}

func (s *wordSet) read() {
	table := wordTable
	if s.table != nil {
		table = *s.table
	}
	_, section, ok := strings.Cut(table, "\n"+s.name+":\n")
	if !ok {
		panic("redact: there is no list of words " + s.name)
	}
	for strings.HasPrefix(section, "\t") {
		line, rest, _ := strings.Cut(section, "\n")
		s.words = append(s.words, wordsOf(line)...)
		section = rest
	}
	s.known = make(map[string]bool, len(s.words))
	for i, word := range s.words {
		if strings.Contains(word, "␠") {
			s.words[i] = strings.ReplaceAll(word, "␠", " ")
		}
		s.known[s.words[i]] = true
	}
}

// has says whether word is one of the list.
func (s *wordSet) has(word string) bool {
	s.once.Do(s.read)
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

// The lists of wordTable and serviceTable, which tell what they are for.
//
//nolint:gochecknoglobals // Tables that nobody writes to; each is read once.
var (
	foreignPasswords   = wordSet{name: "foreign-passwords"}
	articles           = wordSet{name: "article"}
	keyOwners          = wordSet{name: "key-owner"}
	findingKeys        = wordSet{name: "finding-key"}
	harmlessOwners     = wordSet{name: "harmless-owner"}
	qualifiers         = wordSet{name: "qualifier"}
	publicNames        = wordSet{name: "public-name"}
	chosenNames        = wordSet{name: "chosen-name"}
	hintedNames        = wordSet{name: "hinted-name"}
	strongNames        = wordSet{name: "strong-name"}
	chosenEnds         = wordSet{name: "chosen-end"}
	strongEnds         = wordSet{name: "strong-end"}
	passwordOwners     = wordSet{name: "password-owner"}
	nameMembers        = wordSet{name: "name-member"}
	valueMembers       = wordSet{name: "value-member"}
	notUsers           = wordSet{name: "not-a-user"}
	connectionParts    = wordSet{name: "connection-part"}
	anyHosts           = wordSet{name: "any-host"}
	platformHosts      = wordSet{name: "platform-host"}
	hostCommands       = wordSet{name: "host-command"}
	memberLabels       = wordSet{name: "member-label"}
	homeless           = wordSet{name: "homeless"}
	pages              = wordSet{name: "page"}
	homeParents        = wordSet{name: "home-parent"}
	imageHomes         = wordSet{name: "image-home"}
	rootCaches         = wordSet{name: "root-cache"}
	extensions         = wordSet{name: "extension"}
	homeChildren       = wordSet{name: "home-child"}
	directoryCommands  = wordSet{name: "directory-command"}
	urlHomes           = wordSet{name: "url-home"}
	mounts             = wordSet{name: "mount"}
	routeWords         = wordSet{name: "route-word"}
	commonPaths        = wordSet{name: "common-path"}
	commonTrees        = wordSet{name: "common-tree"}
	mediaPages         = wordSet{name: "media-page"}
	systemDrives       = wordSet{name: "system-drive"}
	commonDrives       = wordSet{name: "common-drive"}
	sampleDrives       = wordSet{name: "sample-drive"}
	addressBlocks      = wordSet{name: "address-block"}
	versionWords       = wordSet{name: "version-word"}
	sampleSocials      = wordSet{name: "sample-social"}
	mailFields         = wordSet{name: "mail-field"}
	noMailDomains      = wordSet{name: "no-mail-domain"}
	sampleMailHosts    = wordSet{name: "sample-mail-host"}
	sampleHostParts    = wordSet{name: "sample-host-part"}
	roles              = wordSet{name: "role"}
	madeHardware       = wordSet{name: "made-hardware"}
	glueWords          = wordSet{name: "glue-word"}
	literalLetters     = wordSet{name: "literal-letter"}
	wrappings          = wordSet{name: "wrapping"}
	linkings           = wordSet{name: "linking"}
	saidToBes          = wordSet{name: "said-to-be"}
	namingLinks        = wordSet{name: "naming-link"}
	compounds          = wordSet{name: "compound"}
	digestMarks        = wordSet{name: "digest-mark"}
	keyWords           = wordSet{name: "key-word"}
	secretWords        = wordSet{name: "secret-word"}
	harmlessGaps       = wordSet{name: "harmless-gap"}
	queryKeys          = wordSet{name: "query-key"}
	belongings         = wordSet{name: "belonging"}
	numbered           = wordSet{name: "numbered"}
	serviceKeyEnds     = wordSet{name: "service-key-end"}
	secretsBehind      = wordSet{name: "secret-behind"}
	secretsBeside      = wordSet{name: "secret-beside"}
	harmlessParameters = wordSet{name: "harmless-parameter"}
	sampleTokens       = wordSet{name: "sample-token"}
	harmlessHeaders    = wordSet{name: "harmless-header"}
	secretHeaders      = wordSet{name: "secret-header"}
	sessionEnds        = wordSet{name: "session-end"}
	sessionParts       = wordSet{name: "session-part"}
	secretReaders      = wordSet{name: "secret-reader"}
	passwordOptions    = wordSet{name: "password-option"}
	optionSources      = wordSet{name: "option-source"}
	harmlessLiterals   = wordSet{name: "harmless-literal"}
	variableSigns      = wordSet{name: "variable-sign"}
	plainWords         = wordSet{name: "plain-word"}
	urlFillers         = wordSet{name: "url-filler"}
	tokenSchemes       = wordSet{name: "token-scheme"}
	bareSettings       = wordSet{name: "bare-setting"}
	settingCommands    = wordSet{name: "setting-command"}
	resources          = wordSet{name: "resource"}
	algorithms         = wordSet{name: "algorithm"}
	references         = wordSet{name: "reference"}
	fillers            = wordSet{name: "filler"}
	chainWords         = wordSet{name: "chain-word"}
	walletWords        = wordSet{name: "wallet-word"}
	privateLabels      = wordSet{name: "private-label"}
	keyFiles           = wordSet{name: "key-file"}
	keyBodies          = wordSet{name: "key-body"}
	places             = wordSet{name: "place"}
	fillerNumbers      = wordSet{name: "filler-number"}

	services      = wordSet{name: "services", table: &serviceTable}
	shortServices = wordSet{name: "short", table: &serviceTable}
	wordServices  = wordSet{name: "word", table: &serviceTable}
)
