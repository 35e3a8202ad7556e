package redact

import (
	"slices"
	"strings"
	"sync"
)

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
