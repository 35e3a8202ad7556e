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
	RuleDate       = "relative-date"          // it names a day that moves
	RulePath       = "absolute-path"          // it names a place on one machine
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
		if why := Fold(item.Why); why == "" || isListed("no reasons", why) {
			l.reason = "" // There only stands something in its place.
		}
		l.lintText(item.Place, item.Text, l.words)
		l.lintText(whyPlace(item), item.Why, tokensOf(item.Why))
		l.lintLog()
		l.lintReason()
		l.lintNextStep()
		if why := Fold(item.Why); item.Kind == packet.ItemAttempt && item.Failed &&
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
	var paths [][]string
	if strings.ContainsAny(text, `/\`) { // Else nothing is compiled.
		paths = machinePath().FindAllStringSubmatch(text, -1)
	}
	for _, m := range paths {
		if m[1] != "" && !isListed("everybody", strings.ToLower(m[1])) ||
			m[2] != "" && !strings.HasPrefix(m[2], "Library/") || m[3] != "" && !everyDrive().MatchString(m[3]) {
			l.addAdvice(place, RulePath,
				"Write the path relative to the repository; no other machine has this one.")
		}
	}
}

// lintLog looks for a text that tells what happened where it should say what holds.
// An attempt, a goal, a task and an achievement may tell a story, and so may a
// reason; but a goal names what it is about.
func (l *linter) lintLog() {
	if l.item.Kind == packet.ItemGoal && isVague(l.words) {
		l.addAdvice(l.item.Place, RuleLog,
			"Say what the work was for, as to somebody who was not there: \"Cache the tokens of a login\" "+
				"rather than \"Done\".")
	}
	switch l.item.Kind {
	case packet.ItemAttempt, packet.ItemGoal, packet.ItemQuestion, packet.ItemNext, packet.ItemOutcome,
		packet.ItemSkip, "achievement", kindTask, kindIdentity:
		return // What happened is what it is about.
	}
	report := l.reason == "" && isReport(l.words)
	for i, t := range l.words {
		if report || (t.begins || t.clause || isListed("then", wordAt(l.words, i-1))) && isStory(l.words[i:]) {
			l.addAdvice(l.item.Place, RuleLog,
				"Write what to do or what holds, and why, as to somebody who was not there: \"Never X: Y "+
					"breaks\" rather than \"I tried X\".")
			return
		}
	}
}

// isStory says whether the words begin as a report does: "we then ran", "fixed
// the".
func isStory(words []token) bool {
	rest := words
	for len(rest) > 0 && isListed("then", rest[0].word) {
		rest = rest[1:]
	}
	if len(rest) < 2 {
		return false
	}
	switch who := rest[0].word; {
	case who == "i", who == "we":
	case (who == "the" || who == "this") && isListed("actors", rest[1].word):
		rest = rest[1:]
	default:
		return words[0].begins && isListed("deeds", who) && isListed("pointers", rest[1].word)
	}
	rest = rest[1:]
	for len(rest) > 0 && isListed("then", rest[0].word) {
		rest = rest[1:]
	}
	return len(rest) > 0 && isListed("deeds", rest[0].word)
}

// The words of a text that may be but a line of a log, and those behind its first clause. What is longer says
// more.
const (
	reportWords = 20
	reportRest  = 6
)

// isReport says whether a text is but one line of a log: it tells of one thing that somebody did, or that a
// program did once, and neither what holds nor what follows. "Deleted users stay in the index" and "Read the
// notes first" are none.
func isReport(words []token) bool {
	if len(words) < 3 || len(words) > reportWords || hasOrder(words[1:]) || hasReason(words) ||
		holdsListed("lasting", words) {
		return false
	}
	for i, t := range words[1:min(len(words), 6)] {
		if !isListed("happened", t.word) || isListed("finite", words[i].word) {
			continue
		}
		// "Fix failed tests" is an order.
		return i > 0 || !isListed("orders", words[0].word) || isListed("towards", wordAt(words, 2))
	}
	first, next := words[0].word, words[1].word
	switch {
	case isListed("talks", first) && isListed("towards", next):
		return true
	case first == "read":
		return isVerdict(words)
	case !isListed("deeds", first) && !isListed("reports", first) || words[0].ends || isPlural(next) ||
		isListed("towards", next) || next == "by":
		return false
	}
	for i, t := range words[1:] {
		if isListed("finite", t.word) || i == 1 && isPlural(t.word) {
			return false
		}
		if t.ends { // What stands behind the comma may be what the sentence says.
			return len(words)-i-2 <= reportRest && !isListed("subjects", wordAt(words, i+2))
		}
	}
	return true
}

// isVerdict says whether a text ends with a clause that only says how somebody found it.
func isVerdict(words []token) bool {
	for _, t := range slices.Backward(words) {
		if listed := isListed("verdicts", t.word); t.clause || !listed {
			return listed
		}
	}
	return false
}

// isPlural says whether a word looks like several things, or like a verb of one.
func isPlural(word string) bool {
	return strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && !strings.HasSuffix(word, "us")
}

const (
	shortText = 50 // characters below which a text needs a reason
	stemLen   = 5  // letters of two words that make them one in different forms
)

// lintReason looks for a text that leaves the reader without a reason.
func (l *linter) lintReason() {
	place, kind := l.item.Place, l.item.Kind
	if l.reason != "" {
		return
	}
	width := 0 // A character of a script that does not part words says as much as two or three letters.
	for _, r := range l.item.Text {
		if width++; r >= 0x2E80 {
			width += 2
		}
	}
	switch {
	case hasReason(l.words):
	case (needsReason(kind) || kind == "learning") && width < shortText:
		l.addAdvice(place, RuleShort, "Write a sentence more: when it holds, and what goes wrong otherwise.")
	case needsReason(kind) && !hasOrder(l.words) && slices.ContainsFunc(l.words, func(t token) bool {
		return isListed("english", t.word) // Of another language nothing can be asked.
	}):
		l.addAdvice(place, RuleNoReason,
			"Write what to do (\"use\", \"never\", \"must\"), or why it is so (\"because\", \"otherwise\").")
	}
}

// needsReason says whether an item of a kind is worth little without a reason.
func needsReason(kind string) bool {
	return slices.Contains([]string{"procedure", kindDecision, kindPitfall, "preference"}, kind)
}

// repeatsText says whether a reason has no word of its own.
func repeatsText(reason, text []token) bool {
	return !slices.ContainsFunc(reason, func(t token) bool {
		return !isListed("fillers", t.word) && !slices.ContainsFunc(text, func(o token) bool { // in some form
			return o.word == t.word ||
				len(t.word) >= stemLen && len(o.word) >= stemLen && o.word[:stemLen] == t.word[:stemLen]
		})
	})
}

// lintNextStep looks for a next step that does not say what to do.
func (l *linter) lintNextStep() {
	place, words := l.item.Place, l.words
	switch l.item.Kind {
	case packet.ItemNext:
	case kindTask: // The last line of its second text is what to do next, where it says so.
		last := l.item.Why[strings.LastIndexByte(l.item.Why, '\n')+1:]
		place, words = "/next_action", tokensOf(last)
	default:
		return
	}
	if isVague(words) {
		l.addAdvice(place, RuleVague,
			"Name the first thing to do, with the file, the command or the question: \"make TestLogin "+
				"pass in auth/login_test.go\".")
	}
}

// isVague says whether none of the words names a thing.
func isVague(words []token) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(t token) bool {
		return !isListed("fillers", t.word) && !isListed("vague", t.word)
	})
}

// movingDay returns the words of a text that mean another day to each reader,
// or "".
func movingDay(words []token) string {
	for i, t := range words {
		before, after := wordAt(words, i-1), wordAt(words, i+1)
		switch t.word {
		case "yesterday", "tomorrow", "tonight", "today":
			return t.word
		case "last", "next", "this":
			if isListed("spans", after) && !isListed("fixed", before) && wordAt(words, i+2) != "of" && !t.ends {
				return t.word + " " + after
			}
		case "ago":
			if unit := strings.TrimSuffix(before, "s"); isListed("units", unit) &&
				!slices.ContainsFunc(words[max(0, i-5):i], func(t token) bool {
					return t.word == "than" || t.word == "over"
				}) {
				return before + " ago"
			}
		}
	}
	return ""
}

// wordAt returns the word at a place, or "".
func wordAt(words []token, i int) string {
	if i < 0 || i >= len(words) {
		return ""
	}
	return words[i].word
}

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	machinePath = words.Compiled("(?:^|[\\s\"'`([{<>=:,;|])(?:file://)?(?:" +
		`(?:/home|/Users|/mnt/c/Users)/([\pL\d._][^/\s]*)/[\pL\d._]|~/([A-Za-z0-9_][\w./-]*)|` +
		`[A-Za-z]:(/Users/|\\[\pL\d._][^\\/\n]*))`)
	everyDrive = words.Compiled(`^\\(?:Windows|Program Files|ProgramData)`)
)

// hasReason says whether a text gives a reason or tells what follows.
func hasReason(words []token) bool {
	return holdsListed("reasons", words) || slices.ContainsFunc(words, func(t token) bool {
		return t.clause && slices.Contains([]string{"so", "as", "or", "else"}, t.word)
	})
}

// hasOrder says whether a text tells somebody to do something.
func hasOrder(words []token) bool {
	for i, t := range words {
		before := wordAt(words, i-1)
		if isListed("demands", t.word) || t.word == "not" && (before == "do" || before == "may") {
			return true
		}
		begins := t.begins || t.clause || isListed("lead-ins", before)
		if begins && (isListed("orders", t.word) || isBase(t.word) && isListed("objects", wordAt(words, i+1))) {
			return true
		}
	}
	return false
}

// isBase says whether a word could be a verb that orders: it has none of the
// endings of other forms, and is none of the small words.
func isBase(word string) bool {
	return word != "" && !isListed("small", word) &&
		!slices.ContainsFunc([]string{"s", "ed", "ing", "ly", "ion"}, func(end string) bool {
			return strings.HasSuffix(word, end)
		})
}
