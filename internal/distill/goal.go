package distill

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// The words of origins about prompts.
const (
	fromFirst   = "first prompt"
	fromLater   = "a later prompt"
	fromSummary = "client's summary"
)

// goal takes the goal from the first prompt that states one.
func (n *notes) goal(s transcript.Session) {
	fallback, from := "", ""
	for i, p := range s.Prompts {
		origin := fromLater
		if i == 0 {
			origin = fromFirst
		}
		text, plan := asked(p.Text)
		if plan {
			origin = "plan in the " + strings.TrimPrefix(origin, "a ")
		}
		switch {
		case text == "":
		case says(text):
			n.doc.Goal, n.origins["/goal"] = text, origin
			return
		case fallback == "":
			fallback, from = text, origin
		}
	}
	if summed := section(s.Summary, "primary request and intent", "primary request", "goal", "task overview", "user request"); summed != "" {
		fallback, from = line(summed, mostGoal), fromSummary
	}
	if fallback != "" {
		n.doc.Goal, n.origins["/goal"] = fallback, from
	}
}

// says tells whether a text has enough words to be a goal.
func says(text string) bool {
	wide := strings.IndexFunc(text, func(c rune) bool {
		return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
	}) >= 0
	return len(words(text)) >= 3 || wide && utf8.RuneCountInString(text) >= 6
}

// asked returns what a prompt asks for, as one paragraph, and whether it was the title of a plan; "" where the prompt asks for
// nothing of its own.
func asked(text string) (goal string, plan bool) {
	text = strings.TrimSpace(text)
	if handed, ok := cutPrefixFold(text, "implement the following plan:"); ok {
		return planTitle(handed), true
	}
	text = withoutCommand(text)
	if isMachine(text) {
		return "", false
	}
	paras := slices.DeleteFunc(paragraphs(text), func(p string) bool { return isMachine(p) || isSmallTalk(p) })
	if len(paras) == 0 {
		return "", false
	}
	at := max(slices.IndexFunc(paras, isProse), 0)
	goal = paras[at]
	if strings.HasSuffix(goal, ":") && at+1 < len(paras) {
		goal += " " + paras[at+1]
	}
	return line(withoutPlaceholders(goal), mostGoal), false
}

func cutPrefixFold(text, prefix string) (string, bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return text, false
	}
	return text[len(prefix):], true
}

// planTitle returns the title of a plan, or its first line where it has no telling title.
func planTitle(plan string) string {
	for _, l := range lines(plan) {
		title := unmarked(l)
		if rest, ok := cutPrefixFold(title, "plan:"); ok {
			title = strings.TrimSpace(rest)
		}
		if title == "" || strings.EqualFold(title, "plan") || strings.EqualFold(title, "context") || strings.EqualFold(title, "overview") || strings.HasPrefix(title, "```") {
			continue
		}
		return line(title, mostGoal)
	}
	return ""
}

// withoutCommand returns what a command of the client asks for: nothing where it only steers the client, as "/clear" does, and
// else its name as a word, as in "/review the parser". A path is no command.
func withoutCommand(text string) string {
	name, rest, _ := strings.Cut(text, " ")
	if !strings.HasPrefix(name, "/") || len(name) < 2 || strings.ContainsAny(name[1:], "/.\\\n") {
		return text
	}
	if rest = strings.TrimSpace(rest); rest == "" || steers(name[1:]) {
		return ""
	}
	return strings.NewReplacer("-", " ", "_", " ", ":", " ").Replace(name[1:]) + " " + rest
}

// steers tells a command that only steers the client.
func steers(name string) bool {
	switch name {
	case "clear", "compact", "model", "login", "logout", "help", "resume", "config", "cost", "status", "mcp", "memory", "agents", "permissions", "hooks",
		"doctor", "export", "usage", "context", "add-dir", "rename", "fast", "effort", "theme", "vim", "ide", "bug", "exit", "quit", "new", "undo", "diff",
		"mention", "approvals", "output-style", "statusline", "tools", "chat", "stats", "auth", "editor", "settings", "directory", "extensions", "feedback":
		return true
	}
	return false
}

// isMachine tells a text that the client wrote in the person's place.
func isMachine(text string) bool {
	for _, mark := range []string{
		"<command-", "<local-command", "<system-reminder", "<hook_context", "<session_context", "<environment_context", "<user_instructions",
		"<task-notification", "Caveat:", "[Request interrupted", "This session is being continued from a previous conversation",
		"# AGENTS.md instructions", "Base directory for this skill:", "[SYSTEM NOTIFICATION",
	} {
		if strings.HasPrefix(text, mark) {
			return true
		}
	}
	return false
}

// mostSmallTalk is how many words small talk has. A longer text means something.
const mostSmallTalk = 6

// isSmallTalk tells a greeting, a thank-you and a word to go on from what states a goal.
func isSmallTalk(text string) bool {
	all := words(text)
	return len(all) == 0 || len(all) <= mostSmallTalk && !slices.ContainsFunc(all, func(w string) bool { return !isSmall(w) })
}

// isSmall tells a word of small talk.
func isSmall(word string) bool {
	switch word {
	case "hi", "hello", "hey", "yo", "hiya", "greetings", "good", "morning", "afternoon", "evening", "day", "there", "claude", "codex", "gemini",
		"copilot", "cursor", "qwen", "thanks", "thank", "you", "thx", "cheers", "please", "pls", "test", "testing", "ping",
		"continue", "go", "on", "ahead", "proceed", "resume", "keep", "going", "carry", "yes", "yeah", "yep", "yup", "y", "no", "n", "ok", "okay",
		"k", "sure", "do", "it", "that", "this", "next", "step", "again", "retry", "try", "start", "begin", "let's", "lets", "fine", "great",
		"perfect", "nice", "looks", "lgtm", "works", "done", "cool", "where", "we", "left", "off", "from", "with", "work", "the", "now", "and",
		"hallo", "moin", "guten", "tag", "morgen", "weiter", "mach", "machen", "bitte", "danke", "ja", "nein", "hola", "buenas", "gracias", "sigue",
		"bonjour", "salut", "merci", "oui", "ciao", "grazie", "si", "sí", "continua", "你好", "继续", "好", "好的", "谢谢", "こんにちは", "続けて":
		return true
	}
	return false
}

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
	for _, mark := range []string{"[Image #", "[Pasted text #", "[Image:"} {
		for {
			before, after, found := strings.Cut(text, mark)
			_, rest, closed := strings.Cut(after, "]")
			if !found || !closed {
				break
			}
			text = before + rest
		}
	}
	return clean.Line(text)
}

// section returns the first paragraph below a heading of a summary, by the first of some names that a heading has.
func section(text string, names ...string) string {
	all := lines(text)
	for _, name := range names {
		for i, l := range all {
			head, rest, _ := strings.Cut(unmarked(l), ":")
			if !strings.EqualFold(strings.Trim(strings.TrimSpace(head), "*_ "), name) {
				continue
			}
			rest = strings.Trim(rest, "*_ ")
			if rest == "" && i+1 < len(all) {
				rest = unmarked(all[i+1])
			}
			if said := cmp.Or(rest, ""); said != "" && !isNone(said) {
				return said
			}
		}
	}
	return ""
}

// isNone tells a section that says that there is nothing to say.
func isNone(text string) bool {
	all := words(text)
	return len(all) == 0 || len(all) <= 3 && slices.ContainsFunc(all, func(w string) bool { return w == "none" || w == "nothing" || w == "n" })
}
