package distill

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/deadend"
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

// addOutcome says what came of the session: its commits, and the last words of the agent. A packet has a
// member for it, since it is what a colleague asks first.
func (n *notes) addOutcome(s transcript.Session, x Extra) {
	last, done := lastWords(s, x), stateOf(s)
	var before []string
	for _, deed := range deedsOf(s, 0) {
		if !strings.Contains(clean.Line(withoutMarks(last)), strings.TrimRight(deed, "….")) {
			before = append(before, deed)
		}
	}
	before = before[max(0, len(before)-mostLater):]
	earlier := listBelow("Done earlier:", before)
	room := mostOutcome - utf8.RuneCountInString(done+earlier) - 2*len("\n\n")
	texts := []string{done, cutText(last, room), earlier}
	if !slices.ContainsFunc(tellingSentences(last), saysDone) { // It ended in talk.
		texts = []string{done, earlier, cutText(last, room)}
	}
	if n.doc.Outcome = cutText(joinTexts("\n\n", texts...), mostOutcome); n.doc.Outcome != "" {
		n.origins["/outcome"] = "commits and last message"
	}
}

// stateOf names the commits of a session, and the check that it left red.
func stateOf(s transcript.Session) string {
	check := failingCheck(s)
	if check != "" {
		check = stillFailed + check + "."
	}
	return joinTexts("\n\n", listCommits(s), check)
}

// failingCheck is the last check or build of a session and why it failed, where it did and nothing was
// written since. What this machine lacks, or somebody ended, says nothing of the code.
func failingCheck(s transcript.Session) string {
	for _, c := range slices.Backward(s.Commands) {
		switch {
		case !isCheck(c.Text):
			continue
		case !c.Failed || c.N < s.EditN || wasEnded(c) || isLocal(c) || isForbidden(c):
			return ""
		}
		return joinTexts(": ", "`"+cutLine(plainCommand(c.Text), mostSubject)+"`",
			strings.TrimRight(tellingLines(c.Output), "."))
	}
	return ""
}

// writeSummary is what a person sees of the end before anything that rules infer: what came of the session,
// what the person corrected and refused, and what this machine lacked. It stays in this clone.
func (n *notes) writeSummary(s transcript.Session, x Extra) string {
	var corrected, without, local []string
	conceded := findCorrections(s)
	for _, p := range s.Prompts {
		text, _ := askedFor(p.Text)
		if saysEnough(text) && (corrects(p) ||
			slices.ContainsFunc(conceded, func(c correction) bool { return c.said == text })) &&
			!slices.ContainsFunc(s.Decisions, func(d transcript.Decision) bool { // It stands below.
				return d.Kind == transcript.Rejected && d.Text != "" && strings.HasPrefix(text, d.Text)
			}) {
			corrected = append(corrected, cutLine(text, mostAnswered))
		}
	}
	for _, d := range s.Decisions {
		switch what := cutLine(d.Question, mostSubject); {
		case d.Kind != transcript.Rejected || what == "" || isOwn(what):
		case d.Text == "":
			without = append(without, what)
		default:
			corrected = append(corrected, cutLine(d.Text, mostAnswered)+" (of "+what+")")
		}
	}
	for _, t := range n.local {
		local = append(local, cutLine(t.tried, mostSubject)+": "+t.why)
	}
	ended := joinTexts("\n\n", stateOf(s), cutText(lastWords(s, x), mostLast))
	return joinTexts("\n\n", ended,
		listBelow("The person corrected:", corrected), listBelow("Refused without a reason:", without),
		listBelow("Only this machine:", local))
}

// Ended tells in whole sentences, as far as so many characters hold them, how a session ended by the outcome
// of its packet.
func Ended(outcome string, most int) string {
	var kept []string
	left := most
	for _, text := range tellingSentences(outcome) {
		text = closeSentence(cutLine(text, most), ";")
		if utf8.RuneCountInString(text) >= left {
			break
		}
		kept = append(kept, text)
		left -= utf8.RuneCountInString(text) + 1
	}
	return strings.TrimRight(strings.Join(kept, " "), ":;")
}

// leastEnding is how many words a sentence has that says something: "Done." and "All clean." do not.
const leastEnding = 4

// tellingSentences are the sentences of an account of work that say what came of it. What only says that
// all went well, leads over to a list, or offers more, is left out.
func tellingSentences(account string) []string {
	var all []string
	for _, para := range splitParagraphs(account) {
		for l := range strings.Lines(para) {
			for _, sentence := range splitSentences(cellOf(strings.TrimSpace(l))) {
				text, _ := cutPhrase("account headings", withoutMarks(sentence))
				text = strings.TrimSpace(text)
				bare := bareHeading().MatchString(l) && !saysDone(text) || bareCode().MatchString(text)
				if !bare && len(words.Fields(text)) >= leastEnding && !leadsOver(text) &&
					!saysAllWell(text) {
					all = append(all, text)
				}
			}
		}
	}
	return all
}

//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	bareHeading = words.Compiled(`^\s*(?:#.*|\*\*(?:[^*]|\*[^*])*\*\*:*)\s*$`)
	bareCode    = words.Compiled("^`[^`]*`$")
)

// deedsOf are what the agent said since a place that it had done, in the words with which it ended its turns:
// the first such sentence of each. A turn that changed nothing tells of what others did, or of what could be,
// unless the agent speaks of itself.
func deedsOf(s transcript.Session, since int) []string {
	var all []string
	for i, w := range s.Words {
		if !w.Summary && w.N >= since && closesTurn(s, i) {
			told := tellingSentences(w.Text)
			changed := changedIn(s, i) || phrases.Begins("own deeds", strings.ToLower(w.Text))
			if at := slices.IndexFunc(told, func(text string) bool {
				return saysDone(text) && (changed || phrases.Begins("own deeds", strings.ToLower(text)))
			}); at >= 0 {
				deed := cutLine(strings.TrimRight(told[at], ".:"), mostLaterAsk)
				if !isTakenBack(s, w.N, deed) {
					all = append(all, deed)
				}
			}
		}
	}
	return slices.Compact(all)
}

// changedIn tells whether the agent changed anything in the turn that its words at a place close: a file, a
// commit, or by a command that did not only look or check.
func changedIn(s transcript.Session, i int) bool {
	since := promptBefore(s, s.Words[i].N)
	return s.Words[i].Changed || slices.ContainsFunc(s.Commands, func(c transcript.Command) bool {
		return c.N > since && c.N < s.Words[i].N && !c.Failed && (gitChange().MatchString(c.Text) ||
			!isCheck(c.Text) && len(deadend.Deeds(plainCommand(c.Text))) > 0)
	})
}

// gitChange finds commands of git and of its hosts that change something.
var gitChange = words.Compiled(`\bgit (?:-C \S+ )?(?:push|rebase|merge|cherry-pick|revert|reset|restore|checkout|` +
	`switch|tag|stash|mv|rm|am)\b|\b(?:gh|glab) \w+ (?:create|edit|ready|close|merge|comment)\b`)

// closesTurn tells whether the words of the agent at a place are the last ones before a prompt, or of all.
func closesTurn(s transcript.Session, i int) bool {
	w := s.Words[i]
	return i == len(s.Words)-1 || slices.ContainsFunc(s.Prompts, func(p transcript.Said) bool {
		return p.N > w.N && p.N < s.Words[i+1].N
	})
}

// saysDone tells a sentence that says that something was done, near its beginning and without a doubt.
func saysDone(text string) bool {
	all := words.Fields(text)
	doubt := false
	for i, w := range all[:min(len(all), 10)] {
		switch {
		case w == "now" && len(all) < 9 && strings.HasSuffix(strings.TrimSpace(text), ":"):
			return false // It leads over to what is shown now.
		case w == "now":
			return i > 0 ||
				!slices.Contains([]string{"i", "we", "let", "let's", "that", "the", "when", "if"}, all[1])
		case phrases.Has("doubts", w):
			doubt = true
		case i > 0 && phrases.Has("before adjectives", all[i-1]):
		case phrases.Has("deeds", w) && !doubt && i < 6:
			return true
		}
	}
	return false
}

// cellOf is the cell of a row of a table that says most; another line stays as it is.
func cellOf(l string) string {
	if !strings.HasPrefix(l, "|") {
		return l
	}
	return strings.TrimSpace(slices.MaxFunc(strings.Split(l, "|"), func(a, b string) int {
		return cmp.Compare(len(words.Fields(a)), len(words.Fields(b)))
	}))
}

// leadsOver tells a sentence that announces or offers what it does not say.
func leadsOver(text string) bool {
	return phrases.Begins("leads", strings.ToLower(text))
}

// saysAllWell tells a sentence that says of checks alone that they pass.
func saysAllWell(text string) bool {
	all := words.Fields(text)
	about := slices.IndexFunc(all[:min(len(all), 3)], func(w string) bool {
		return phrases.Has("checked", w)
	})
	return about >= 0 && slices.ContainsFunc(all[about:min(len(all), about+4)], func(w string) bool {
		return phrases.Has("passes", w)
	})
}

// listCommits names the commits of a session.
func listCommits(s transcript.Session) string {
	var all []string
	for i, c := range s.Commits {
		id := c.ID
		if c.Replaced {
			id = ""
		}
		if c.Replaced && slices.ContainsFunc(s.Commits[i+1:], func(later transcript.Commit) bool {
			return later.Subject == c.Subject
		}) {
			continue // It was made anew.
		}
		if made := strings.TrimSpace(cutLine(id, 40) + " " + cutLine(c.Subject, mostSubject)); made != "" {
			all = append(all, made)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "Commits: " + strings.Join(all[max(0, len(all)-mostTold):], "; ")
}

// lastWords are the last words of the agent. Where it said them and went on to work, they are no account of
// how that ended: a commit at the end is, and a command whose end is not known.
func lastWords(s transcript.Session, x Extra) string {
	last := transcript.Told(s.Last)
	if last == "" || closingWords(s) != "" {
		return cmp.Or(last, x.Summary)
	}
	ended := "It ended in the midst of work."
	if sent := sentToGit(s); sent != "" {
		ended = "It ended in the midst of work: " + sent + " was sent, its result was not seen."
	} else if n := len(s.Commits); n > 0 && s.Commits[n-1].N > max(s.LastN, s.EditN) {
		ended = "It ended with a commit."
	}
	return ended + " Said last:\n\n" + last
}

// sentToGit is the commit or push that was begun last and whose end nobody saw.
func sentToGit(s transcript.Session) string {
	command, _, _ := strings.Cut(s.Unseen, "<<") // A message that stands there is none of the command.
	all := gitSend().FindAllStringSubmatch(command, -1)
	if len(all) == 0 {
		return ""
	}
	return "git " + all[len(all)-1][1]
}

// gitSend finds the commits and pushes of a command line.
var gitSend = words.Compiled(`(?:^|[;&|\n]) *git (?:-C \S+ )?(commit|push)\b`)

// listBelow is a list of the last few items below a heading, each once; "" for none.
func listBelow(heading string, items []string) string {
	items = slices.Compact(items)
	if len(items) == 0 {
		return ""
	}
	return heading + "\n- " + strings.Join(items[max(0, len(items)-mostTold):], "\n- ")
}

// joinTexts joins the texts that are not empty.
func joinTexts(sep string, texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), sep)
}

// cutText returns a text with its lines, cut to a number of characters.
func cutText(text string, most int) string {
	text = clean.Text(transcript.Told(text))
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
