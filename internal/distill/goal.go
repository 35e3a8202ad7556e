package distill

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/transcript"
	"github.com/git-ltm/git-ltm/internal/words"
)

// The words of origins about prompts.
const (
	fromFirst   = "first prompt"
	fromLater   = "a later prompt"
	fromSummary = "client's summary"
)

// The most deeds that are told of, their length in characters, and how many of them, of commits, and of turns
// stand behind a goal.
const (
	mostTurns    = 2
	mostLater    = 3
	mostLaterAsk = 120
	mostCame     = 2
)

// addGoal says what the session was for: the first request of its last topic. Requests often name nothing, as
// "let's look at the review" does; so the commits that came of them stand behind, or how it ended, where they
// have room.
func (n *notes) addGoal(s transcript.Session) {
	goal, origin, since := findRequest(s)
	if goal == "" {
		goal, origin = findSection(s.Summary, "primary request and intent", "primary request", "goal",
			"task overview", "user request"), fromSummary
	}
	if goal == "" {
		return
	}
	if turned := slices.DeleteFunc(turns(s), func(p transcript.Said) bool {
		return p.N < since || strings.HasPrefix(p.Text, goal)
	}); len(turned) == 0 {
		goal = cutSentences(goal, mostRequest)
	} else {
		goal = closeSentence(cutSentences(goal, mostAsked), ".")
		for _, p := range turned[max(0, len(turned)-mostTurns):] {
			goal += " Then: " + closeSentence(cutLine(p.Text, mostLaterAsk), ".")
		}
	}
	for most := mostCame; most > 0 && !strings.HasPrefix(origin, "plan"); most-- {
		came := cameOf(s, since, most)
		if came != "" && utf8.RuneCountInString(goal+came) < mostRequest+mostLaterAsk {
			goal += " " + came
			break
		}
	}
	n.doc.Goal, n.origins["/goal"] = goal, origin
}

// findRequest returns the first prompt of the last topic that asks for work, or else the first one that says
// anything, and its place.
func findRequest(s transcript.Session) (first, origin string, since int) {
	wrong := findCorrections(s)
	leads, asks := false, false // the text before ends in a colon: what it asks for comes in the next prompt
	for i, p := range s.Prompts {
		text, plan := askedFor(p.Text)
		switch {
		case text == "":
			continue
		case leads:
			first += " " + text
		case slices.ContainsFunc(wrong, func(c correction) bool { return c.said == text }):
		case first == "" || !saysEnough(first) && saysEnough(text) || asks && isRequest(text) ||
			opensTopic(s, p, first, text):
			first, origin, since = text, fromLater, p.N
			if i == 0 {
				origin = fromFirst
			}
			if plan {
				origin = "plan in the " + strings.TrimPrefix(origin, "a ")
			}
			asks = strings.HasSuffix(text, "?") && !isRequest(text)
		}
		leads = first != "" && strings.HasSuffix(text, ":") && strings.HasSuffix(first, text)
	}
	return first, origin, since
}

// opensTopic tells a request that takes the place of what was asked before: one that says so, or one that
// has nothing to do with what was asked and said and needs nothing of it to be understood, as its length
// tells. Of a short one, words alone do not tell.
func opensTopic(s transcript.Session, p transcript.Said, goal, text string) bool {
	about := stemsOf(text)
	says := func(sentence string) bool { return phrases.Begins("topics", sentence) }
	return isRequest(text) && (slices.ContainsFunc(sentencesOf(strings.ToLower(text)), says) ||
		!p.Corrects && len(about) >= leastTopic &&
			countShared(about, stemsOf(goal+" "+saidLastBefore(s, p.N)))*leastTopic < 2*len(about))
}

// leastTopic is how many telling words a request has that stands alone. One of ten may stand before it, too.
const leastTopic = 20

// isRequest tells a prompt that asks for more than an answer, and for more than that the work be committed
// and handed in.
func isRequest(text string) bool {
	all := words.Fields(text)
	if len(all) < 4 || all[0] == "why" || strings.HasSuffix(text, "?") &&
		(phrases.Has("questions", all[0]) || asksWhat().MatchString(strings.Join(all, " ")) ||
			slices.Contains(all, "explain")) {
		return false
	}
	told := slices.DeleteFunc(all, func(w string) bool {
		return isSmall(w) || phrases.Has("chores", w) || strings.Trim(w, "0123456789") == ""
	})
	return len(told) > 2
}

// asksWhat finds the first two words of a question that wants to know something.
var asksWhat = words.Compiled(`^(?:you can|do you|(?:do|can|could) (?:we|i|they|it)) `)

// cameOf says in brackets what came of a session since a place: its last few commits, and what the agent said
// since then that it had done, or else how it ended.
func cameOf(s transcript.Session, since, most int) string {
	var came, subjects []string
	for _, c := range s.Commits {
		if c.N >= since && c.Subject != "" && !slices.Contains(subjects, c.Subject) {
			subjects = append(subjects, cutLine(c.Subject, mostLaterAsk))
		}
	}
	if all := strings.Join(subjects[max(0, len(subjects)-most):], "; "); all != "" {
		came, since = append(came, "commits: "+all), max(since, s.EditN)
	}
	if len(s.Commits) == 0 || s.Commits[len(s.Commits)-1].N < s.EditN {
		if done := deedsOf(s, since); len(done) > 0 {
			came = append(came, "done: "+strings.Join(done[max(0, len(done)-most):], "; "))
		}
	}
	if told := tellingSentences(closingWords(s)); len(came) == 0 && len(told) > 0 {
		came = append(came, "it ended: "+cutLine(strings.TrimSuffix(told[0], ":"), mostLaterAsk))
	}
	if len(came) == 0 {
		return ""
	}
	return "(" + strings.Join(came, "; ") + ")"
}

// saysEnough tells whether a text has enough words to be a goal.
func saysEnough(text string) bool {
	wide := strings.IndexFunc(text, func(c rune) bool {
		return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
	}) >= 0
	return len(words.Fields(text)) >= 3 || wide && utf8.RuneCountInString(text) >= 6
}

// askedFor returns what a prompt asks for, as one paragraph, and whether it was the title of a plan; ""
// where the prompt asks for nothing of its own.
func askedFor(text string) (goal string, plan bool) {
	text = strings.TrimSpace(text)
	if handed, ok := transcript.HandedPlan(text); ok {
		return planTitle(handed), true
	}
	text = withoutCommand(cmp.Or(strings.TrimSpace(withoutLetter(text)), text))
	paras := slices.DeleteFunc(splitParagraphs(text), func(p string) bool {
		all := words.Fields(p)
		return !transcript.Typed(p) || len(all) <= mostSmallTalk &&
			!slices.ContainsFunc(all, func(w string) bool {
				return !isSmall(w)
			})
	})
	if len(paras) == 0 {
		return "", false
	}
	at := max(slices.IndexFunc(paras, isProse), 0)
	goal = withoutPlaceholders(paras[at])
	for _, more := range paras[at+1:] {
		if size := utf8.RuneCountInString(goal); size >= mostAsked ||
			!strings.HasSuffix(goal, ":") && !isProse(more) {
			break
		}
		goal += " " + withoutPlaceholders(more)
	}
	return cutLine(goal, mostGoal), false
}

// cutPhrase takes something of a list from the beginning of a text, in whatever letters it stands there.
func cutPhrase(list, text string) (rest string, found bool) {
	for _, begin := range phrases.List(list) {
		if rest, found = cutPrefixFold(text, begin); found {
			return rest, true
		}
	}
	return text, false
}

func cutPrefixFold(text, prefix string) (string, bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

// planTitle returns the title of a plan, or its first line where it has no telling title.
func planTitle(plan string) string {
	for _, l := range cleanLines(plan) {
		title := withoutMarks(l)
		if rest, ok := cutPrefixFold(title, "plan:"); ok {
			title = strings.TrimSpace(rest)
		}
		if !noTitle().MatchString(title) {
			return cutLine(title, mostGoal)
		}
	}
	return ""
}

// noTitle finds the first lines of plans that say nothing of them.
var noTitle = words.Compiled("(?i)^(?:(?:plan|context|overview)?$|```)")

// withoutCommand returns what a command of the client asks for, its name as a word, as in "/review the parser". A
// path is no command.
func withoutCommand(text string) string {
	name, rest, _ := strings.Cut(text, " ")
	if !strings.HasPrefix(name, "/") || len(name) < 2 || strings.ContainsAny(name[1:], "/.\\\n") {
		return text
	}
	said := strings.NewReplacer("-", " ", "_", " ", ":", " ").Replace(name[1:])
	return strings.TrimSpace(said + " " + rest)
}

// mostSmallTalk is how many words small talk has. A longer text means something.
const mostSmallTalk = 6

// isSmall tells a word of small talk.
func isSmall(word string) bool { return phrases.Has("small talk", word) }

// mostProse is how many lines a paragraph of prose has; what is longer was pasted.
const mostProse = 12

// isProse tells whether a paragraph was written by a person, and not pasted from a program.
func isProse(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return strings.Count(text, "\n") < mostProse && !strings.ContainsRune("{}<>|$>[+@=", first) &&
		!strings.HasPrefix(text, "Traceback ") && !strings.HasPrefix(text, "at ")
}

// withoutPlaceholders takes out what clients write for images and pasted text.
func withoutPlaceholders(text string) string {
	return clean.Line(placeholder().ReplaceAllString(text, ""))
}

//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var placeholder = words.Compiled(`\[(?:Image #|Pasted text #|Image:)[^\]]*\]`)

// findSection returns the first paragraph below a heading of a summary, by the first of some names that a
// heading has.
func findSection(text string, names ...string) string {
	all := cleanLines(text)
	for _, name := range names {
		for i, l := range all {
			head, rest, _ := strings.Cut(withoutMarks(l), ":")
			if !strings.EqualFold(strings.Trim(strings.TrimSpace(head), "*_ "), name) {
				continue
			}
			rest = strings.Trim(rest, "*_ ")
			if rest == "" && i+1 < len(all) {
				rest = withoutMarks(all[i+1])
			}
			if rest != "" && !isNone(rest) {
				return rest
			}
		}
	}
	return ""
}

// isNone tells a section that says that there is nothing to say.
func isNone(text string) bool {
	all := words.Fields(text)
	return len(all) == 0 ||
		len(all) <= 3 && slices.ContainsFunc(all, func(w string) bool {
			return w == "none" || w == "nothing" || w == "n"
		})
}
