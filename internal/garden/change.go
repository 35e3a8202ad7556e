package garden

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// The sorts of changes that count.
const (
	sortFeature = "feat"
	sortFix     = "fix"
	sortSpeed   = "perf"
	sortOther   = "change" // counts where it breaks something
)

// A change is what a commit says it did.
type change struct {
	sort   string
	word   string // as the commit calls the sort
	scope  string
	breaks bool
	what   string
}

// changeOf reads a commit. It returns false where the commit does not count:
// one that is unfinished, joins or takes back others, or only tends the
// project.
func changeOf(c Commit) (change, bool) {
	subject := clean.Line(c.Subject)
	if isPassing(subject) {
		return change{}, false
	}
	trailers := trailersOf(c.Body)
	ch, ok := parseConventional(subject)
	if !ok {
		ch = change{word: trailers["changelog"], what: subject}
		ch.sort, _ = sortOf(ch.word)
	}
	if isPassing(ch.what) {
		return change{}, false
	}
	ch.breaks = ch.breaks || trailers["breaking change"] != "" || trailers["breaking-change"] != ""
	return ch, ch.what != "" && ch.sort != "" && (ch.sort != sortOther || ch.breaks)
}

// isPassing says whether a commit was never meant to stay as it is, or only
// moves others.
func isPassing(subject string) bool {
	lower := strings.ToLower(subject)
	for _, start := range [...]string{
		"fixup!", "squash!", "amend!", "[wip]", "merge ", "merge:", "revert ",
		"revert:", "reapply ", "draft:",
	} {
		if strings.HasPrefix(lower, start) {
			return true
		}
	}
	word, _, _ := strings.Cut(lower, " ")
	return strings.TrimFunc(word, isMark) == "wip"
}

// parseConventional reads a subject of the form "type(scope)!: what".
func parseConventional(subject string) (change, bool) {
	head, what, ok := strings.Cut(subject, ":")
	if !ok {
		return change{}, false
	}
	head, breaks := strings.CutSuffix(head, "!")
	word, scope, scoped := strings.Cut(head, "(")
	if scoped {
		if scope, ok = strings.CutSuffix(scope, ")"); !ok {
			return change{}, false
		}
	}
	word = strings.ToLower(word)
	if !isSlug(word) {
		return change{}, false
	}
	sort, known := sortOf(word)
	// Else it is a subject with a colon, as many projects write it.
	return change{
		word: word, scope: strings.TrimSpace(scope), breaks: breaks, what: strings.TrimSpace(what), sort: sort,
	}, known
}

// sortOf returns the sort of change that a type or a Changelog trailer names; some are known and count for
// nothing.
func sortOf(word string) (sort string, known bool) {
	sort, known = wordLists()["sorts"]()[word]
	return sort, known
}

// trailersOf returns the trailers of a commit by their names in small letters,
// with values in small letters: what stands as "Name: value" in its last
// paragraph, where every line does or goes on with the one before.
func trailersOf(body string) map[string]string {
	body = strings.TrimSpace(strings.ReplaceAll(body, "\r\n", "\n"))
	all := map[string]string{}
	for line := range strings.SplitSeq(body[strings.LastIndex(body, "\n\n")+1:], "\n") {
		name, value, ok := strings.Cut(line, ":")
		name = strings.ToLower(name)
		switch {
		case line == "" || line[0] == ' ' || line[0] == '\t':
		case ok && (isSlug(name) || name == "breaking change"):
			all[name] = strings.ToLower(strings.TrimSpace(value))
		default:
			return nil
		}
	}
	return all
}

// asStatement says what was done, as what is so and not as what to do.
func (c change) asStatement(hash string) string {
	label := map[string]string{
		sortFeature: "Added", sortFix: "Fixed", sortSpeed: "Made faster",
		sortOther: "Changed",
	}[c.sort]
	if c.breaks {
		label += ", breaking"
	}
	source := c.word
	if c.scope != "" {
		source += " " + clipText(c.scope, longTag)
	}
	return label + ": " + clipText(asDone(c.what, c.sort), longChange) + " (" + source + ", " + hash + ")"
}

// asDone takes the order out of what a commit says. A verb that says no more
// than the label goes. An order not to do something is only quoted.
func asDone(what, sort string) string {
	first, rest, more := strings.Cut(what, " ")
	verb := strings.ToLower(first)
	switch {
	case !more:
		return what
	case sort == sortFeature && strings.Contains(" add adds added introduce implement ", " "+verb+" "),
		sort == sortFix && strings.Contains(" fix fixes fixed resolve ", " "+verb+" "):
		return rest
	case strings.Contains(" do don't never always not ", " "+verb+" "):
		return "\"" + what + "\""
	}
	r, size := utf8.DecodeRuneInString(what)
	if next, _ := utf8.DecodeRuneInString(what[size:]); unicode.IsLower(next) {
		return string(unicode.ToLower(r)) + what[size:]
	}
	return what
}
