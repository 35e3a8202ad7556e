package garden

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/words"
)

// Commit is what gardening needs to know of a commit.
type Commit struct {
	Hash          string // required: whole
	Subject, Body string
	Author, Email string
	At            time.Time
	Tags          []string // the annotated tags on it
}

// An Achievement is something that an author brought about, as a commit shows it.
type Achievement struct {
	Key    string // the hash of the commit, so that a second look adds nothing
	Text   string // what was done, in one line that names the commit
	Impact string // high for a release and for what breaks, medium for a feature, low for a fix
	Tags   []string
	Author string
	At     time.Time
}

const (
	shortHash  = 12
	longChange = 200 // characters of what a commit says it did
)

// Achievements returns what the author with an address has achieved in the
// commits, the oldest first. A release counts, and so does what its subject
// calls a feature, a fix or a gain in speed, and what it or a trailer calls a breaking change.
// A commit that was reverted, by whomever, does not count unless its revert
// was reverted too. Case does not matter in the address; without an address
// there is no author, and nothing is returned.
func Achievements(commits []Commit, email string) []Achievement {
	if email == "" {
		return nil
	}
	commits = slices.Clone(commits)
	slices.SortStableFunc(commits, func(a, b Commit) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Hash, b.Hash))
	})
	commits = slices.CompactFunc(commits, func(a, b Commit) bool { return a.Hash == b.Hash })
	gone := findReverted(commits)
	var all []Achievement
	for _, c := range commits {
		if gone[c.Hash] || !strings.EqualFold(c.Email, email) {
			continue
		}
		if a, ok := achievementOf(c); ok {
			all = append(all, a)
		}
	}
	return all
}

// achievementOf returns what a commit achieved, where it did.
func achievementOf(c Commit) (Achievement, bool) {
	a := Achievement{Key: strings.ToLower(c.Hash), Author: c.Author, At: c.At}
	short := a.Key[:min(len(a.Key), shortHash)]
	var names []string // of the versions among its tags
	for _, tag := range c.Tags {
		if releaseTag().MatchString(tag) {
			names = append(names, clean.Truncate(clean.Line(tag), longTag))
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if releases := strings.Join(names[:min(len(names), 5)], ", "); releases != "" {
		a.Text, a.Impact, a.Tags = "Released: "+releases+" ("+short+")", "high", []string{"release"}
		return a, true
	}
	ch, ok := changeOf(c)
	if !ok {
		return Achievement{}, false
	}
	switch a.Text = ch.asStatement(short); { // No word of the text says how much it counts for.
	case ch.breaks:
		a.Impact = "high"
	case ch.sort == sortFeature:
		a.Impact = "medium"
	default:
		a.Impact = "low"
	}
	if scope := strings.ToLower(ch.scope); isSlug(scope) {
		a.Tags = []string{scope}
	}
	return a, true
}

// releaseTag matches the name of a finished version: two or more numbers with points between, with or without
// a name or a "v" in front. One that comes before a release has something behind a dash.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var releaseTag = words.Compiled(`^(?:.*[/@])?(?:v|[^0-9]*(?:-v?|_))?[0-9]+(?:\.[0-9]+)+(?:\+.*)?$`)

// isSlug says whether s can be a tag of a record.
func isSlug(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && !isDigit(rune(c)) && (c != '-' || i == 0) {
			return false
		}
	}
	return s != "" && len(s) <= longTag
}

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
	ch, ok := parseConventional(subject)
	if !ok || isPassing(ch.what) {
		return change{}, false
	}
	ch.breaks = ch.breaks || breakingTrailer().MatchString(c.Body)
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
	sort, known := phrases.Value("sorts", word) // Some are known and count for nothing.
	// Else it is a subject with a colon, as many projects write it.
	return change{
		word: word, scope: strings.TrimSpace(scope), breaks: breaks, what: strings.TrimSpace(what), sort: sort,
	}, known
}

// breakingTrailer finds the trailer by which a commit says what it breaks.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var breakingTrailer = words.Compiled(`(?m)^BREAKING[ -]CHANGE: *\S`)

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
		source += " " + clean.Truncate(c.scope, longTag)
	}
	return label + ": " + clean.Truncate(asDone(c.what, c.sort), longChange) + " (" + source + ", " + hash + ")"
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

// findReverted returns the hashes of the commits that no longer stand: those that another commit takes back, in
// git's own words, which itself stands. The commits are in order of time.
func findReverted(commits []Commit) map[string]bool {
	gone := map[string]bool{}
	for _, c := range slices.Backward(commits) {
		if gone[c.Hash] {
			continue
		}
		for _, m := range revertsCommit().FindAllStringSubmatch(strings.ToLower(c.Body), -1) {
			for _, o := range commits {
				if o.Hash != c.Hash && strings.HasPrefix(strings.ToLower(o.Hash), m[1]) {
					gone[o.Hash] = true
				}
			}
		}
	}
	return gone
}

// revertsCommit finds git's own words, behind which stands the hash of a commit.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var revertsCommit = words.Compiled(`\bthis\s+reverts\s+commit\s+([0-9a-f]{7,})\b`)
