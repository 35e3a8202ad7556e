package transcript

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/words"
)

// takeClaude reads the transcripts of Claude Code: a line a record, of which user and assistant hold what was
// said and done. What the client attaches for the model, and what a subagent did, is left out.
func (b *builder) takeClaude(r gjson.Result) {
	if r.Get("isSidechain").Bool() {
		return // a subagent's
	}
	switch r.Get("type").Str {
	case "user":
		b.notePlace(r)
		b.takeClaudeUser(r)
	case "assistant":
		b.notePlace(r)
		b.takeClaudeAssistant(r)
	case "attachment":
		b.takeClaudeQueued(r.Get("attachment"))
	case "queue-operation":
		// What was typed while nothing ran comes again as a prompt, and whole.
		if words := r.Get("content").Str; b.spoke && r.Get("operation").Str == "enqueue" {
			b.addQueued(words)
		}
	case "last-prompt":
		if text := r.Get("lastPrompt").Str; Typed(text) && !strings.HasPrefix(text, "/") {
			b.fallback.Prompts = []Said{{Text: headOfText(Told(text), mostPrompt)}}
		}
	}
}

// notePlace takes what each record tells of where the session stood.
func (b *builder) notePlace(r gjson.Result) {
	b.noteStamp(r.Get("timestamp").Str)
	setOnce(&b.s.ID, r.Get("sessionId").Str)
	setText(&b.s.Dir, r.Get("cwd").Str)
	setText(&b.s.Branch, r.Get("gitBranch").Str)
}

func (b *builder) takeClaudeUser(r gjson.Result) {
	content := r.Get("message.content")
	words := joinedText(content)
	switch {
	case r.Get("isCompactSummary").Bool() ||
		strings.HasPrefix(words, "This session is being continued from a previous conversation"):
		b.addSummary(afterSummaryMark(words))
	case strings.HasPrefix(words, "[Request interrupted"):
		b.stopped = true
	case r.Get("isMeta").Bool() || !byPerson(r):
	case claudeCommand(words) != "":
		b.addPrompt("", claudeCommand(words))
	default:
		b.addPrompt("", words)
	}
	for _, part := range content.Array() {
		if part.Get("type").Str == "tool_result" {
			b.takeClaudeResult(part, r)
		}
	}
}

// takeClaudeQueued takes what the person typed while the agent worked, which is the only thing of theirs that the
// client attaches. The titles that the client writes as records of the type summary are left out: most are
// those of other sessions.
func (b *builder) takeClaudeQueued(a gjson.Result) {
	mode := a.Get("commandMode").Str
	if a.Get("type").Str != "queued_command" || a.Get("isMeta").Bool() ||
		a.Get("carriedByCompaction").Bool() || !byPerson(a) ||
		mode != "" && mode != "prompt" {
		return
	}
	b.addQueued(joinedText(a.Get("prompt")))
}

// byPerson says whether words come from the person, rather than from another agent or a task.
func byPerson(v gjson.Result) bool {
	from := v.Get("origin.kind").Str
	return from == "" || from == "human"
}

// afterSummaryMark takes off the words that introduce a summary, and those that end it.
func afterSummaryMark(words string) string {
	words = Told(words)
	if _, rest, ok := strings.Cut(words, "\nSummary:\n"); ok {
		words = rest
	}
	words, _, _ = strings.Cut(words, "\nIf you need specific details from before compaction")
	words, _, _ = strings.Cut(words, "\nPlease continue the conversation from where we left it off")
	return words
}

// claudeCommand is the command of their own that a person typed, such as a skill. The client writes the name
// of its own commands first, and what is said of others.
func claudeCommand(words string) string {
	if !strings.HasPrefix(strings.TrimSpace(words), "<command-") {
		return ""
	}
	name, args := textBetween(words, "<command-name>", "</command-name>"),
		textBetween(words, "<command-args>", "</command-args>")
	if name = strings.TrimPrefix(name, "/"); name == "" || phrases.Has("own commands", name) {
		return ""
	}
	if args == "" && !strings.HasPrefix(strings.TrimSpace(words), "<command-message>") {
		return ""
	}
	return strings.TrimSpace("/" + name + " " + args)
}

func textBetween(text, begin, end string) string {
	_, rest, _ := strings.Cut(text, begin)
	inside, _, _ := strings.Cut(rest, end)
	return strings.TrimSpace(inside)
}

func (b *builder) takeClaudeAssistant(r gjson.Result) {
	if r.Get("isApiErrorMessage").Bool() {
		return
	}
	if model := r.Get("message.model").Str; !strings.HasPrefix(model, "<") {
		setText(&b.s.Model, model)
	}
	for _, part := range r.Get("message.content").Array() {
		switch part.Get("type").Str {
		case "text":
			b.addWords(part.Get("text").Str)
		case "tool_use":
			b.addCall(part.Get("id").Str, newCall(part.Get("name").Str, part.Get("input")))
		}
	}
}

// takeClaudeResult takes the answer to a call.
func (b *builder) takeClaudeResult(part, r gjson.Result) {
	id := part.Get("tool_use_id").Str
	asked, ok := b.takeCall(id)
	if !ok {
		return
	}
	extra := r.Get("toolUseResult")
	o := outcome{
		text: joinedText(part.Get("content")), failed: part.Get("is_error").Bool(),
		stopped: extra.Get("interrupted").Bool(),
	}
	if o.failed {
		o.reason, o.rejected = claudeReason(o.text)
		o.exit, o.text, _ = matchExit(claudeEnd(), bareError(o.text))
	} else {
		claudeSuccess(&asked, &o, extra)
	}
	b.finishCall(id, asked, o)
}

var claudeEnd = words.Compiled(`(?s)^Exit code (?P<exit>-?\d{1,9})(?:\n(?P<output>.*))?$`)

// claudeReason says whether the person rejected a call, and why.
func claudeReason(words string) (reason string, rejected bool) {
	words = bareError(words)
	if !strings.HasPrefix(words, "The user doesn't want to proceed with this tool use.") &&
		!strings.HasPrefix(words, "The user doesn't want to take this action right now.") {
		return "", false
	}
	_, reason, _ = strings.Cut(words, "the user said:\n")
	reason, _, _ = strings.Cut(reason, "\n\nNote: The user's next message")
	return strings.TrimSpace(reason), true
}

// claudeSuccess reads the answers of tools that ask the person.
func claudeSuccess(asked *call, o *outcome, extra gjson.Result) {
	switch asked.kind {
	case planCall:
		o.approved = strings.HasPrefix(o.text, "User has approved")
		if plan := extra.Get("plan").Str; plan != "" {
			asked.plan = plan
		}
	case askCall:
		o.answers = answeredQuestions(asked.asked, extra.Get("answers"))
	}
}

// question is what an agent asked of the person.
type question struct {
	id, text, answer string
}

// askedQuestions reads what a call asks.
func askedQuestions(args gjson.Result) []question {
	if text := firstText(args, "question", "prompt", "message"); text != "" {
		return []question{{text: headOfText(Told(text), mostPlan)}}
	}
	var all []question
	for _, v := range args.Get("questions").Array() {
		text := headOfText(Told(firstText(v, "question", "header")), mostLabel)
		if text != "" && len(all) < mostParts {
			all = append(all, question{id: headOfText(v.Get("id").String(), mostLabel), text: text})
		}
	}
	return all
}

// answeredQuestions gives questions the answers of a value, whose members are named by the question, its id
// or its place.
func answeredQuestions(asked []question, answers gjson.Result) []question {
	var all []question
	answers.ForEach(func(name, v gjson.Result) bool {
		q := question{
			text:   headOfText(Told(name.String()), mostLabel),
			answer: headOfText(Told(answerText(v)), mostCommand),
		}
		for i, a := range asked {
			if name.String() == a.id || name.String() == strconv.Itoa(i) {
				q.text = a.text
			}
		}
		if q.answer != "" && len(all) < mostParts {
			all = append(all, q)
		}
		return true
	})
	return all
}

// answerText is one answer: a text, some texts, or a value that holds them.
func answerText(v gjson.Result) string {
	if v.IsObject() {
		v = v.Get("answers")
	}
	var texts []string
	for _, t := range v.Array() {
		texts = append(texts, t.String())
	}
	return strings.Join(texts, ", ")
}

// boldedAnswers are questions with their answers, of which a text has a line each.
func boldedAnswers(text string) []question {
	var all []question
	for _, m := range boldedAnswer().FindAllStringSubmatch(text, mostParts) {
		all = append(all, question{
			text: headOfText(Told(m[1]), mostLabel), answer: headOfText(Told(m[2]), mostCommand),
		})
	}
	return all
}

var boldedAnswer = words.Compiled(`(?m)^\s*\*\*(.+?)\*\*:(.*)$`)

// todoList reads the list that a call sets: of values, or of lines with boxes.
func todoList(args gjson.Result) []Todo {
	var all []Todo
	for _, path := range [...]string{"todos", "plan"} {
		list := args.Get(path)
		if list.Type == gjson.String {
			return boxedTodos(list.Str)
		}
		for _, v := range list.Array() {
			all = appendTodo(all, firstText(v, "content", "step", "description", "text", "subject"),
				v.Get("status").String())
		}
	}
	return all
}

// boxedTodos reads lines such as "- [x] done".
func boxedTodos(text string) []Todo {
	var all []Todo
	for line := range strings.Lines(text) {
		box, words, ok := strings.Cut(strings.TrimLeft(strings.TrimSpace(line), "-*+ "), "]")
		if mark, found := strings.CutPrefix(box, "["); ok && found {
			all = appendTodo(all, words, mark)
		}
	}
	return all
}

func appendTodo(all []Todo, words, status string) []Todo {
	words = headOfText(Told(words), mostLabel)
	if s, ok := todoStatus(status); ok && words != "" && len(all) < mostParts {
		all = append(all, Todo{Text: words, Status: s})
	}
	return all
}

// todoStatus is what a client's word for a state means. A step that is given up has none.
func todoStatus(word string) (TodoStatus, bool) {
	status, _ := phrases.Value("states", strings.ToLower(word))
	return TodoStatus(cmp.Or(status, string(Pending))), status != "given up"
}

// stepChange is one step that a call makes or changes.
type stepChange struct {
	makes            bool
	id, text, status string
}

var numbered = words.Compiled(`^[^#]*#(\d+)`)

// steps is the agent's own list, set as a whole or changed step by step; whichever came last counts.
type steps struct {
	whole    []Todo
	single   list[Todo]
	bySingle bool // the last call changed single ones
}

// applyChange adds a step, which is pending, changes one or takes it out.
func (s *steps) applyChange(t stepChange) {
	if t.makes {
		if t.text == "" || len(s.single.values) >= mostParts {
			return
		}
		s.single.put(t.id, Todo{Text: t.text, Status: Pending})
		s.bySingle = true
	}
	i := s.single.find(t.id)
	if i < 0 {
		return
	}
	s.bySingle = true
	if t.text != "" {
		s.single.values[i].Text = t.text
	}
	if t.status == "" {
		return
	}
	status, ok := todoStatus(t.status)
	if !ok {
		s.single.cut(i)
		return
	}
	s.single.values[i].Status = status
}
