package garden

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/words"
)

// The rules of Lint. Their names stay.
const (
	RuleLog        = "log-not-instruction"    // it tells what happened
	RuleTranscript = "transcript"             // it is a talk between a person and a model
	RuleOutput     = "pasted-output"          // it is what a program printed
	RuleNoReason   = "missing-why"            // it neither tells what to do nor why
	RuleShort      = "too-short"              // it says so little that a reason would help
	RuleRepeated   = "repeated-why"           // the reason says nothing that is new
	RuleDate       = "relative-date"          // it names a day that moves
	RulePath       = "absolute-path"          // it names a place on one machine
	RuleNowhere    = "points-nowhere"         // it points at a talk that the reader did not hear
	RuleVague      = "vague-next-step"        // it does not say what to do next
	RuleNoLesson   = "attempt-without-lesson" // it failed, and nobody knows why
)

// Advice is what could be better in one place of a record. It never forbids.
type Advice struct {
	Place string // JSON pointer
	Rule  string // one of the rules above
	Text  string // what to write instead; it repeats nothing of the record but words of Lint's own lists
}

// Lint says what a record lacks that another session will need, in the order
// of its items. It looks for what can be told from the words alone, and rather
// says nothing than something wrong; what needs English says nothing of a text
// in another language.
func Lint(c packet.Content) []Advice {
	var all []Advice
	for _, item := range c.Items {
		l := linter{item: item, words: tokensOf(item.Text), reason: item.Why}
		if why := foldText(item.Why); why == "" || isListed("no reasons", why) {
			l.reason = "" // There only stands something in its place.
		}
		l.lintText(item.Place, item.Text, l.words)
		l.lintText(whyPlace(item), item.Why, tokensOf(item.Why))
		l.lintLog()
		l.lintReason()
		l.lintNextStep()
		if why := foldText(item.Why); item.Kind == packet.ItemAttempt && item.Failed &&
			(why == "" || isListed("no lessons", why)) {
			l.addAdvice(item.Place, RuleNoLesson,
				"Write in \"learned\" why it failed and what to do instead, so that nobody tries it again.")
		}
		all = append(all, l.found...)
	}
	return all
}

// A linter looks at one item.
type linter struct {
	item   packet.Item
	words  []token // of the text
	reason string  // the reason, where it is one
	found  []Advice
}

// addAdvice notes an advice, once for a place and a rule.
func (l *linter) addAdvice(place, rule, text string) {
	if !slices.ContainsFunc(l.found, func(a Advice) bool { return a.Place == place && a.Rule == rule }) {
		l.found = append(l.found, Advice{place, rule, text})
	}
}

// whyPlace returns where the second text of an item stands.
func whyPlace(item packet.Item) string {
	return cmp.Or(map[string]string{"/text": "/why", "/item": "/reason"}[item.Place], item.Place)
}

// lintText looks for what no text of a record should hold.
func (l *linter) lintText(place, text string, said []token) {
	if text == "" {
		return
	}
	takesTurn := func(list string) bool {
		return slices.ContainsFunc(said, func(t token) bool {
			return t.begins && t.colon && isListed(list, t.word)
		})
	}
	if takesTurn("people") && takesTurn("models") {
		l.addAdvice(place, RuleTranscript,
			"This is a talk. Write what came of it: the rule, the reason, and what to do next.")
	}
	if words.IsOutput(text) {
		l.addAdvice(place, RuleOutput,
			"Keep the line that names the fault, and write what causes it and what to do about it.")
	}
	if day := movingDay(said); day != "" {
		l.addAdvice(place, RuleDate,
			"Write the date itself, such as 2026-03-01: \""+day+"\" means another day to whoever reads it.")
	}
	// Homes of images that many machines run and files that every home has are no one machine's.
	for _, m := range machinePath().FindAllStringSubmatch(text, -1) {
		if m[1] != "" && !isListed("everybody", strings.ToLower(m[1])) ||
			m[2] != "" && !strings.HasPrefix(m[2], "Library/") || m[3] != "" && !everyDrive().MatchString(m[3]) {
			l.addAdvice(place, RulePath,
				"Write the path relative to the repository; no other machine has this one.")
		}
	}
	if pointsNowhere(said) {
		l.addAdvice(place, RuleNowhere,
			"Say it again in full, or cite the file or the record: whoever reads this did not see the talk.")
	}
}
