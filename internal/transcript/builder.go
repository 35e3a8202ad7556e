package transcript

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/words"
)

// builder gathers a session from records as they come. Every text enters it through Told and one of head and
// tail.
type builder struct {
	s         Session
	n         int // how much was said and done so far
	prompts   list[Said]
	commands  list[Command]
	decisions list[Decision]
	commits   list[Commit]
	edited    list[string]
	words     list[Word]
	wordBytes int // of words
	steps     steps
	pending   list[call]
	fallback  Session // words that count only where there are no better ones
	spoke     bool    // the agent said or did something since the last prompt
	stopped   bool    // the person stopped it since then
	changed   bool    // it wrote a file or made a commit since then

	plan    string // Codex: the last that was proposed
	role    string // OpenCode: of the message whose parts follow
	summary bool   // OpenCode: it is the client's summary of what came before
}

// next is the place of what comes now in the order of the session.
func (b *builder) next() int {
	b.n++
	return b.n
}

// noteTime notes the time of a record.
func (b *builder) noteTime(at time.Time) {
	if at.IsZero() {
		return
	}
	if b.s.Began.IsZero() || at.Before(b.s.Began) {
		b.s.Began = at
	}
	if at.After(b.s.Ended) {
		b.s.Ended = at
	}
}

// noteStamp reads the time of a record as most clients write it.
func (b *builder) noteStamp(text string) {
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		b.noteTime(at.UTC())
	}
}

// setText replaces what is known of the session by a text that is not empty.
func setText(field *string, text string) {
	if text = headOfText(Told(text), mostLabel); text != "" {
		*field = text
	}
}

// setOnce is set for what is known already.
func setOnce(field *string, text string) {
	if *field == "" {
		setText(field, text)
	}
}

// addPrompt adds what the person typed. A client may write the same prompt in several records, which no
// word of the agent parts, and one that was typed while the agent worked again when its turn comes.
func (b *builder) addPrompt(key, text string) {
	text = headOfText(Told(text), mostPrompt)
	n := len(b.prompts.values)
	// Some clients keep what our hook said as if it had been typed.
	if !Typed(text) || strings.HasPrefix(text, "git ltm: ") {
		return
	}
	for i, p := range slices.Backward(b.prompts.values) {
		if b.prompts.find(key) < 0 && p.Text == text &&
			(p.Corrects && n-i <= mostQueued || !b.spoke && i == n-1) {
			return
		}
	}
	plan, handed := HandedPlan(text)
	if handed {
		// Notes that a plan was approved, in the place of what looked as if it had been put aside.
		title, _, _ := strings.Cut(plan, "\n")
		for i, d := range slices.Backward(b.decisions.values) {
			if before, _, _ := strings.Cut(d.Question, "\n"); before == title &&
				(d.Kind == Unknown || d.Kind == Approved) {
				b.decisions.cut(i)
				break
			}
		}
		b.addDecision("", Approved, plan, "")
	}
	b.prompts.put(key, Said{Text: text, Corrects: b.stopped && !handed, N: b.next()})
	b.spoke, b.stopped, b.changed, b.s.Unseen = false, false, false, ""
	if n >= mostPrompts {
		b.prompts.cut(1)
	}
}

// addQueued adds what the person typed while the agent worked.
func (b *builder) addQueued(text string) {
	if Typed(text) {
		b.stopped = true
		b.addPrompt("", text)
	}
}

// HandedPlan returns the plan that a prompt hands over to be carried out, as clients write it when a plan was
// approved and its making is to be forgotten.
func HandedPlan(text string) (plan string, ok bool) {
	const lead = "Implement the following plan:"
	if len(text) < len(lead) || !strings.EqualFold(text[:len(lead)], lead) {
		return "", false
	}
	plan, _, _ = strings.Cut(text[len(lead):], "\nIf you need specific details from before exiting plan mode")
	return strings.TrimSpace(plan), true
}

// addWords notes the agent's words.
func (b *builder) addWords(text string) {
	b.spoke = true
	if text = headOfText(Told(text), mostWords); text != "" && text != b.s.Last {
		b.s.Last, b.s.LastN = text, b.next()
		b.keepWord(Word{Text: text, Changed: b.changed, N: b.s.LastN})
	}
}

// addSummary notes the client's own summary of what came before.
func (b *builder) addSummary(text string) {
	if text = headOfText(Told(text), mostSummary); text != "" {
		b.s.Summary, b.s.SummaryN = text, b.next()
		b.keepWord(Word{Text: text, Summary: true, N: b.s.SummaryN})
	}
}

// keepWord keeps words. The oldest go when there are too many.
func (b *builder) keepWord(w Word) {
	b.words.put("", w)
	for b.wordBytes += len(w.Text); b.wordBytes > mostSaid; b.words.cut(0) {
		b.wordBytes -= len(b.words.values[0].Text)
	}
}

// addEdit notes that a path was written.
func (b *builder) addEdit(path string) {
	if path = headOfText(Told(path), mostLabel); path == "" {
		return
	}
	b.s.EditN, b.changed = b.n, true
	b.edited.remove(path)
	b.edited.putBounded(path, path, mostPaths)
}

// addDecision notes what the person decided.
func (b *builder) addDecision(key string, kind DecisionKind, question, text string) {
	b.decisions.putBounded(key, Decision{
		Kind: kind, Question: headOfText(Told(question), mostPlan), Text: headOfText(Told(text), mostCommand),
		N: b.next(),
	}, mostRest)
	b.stopped = b.stopped || kind == Rejected && text == ""
}

// addCommand notes what ran in a shell. When there are too many, those that did not fail go first.
func (b *builder) addCommand(key string, c Command) {
	c.N = b.next()
	b.commands.put(key, c)
	if len(b.commands.values) <= mostCommands {
		return
	}
	b.commands.cut(max(0, slices.IndexFunc(b.commands.values, func(c Command) bool { return !c.Failed })))
}

// addCall keeps a call until its answer comes.
func (b *builder) addCall(id string, c call) {
	b.spoke = true
	b.s.WorkN, b.s.Unseen = b.next(), ""
	if ownCommand(c.command) == foreign {
		b.s.Unseen = c.command
	}
	b.pending.putBounded(headOfText(id, mostLabel), c, mostPending)
}

// takeCall returns the call that an answer belongs to and forgets it.
func (b *builder) takeCall(id string) (call, bool) {
	i := b.pending.find(id)
	if i < 0 {
		return call{}, false
	}
	c := b.pending.values[i]
	b.pending.cut(i)
	return c, true
}

// makeSession is what was gathered.
func (b *builder) makeSession(f Format) Session {
	s := b.s
	s.Format = f
	s.Prompts, s.Commands = b.prompts.values, b.commands.values
	s.Decisions, s.Edited, s.Commits = b.decisions.values, b.edited.values, b.commits.values
	s.Words, s.Todos = b.words.values, b.steps.whole
	if b.steps.bySingle {
		s.Todos = b.steps.single.values
	}
	if s.Branch == "HEAD" {
		s.Branch = "" // no branch is checked out
	}
	if len(s.Prompts) == 0 {
		s.Prompts = b.fallback.Prompts
	}
	if s.Summary == "" {
		s.Summary = b.fallback.Summary
	}
	return s
}

// outcome is what a client tells of the end of a call.
type outcome struct {
	text     string // what the tool printed, or what went wrong
	exit     int
	failed   bool
	stopped  bool // before it was done, by the person
	rejected bool
	reason   string // of the person who rejected it
	approved bool   // a plan was accepted
	answers  []question
}

// finishCall takes down how a call ended. The same key may come again; then the last one counts.
func (b *builder) finishCall(key string, c call, o outcome) {
	b.spoke = true
	b.s.Unseen = ""
	if id := printedID().FindString(o.text); !o.failed && id != "" &&
		ownSave().MatchString(c.tool+" "+c.command) {
		b.s.Saved, b.s.SavedN = id, b.next()
	}
	if isOwnTool(c.tool) || c.kind == shellCall && ownCommand(c.command) == wholly || HeldBack(o.text) {
		return
	}
	key = headOfText(key, mostLabel)
	b.commands.remove(key)
	b.decisions.remove(key)
	switch {
	case o.rejected && c.kind == planCall && o.reason == "":
		b.addDecision(key, Unknown, subjectOf(c), "")
	case o.rejected:
		b.addDecision(key, Rejected, subjectOf(c), o.reason)
	case o.stopped:
	case c.kind == shellCall:
		b.finishShell(key, c, o)
	case o.failed:
		b.finishTool(key, c, o)
	default:
		b.finishSuccess(key, c, o)
	}
}

// What git ltm is called with to save a packet, and the id that it prints.
//
//nolint:gochecknoglobals // Functions that remember their results; nobody writes to them.
var (
	ownSave   = words.Compiled(`ltm(?:_+|-|["']? )save\b`)
	printedID = words.Compiled(`\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b`)
)

// subjectOf says in one text what was asked of a tool.
func subjectOf(c call) string {
	if c.kind == planCall || c.kind == askCall || c.what == "" {
		return strings.TrimSpace(c.what)
	}
	return c.tool + ": " + c.what
}

// finishShell takes down the end of a command.
func (b *builder) finishShell(key string, c call, o outcome) {
	if c.command == "" {
		return
	}
	words := bareError(Told(o.text))
	if ownCommand(c.command) == partly {
		words = ""
	}
	b.addCommits(c.command, words)
	for _, path := range c.paths {
		if !o.failed {
			b.addEdit(path)
		}
	}
	if o.failed && phrases.Begins("not run", words) {
		return
	}
	done := Command{Text: c.command, Exit: o.exit}
	if o.failed && !saysNo(c.command, o.exit, words) {
		done.Failed, done.Output = true, tailOfText(words, mostOutput)
	}
	b.addCommand(key, done)
}

// finishTool takes down a call of a tool of a server. What the client's own tools refuse tells how an agent
// handles them, and nothing of the work.
func (b *builder) finishTool(key string, c call, o outcome) {
	words := bareError(Told(o.text))
	if !strings.HasPrefix(c.tool, "mcp") || o.failed && (words == "" || phrases.Begins("not run", words)) {
		return
	}
	done := Command{Text: strings.TrimSpace(c.tool + " " + c.what), Failed: o.failed}
	if o.failed {
		done.Output = headOfText(words, mostOutput)
	}
	b.addCommand(key, done)
}

// finishSuccess takes down what a tool other than a shell did.
func (b *builder) finishSuccess(key string, c call, o outcome) {
	switch c.kind {
	case writeCall:
		for _, path := range c.paths {
			b.addEdit(path)
		}
	case todoCall:
		b.steps.whole, b.steps.bySingle = c.todos, false
		b.s.TodosN = b.n
	case taskCreateCall, taskUpdateCall, tableCall:
		for _, change := range c.steps {
			if m := numbered().FindStringSubmatch(o.text); m != nil && c.kind == taskCreateCall {
				change.id = headOfText(m[1], mostLabel)
			}
			b.steps.applyChange(change)
		}
		b.s.TodosN = b.n
	case planCall:
		if o.approved {
			b.addDecision(key, Approved, c.plan, o.reason)
		}
	case askCall:
		for i, q := range o.answers {
			if i > 0 {
				key += "+"
			}
			b.addDecision(key, Answered, q.text, q.answer)
		}
	case otherCall:
		b.finishTool(key, c, o)
	}
}

// list keeps some values in the order in which they came, each under a key that may be empty.
type list[T any] struct {
	keys   []string
	values []T
}

// put replaces what came under the same key, or appends.
func (l *list[T]) put(key string, v T) {
	if i := l.find(key); i >= 0 {
		l.values[i] = v
		return
	}
	l.keys, l.values = append(l.keys, key), append(l.values, v)
}

// putBounded does the same, and gives up the first of more than most.
func (l *list[T]) putBounded(key string, v T, most int) {
	if l.put(key, v); len(l.values) > most {
		l.cut(0)
	}
}

// remove takes out what came under a key.
func (l *list[T]) remove(key string) {
	if i := l.find(key); i >= 0 {
		l.cut(i)
	}
}

func (l *list[T]) cut(i int) {
	l.keys, l.values = slices.Delete(l.keys, i, i+1), slices.Delete(l.values, i, i+1)
}

// find looks from the end, where a key mostly is.
func (l *list[T]) find(key string) int {
	if key == "" {
		return -1
	}
	for i, k := range slices.Backward(l.keys) {
		if k == key {
			return i
		}
	}
	return -1
}

// matchExit returns how a command ended and what it printed, by an expression with these two groups.
func matchExit(end *regexp.Regexp, words string) (exit int, output string, found bool) {
	m := end.FindStringSubmatch(words)
	if m == nil {
		return 0, words, false
	}
	exit, _ = strconv.Atoi(m[end.SubexpIndex("exit")]) // At most nine digits.
	return exit, m[end.SubexpIndex("output")], true
}

// bareError takes off what clients put around the words of an error.
func bareError(text string) string {
	text = strings.TrimSpace(text)
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<tool_use_error>"), "</tool_use_error>")
	return strings.TrimSpace(strings.TrimPrefix(text, "Error: "))
}

// Typed says whether a person typed a text, rather than the client in their place.
func Typed(text string) bool {
	text = strings.TrimSpace(Told(text))
	return text != "" && !phrases.Begins("not typed", text)
}

// saysNo says whether an exit code is the answer of a program that searches or compares, rather than a
// failure.
func saysNo(command string, exit int, output string) bool {
	if exit != 1 {
		return false
	}
	words := strings.Fields(command[strings.LastIndexAny(command, ";&|\n")+1:])
	if len(words) == 0 {
		return false
	}
	always, answers := phrases.Value("answers no", path.Base(words[0]))
	return answers && (always != "" || strings.TrimSpace(output) == "")
}
