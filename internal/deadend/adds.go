package deadend

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxInstalls is how many packages of one action are looked at.
const maxInstalls = 64

// addRule is what is not to be taken into use: a package, or a text that is not to be written.
type addRule struct {
	rule   int
	key    string // of a package
	number string // its version, where the rule names one
	text   string // see literal

	declared bool // of a command that installs it: one version is not another one that is unsaid
}

// taken is a package that an action takes into use.
type taken struct{ name, number string }

// newAdds returns the rules of a package or a text that an action takes into use.
func newAdds(i int, text string) []addRule {
	read := newReading()
	if len(strings.Fields(text)) == 1 {
		read.noteInstall(text)
	}
	return append([]addRule{{rule: i, text: foldText(text)}}, read.installRules(i, false)...)
}

// installRules returns a rule for each package that is taken into use, with declared where a command says so.
func (r *reading) installRules(i int, declared bool) (all []addRule) {
	for key, p := range r.installs {
		all = append(all, addRule{rule: i, key: key, number: p.number, declared: declared})
	}
	return all
}

// foldText is a text in the form in which what is added is compared: in lower case, with one space for all
// white space.
func foldText(text string) string {
	return strings.ToLower(strings.Join(strings.Fields(text[:min(len(text), maxRule)]), " "))
}

// wordKeys are the words that stand in an action which adds the text, the longest first; none for a text
// without words, which is met by none.
func (a addRule) wordKeys() (keys []string) {
	for word := range strings.FieldsSeq(a.text) {
		for _, p := range splitPieces(word) {
			if p.kind == plainPiece {
				keys = append(keys, p.key)
			}
		}
	}
	return keys
}

// byAdds finds the rules whose package or text an action takes into use.
func (r *Rules) byAdds(all ...*reading) []Match {
	var found []Match
	for _, rule := range r.adds {
		for _, read := range all {
			p, ok := read.installs[rule.key]
			on := p.name
			if rule.key == "" {
				on, ok = rule.text, len(rule.wordKeys()) > 0 && rule.standsIn(read.said.String())
			}
			if rule.declared && rule.number != "" && p.number == "" {
				continue
			}
			if ok && (rule.number == "" || p.number == "" ||
				strings.HasPrefix(p.number+".", rule.number+".")) {
				found = append(found,
					Match{Rule: rule.rule, By: ByWords, On: []string{on}, Of: 1, Sure: r.sureOf(rule.rule,
						0)})
			}
		}
	}
	return found
}

// standsIn says whether the text stands in a line, and not within words.
func (a addRule) standsIn(line string) bool {
	for at := 0; ; at++ {
		next := strings.Index(line[at:], a.text)
		if next < 0 {
			return false
		}
		at += next
		end := at + len(a.text)
		if !(at > 0 && isAlnum(a.text[0]) && isWordByte(line[at-1])) &&
			!(end < len(line) && isAlnum(a.text[len(a.text)-1]) && isWordByte(line[end])) {
			return true
		}
	}
}

// isWordByte says whether a sign belongs to the word beside it.
func isWordByte(ch byte) bool {
	return isAlnum(ch) || ch == '_' || ch == '-' || ch == '$' || ch >= utf8.RuneSelf
}

// Adds returns the packages that a command takes into a project.
func Adds(command string) []string {
	var names []string
	for _, p := range readCommands(shellCommands(command, "")).installs {
		names = append(names, p.name)
	}
	slices.Sort(names)
	return names
}

// noteInstalls notes the packages that a command takes into a project.
func (r *reading) noteInstalls(words []string) {
	plain := formOf(words).plain
	if len(plain) < 2 || !isIn("installers", baseName(words[0])) || !isIn("subcommands", plain[0]) {
		return
	}
	for _, w := range plain[1:] {
		r.noteInstall(w)
	}
}

// noteInstall notes a package by its name.
func (r *reading) noteInstall(word string) {
	key := packageKey(word)
	if key == "" || len(r.installs) >= maxInstalls {
		return
	}
	if r.installs == nil {
		r.installs = make(map[string]taken)
	}
	r.installs[key] = takenPackage(word)
}

// takenPackage takes a name apart that has a version behind it: react@19, "gem", "~> 2"; of a name with a
// path it is the last segment.
func takenPackage(word string) taken {
	name := strings.TrimLeft(word, "@\"'<")
	number := ""
	if end := strings.IndexAny(name, "@=<>~!^[\"':,; "); end >= 0 {
		if at := strings.IndexAny(name[end:], "0123456789"); at >= 0 {
			number = name[end+at:]
			number = number[:len(number)-len(strings.TrimLeft(number, "0123456789."))]
		}
		name = name[:end]
	}
	segments := strings.Split(name, "/")
	for last := segments[len(segments)-1]; len(segments) > 1 && len(last) > 1 && last[0] == 'v' &&
		strings.Trim(last[1:], "0123456789") == ""; {
		segments = segments[:len(segments)-1]
		last = segments[len(segments)-1]
	}
	return taken{name: segments[len(segments)-1], number: number}
}

// packageKey is what packages are compared by.
func packageKey(word string) string {
	return Stem(strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return c
		}
		return -1
	}, takenPackage(word).name))
}

// isManifest says whether a file names the packages of a project, one a line.
func isManifest(path string) bool {
	name := baseName(path)
	return isIn("manifests", name) ||
		strings.HasPrefix(name, "requirements") &&
			(strings.HasSuffix(name, ".txt") || strings.HasSuffix(name, ".in"))
}
