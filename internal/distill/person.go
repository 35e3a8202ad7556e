package distill

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/transcript"
	"github.com/git-ltm/git-ltm/internal/words"
)

// Most of what a person says asks for something at once. What is found here outlasts the session: what
// they put off, what they said last, and where they changed what they had asked for. It stays in their
// own words: a quotation misleads nobody, and a wrong class does.

// HandedOver is what the person said, behind the last file that was written, of what is to be done
// another day; "" for nothing.
func HandedOver(s transcript.Session) string {
	handed, _ := forLater(s)
	return handed
}

// forLater is what the person handed over to another day at the end, with all that follows in the same
// prompt, and what they put off otherwise, the last first, beside what the agent had asked. What they
// came back to is none.
func forLater(s transcript.Session) (handed string, put []string) {
	for i, p := range slices.Backward(s.Prompts) {
		all := ownSentences(p)
		for at, sentence := range all {
			text := withoutLead(sentence)
			if i+at == 0 || !saysWhen(text) && !phrases.In("puts off", strings.ToLower(text)) {
				continue
			}
			if handed == "" && p.N >= s.EditN && saysWhen(text) {
				handed = joinTexts(" ", append([]string{text}, all[at+1:]...)...)
				break
			}
			if about := lastQuestion(saidLastBefore(s, p.N)); about != "" {
				text += " (after: " + cutLine(about, mostAnswered) + ")"
			}
			if !slices.ContainsFunc(s.Prompts[i+1:], func(later transcript.Said) bool {
				return countShared(stemsOf(later.Text), stemsOf(text)) >= leastShared
			}) {
				put = append(put, text)
			}
		}
	}
	return handed, put
}

// saysWhen tells a sentence that speaks of another day or session.
func saysWhen(sentence string) bool {
	low := strings.ToLower(sentence)
	return !strings.HasSuffix(low, "?") && (phrases.Begins("hands over", low) || phrases.In("another day", low))
}

// saidLast is what the person said last, where nothing was done about it and the agent only took notice:
// it is for whoever goes on. It is "" where they asked, agreed or said goodbye, and where all of it holds
// for good.
func saidLast(s transcript.Session) string {
	if len(s.Prompts) < 2 {
		return "" // It is what the session was for.
	}
	p := s.Prompts[len(s.Prompts)-1]
	noticed := len(s.Words) > 0 && s.Words[len(s.Words)-1].N < p.N || takesNotice(s.Last)
	if !noticed || p.N < s.WorkN || p.N > s.LastN {
		return ""
	}
	text, _ := askedFor(p.Text)
	low := strings.ToLower(text)
	agrees := phrases.Begins("agreements", low) && len(words.Fields(low)) <= mostAgreeing
	if agrees || accepts(text) || !saysEnough(text) || strings.HasSuffix(text, "?") {
		return ""
	}
	for _, sentence := range ownSentences(p) {
		if len(words.Fields(sentence)) >= leastEnding && lasting(sentence) == "" {
			return text
		}
	}
	return ""
}

// ownSentences are the sentences of a prompt in which a person wrote for themselves; of a long one, none.
func ownSentences(p transcript.Said) []string {
	if len(words.Fields(p.Text)) > mostAsking {
		return nil
	}
	text := beforeQuote(p.Text)
	if m := correcting().FindStringIndex(text); m != nil { // What they meant counts.
		text = text[m[1]:]
	}
	return sentencesOf(text)
}

// correcting finds the words with which a person corrects what they just said.
var correcting = words.Compiled(`(?i)\bi mean(?:t)?[:,]? +`)

// mostAsking is how many words a prompt has that a person wrote. What is longer was pasted, and demands
// what others want of somebody else.
const mostAsking = 120

// withoutLead is a sentence without the words that only join it to what was said before.
func withoutLead(sentence string) string {
	return leadingWord().ReplaceAllString(strings.Trim(sentence, "()"), "")
}

// leadingWord finds such a word.
var leadingWord = words.Compiled(`(?i)^(?:(?:and|but|also|oh|so|then|ok|okay|good|great|nice|perfect|` +
	`yes|thanks)[,.!]? +)+`)

// turns are the prompts in which the person changed what they had asked for, or stopped the agent and
// said no.
func turns(s transcript.Session) []transcript.Said {
	var found []transcript.Said
	for i, p := range s.Prompts {
		said := slices.DeleteFunc(sentencesOf(p.Text), func(sentence string) bool {
			return strings.HasSuffix(sentence, "?")
		})
		low := strings.ToLower(strings.Join(said, " "))
		all := words.Fields(low)
		if i > 0 && len(all) > 0 && len(all) <= mostCorrecting && (phrases.In("turns", low) ||
			refusesThing().MatchString(low) || phrases.Has("turning", all[0]) ||
			p.Corrects && phrases.Has("refusing", all[0])) {
			found = append(found, p)
		}
	}
	return found
}

// addTurns takes them over as decisions, but for those that hold for good: of two words about the same,
// the later ones count.
func (n *notes) addTurns(s transcript.Session) {
	for _, p := range turns(s) {
		d := decision{What: cutLine(p.Text, mostDecision), Why: "the person changed what they had asked for"}
		if lasting(p.Text) == "" && !slices.ContainsFunc(n.doc.Decisions, func(made decision) bool {
			return made.What == d.What
		}) {
			n.addDecision(d, fromLater)
		}
	}
}

// withoutCourtesies is a session that ends with what the agent said last that says something: a goodbye,
// and an answer that only takes notice, change nothing about how it ended.
func withoutCourtesies(s transcript.Session) transcript.Session {
	for n := len(s.Prompts) - 1; n > 0 && s.Prompts[n].N > s.WorkN; n-- {
		before := 0 // what the agent said until then
		for before < len(s.Words) && s.Words[before].N < s.Prompts[n].N {
			before++
		}
		if s.Prompts[n].Corrects || strings.HasSuffix(strings.TrimSpace(s.Prompts[n].Text), "?") ||
			slices.ContainsFunc(s.Words[before:], func(w transcript.Word) bool { return !takesNotice(w.Text) }) {
			break
		}
		bye := saysBye(s.Prompts[n].Text)
		if before > 0 && (bye || s.Words[before-1].N > s.WorkN) {
			s.Words, s.Last = s.Words[:before], s.Words[before-1].Text
		}
		if !bye {
			break
		}
		if s.Prompts = s.Prompts[:n]; before > 0 {
			s.LastN = s.Words[before-1].N
		}
	}
	return s
}

// takesNotice tells an answer that says hardly more than that something was heard.
func takesNotice(text string) bool {
	return len(substance(text)) == 0 ||
		phrases.Begins("understood", strings.ToLower(text)) && len(words.Fields(text)) <= mostNoticing
}

// mostNoticing is how many words such an answer has.
const mostNoticing = 30

// substance are the telling words of a text that are no courtesy.
func substance(text string) []string {
	return slices.DeleteFunc(words.Fields(text), func(w string) bool {
		return phrases.Has("courtesies", w) || isSmall(w) || words.IsStop(w)
	})
}

// saysBye tells a prompt with which a person leaves or thanks, and says nothing else.
func saysBye(text string) bool {
	low := strings.ToLower(text)
	return phrases.In("goodbyes", low) && len(substance(low)) < leastShared && !strings.Contains(low, "?") &&
		!accepts(text) && !slices.ContainsFunc(sentencesOf(text), func(sentence string) bool {
		return saysWhen(sentence) || lasting(sentence) != ""
	})
}

// accepts tells a prompt that says that all is done.
func accepts(text string) bool {
	low := strings.ToLower(withoutLead(text))
	return phrases.Begins("accepts", low) && !strings.Contains(low, " but ")
}

// isFinished tells whether all that was asked for is surely done: the last words of the agent leave
// nothing open, and what was written last was committed or passed a check, or the person says that it is
// done.
func isFinished(s transcript.Session) bool {
	closing := closingWords(s)
	if closing == "" || leavesRest(closing) || openQuestion(closing) != "" || len(openSteps(s)) > 0 {
		return false
	}
	return len(s.Prompts) > 1 && accepts(s.Prompts[len(s.Prompts)-1].Text) || IsProved(s)
}

// IsProved tells whether what a session wrote last was committed, or passed a test, and nothing failed
// since.
func IsProved(s transcript.Session) bool {
	n := len(s.Commits)
	proved := n > 0 && s.Commits[n-1].N > s.EditN
	for _, c := range s.Commands {
		switch {
		case c.N < s.EditN || s.EditN == 0:
		case c.Failed:
			proved = false
		case hasTarget(c.Text, "tests"):
			proved = true
		}
	}
	return proved
}

// AsksPerson tells whether an account of work ends with a question that the person is to answer before
// the work goes on. An offer to do more is none.
func AsksPerson(account string) bool {
	all := sentencesOf(account)
	if len(all) == 0 || !strings.HasSuffix(all[len(all)-1], "?") {
		return false
	}
	low := strings.ToLower(all[len(all)-1])
	return !phrases.Begins("offers", low) || strings.Contains(low, " or ")
}

// leavesRest tells an account of work that says that some of it is left, or did not go well.
func leavesRest(account string) bool {
	text := " " + strings.Join(words.Fields(account), " ") + " "
	for _, m := range someOfAll().FindAllStringSubmatch(text, -1) {
		if m[1] != m[2] {
			return true
		}
	}
	return strings.Contains(account, "[ ]") || strings.Contains(account, "?") ||
		slices.ContainsFunc(phrases.List("rest"), func(rest string) bool {
			return strings.Contains(text, " "+rest+" ")
		})
}

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	// someOfAll finds how many of how many are done.
	someOfAll = words.Compiled(` (\d+|one|two|three|four|five|six|seven|eight|nine) (?:out )?of (?:the |all )?` +
		`(\d+|two|three|four|five|six|seven|eight|nine|ten)`)
	// refusesThing finds that something is not wanted: "no SQLAlchemy, please".
	refusesThing = words.Compiled(`(?i)^no [^.?!,]{2,60},? please\b`)
	// saysEver finds the end of a sentence that holds for good: "We use no floats, ever."
	saysEver = words.Compiled(`(?i), (?:ever\b[.!]*$|never )`)
)

// SeeEnd begins the next step of a session of which nobody knows whether it is done; how it ended
// follows.
const SeeEnd = "See whether anything is left. "

// endedOpen is the next step of such a session.
func endedOpen(s transcript.Session, x Extra) string {
	ended := cmp.Or(Ended(lastWords(s, x), mostAnswered), cutLine(lastWords(s, x), mostAnswered))
	if ended != "" && closingWords(s) != "" {
		ended = "Said last: " + ended
	}
	return SeeEnd + cmp.Or(ended, "Nothing says that it is done.")
}
