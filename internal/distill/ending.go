package distill

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/transcript"
	"github.com/git-ltm/git-ltm/internal/words"
)

// The bounds of what is told of the end, in characters, and of its lists.
const (
	mostOutcome  = 1000
	mostLast     = 1500
	mostSubject  = 120
	mostAnswered = 240
	mostTold     = 6
)

// outcome says what came of the session: its commits, and the last words of the agent. A packet has a member
// for it, since it is what a colleague asks first.
func (n *notes) outcome(s transcript.Session, x Extra) {
	text := joined("\n\n", commits(s), lastWords(s, x))
	if n.doc.Outcome = short(text, mostOutcome); n.doc.Outcome != "" {
		n.origins["/outcome"] = "commits and last message"
	}
}

// summary is what a person sees of the end before anything that rules infer: what came of the session, what
// the person corrected and refused, and what this machine lacked. It stays in this clone.
func (n *notes) summary(s transcript.Session, x Extra) string {
	var corrected, without, local []string
	for _, p := range s.Prompts {
		if text, _ := asked(p.Text); p.Corrects && says(text) {
			corrected = append(corrected, line(text, mostAnswered))
		}
	}
	for _, d := range s.Decisions {
		switch what := line(d.Question, mostSubject); {
		case d.Kind != transcript.Rejected || what == "" || isOwn(what):
		case d.Text == "":
			without = append(without, what)
		default:
			corrected = append(corrected, line(d.Text, mostAnswered)+" (of "+what+")")
		}
	}
	for _, t := range n.local {
		local = append(local, line(t.tried, mostSubject)+": "+t.why)
	}
	return joined("\n\n", commits(s), short(lastWords(s, x), mostLast),
		listed("The person corrected:", corrected), listed("Refused without a reason:", without),
		listed("Only this machine:", local))
}

// Ended tells in whole sentences, as far as so many characters hold them, how a session ended by the outcome
// of its packet. What only says that all went well, or leads over to a list, is left out.
func Ended(outcome string, most int) string {
	var kept []string
	left := most
	for _, para := range paragraphs(outcome) {
		for _, sentence := range sentences(para) {
			text := unmarked(sentence)
			leads := strings.HasSuffix(text, ":") && strings.HasPrefix(text, "Here") ||
				strings.HasPrefix(text, "|")
			if len(words.Fields(text)) < leastEnding || leads || saysAllWell(text) {
				continue
			}
			if text = line(text, most); strings.IndexByte(".!?:;…", text[len(text)-1]) < 0 {
				text += ";"
			}
			if utf8.RuneCountInString(text) >= left {
				return strings.TrimRight(strings.Join(kept, " "), ":;")
			}
			kept = append(kept, text)
			left -= utf8.RuneCountInString(text) + 1
		}
	}
	return strings.TrimRight(strings.Join(kept, " "), ":;")
}

// leastEnding is how many words a sentence has that says something: "Done." and "All clean." do not.
const leastEnding = 4

// saysAllWell tells a sentence that says of checks alone that they pass.
func saysAllWell(text string) bool {
	all := words.Fields(text)
	about := slices.IndexFunc(all[:min(len(all), 3)], func(w string) bool {
		return slices.Contains([]string{"checks", "tests", "test", "lint", "linter", "build", "ci"}, w)
	})
	return about >= 0 && slices.ContainsFunc(all[about:min(len(all), about+4)], func(w string) bool {
		return slices.Contains(
			[]string{"pass", "passes", "passed", "passing", "green", "clean", "succeeds", "succeeded"}, w)
	})
}

// commits names the commits of a session.
func commits(s transcript.Session) string {
	var all []string
	for _, c := range s.Commits[max(0, len(s.Commits)-mostTold):] {
		all = append(all, strings.TrimSpace(line(c.ID, 40)+" "+line(c.Subject, mostSubject)))
	}
	if len(all) == 0 {
		return ""
	}
	return "Commits: " + strings.Join(all, "; ")
}

// lastWords are the last words of the agent. Where it said them and went on to work, they are no account of
// how that ended.
func lastWords(s transcript.Session, x Extra) string {
	last := transcript.Told(s.Last)
	if last != "" && closingWords(s) == "" {
		return "It ended in the midst of work. Said last: " + last
	}
	return cmp.Or(last, x.Summary)
}

// listed is a list of the last few items below a heading, each once; "" for none.
func listed(heading string, items []string) string {
	items = slices.Compact(items)
	if len(items) == 0 {
		return ""
	}
	return heading + "\n- " + strings.Join(items[max(0, len(items)-mostTold):], "\n- ")
}

// joined joins the texts that are not empty.
func joined(sep string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), sep)
}

// short returns a text with its lines, cut to a number of characters.
func short(text string, most int) string {
	text = clean.Text(transcript.Told(text))
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
