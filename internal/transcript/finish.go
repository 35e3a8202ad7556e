package transcript

import "strings"

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
	commit   string // id of a commit that the client itself noticed
}

// finish takes down how a call ended. The same key may come again; then the last one counts.
func (b *builder) finish(key string, c call, o outcome) {
	b.spoke = true
	if isOwnTool(c.tool) || c.kind == shellCall && ownCommand(c.command) == wholly || HeldBack(o.text) {
		return
	}
	key = head(key, mostLabel)
	b.commands.remove(key)
	b.decisions.remove(key)
	switch {
	case o.rejected && c.kind == planCall && o.reason == "":
		b.decide(key, Unknown, subject(c), "")
	case o.rejected:
		b.decide(key, Rejected, subject(c), o.reason)
	case o.stopped:
	case c.kind == shellCall:
		b.ran(key, c, o)
	case o.failed:
		b.called(key, c, o)
	default:
		b.succeeded(key, c, o)
	}
}

// subject says in one text what was asked of a tool.
func subject(c call) string {
	if c.kind == planCall || c.kind == askCall || c.what == "" {
		return strings.TrimSpace(c.what)
	}
	return c.tool + ": " + c.what
}

// ran takes down the end of a command.
func (b *builder) ran(key string, c call, o outcome) {
	if c.command == "" {
		return
	}
	words := bare(Told(o.text))
	if ownCommand(c.command) == partly {
		words = ""
	}
	b.committed(c.command, words, o.commit)
	for _, path := range c.paths {
		if !o.failed {
			b.edit(path)
		}
	}
	if o.failed && notRun(words) {
		return
	}
	done := Command{Text: c.command, Exit: o.exit, Tool: c.tool}
	if o.failed && !saysNo(c.command, o.exit, words) {
		done.Failed, done.Output = true, tail(words, mostOutput)
	}
	b.command(key, done)
}

// called takes down a call of a tool of a server. What the client's own tools refuse tells how an agent handles them, and nothing of
// the work.
func (b *builder) called(key string, c call, o outcome) {
	words := bare(Told(o.text))
	if !strings.HasPrefix(c.tool, "mcp") || o.failed && (words == "" || notRun(words)) {
		return
	}
	done := Command{Text: strings.TrimSpace(c.tool + " " + c.what), Failed: o.failed, Tool: c.tool}
	if o.failed {
		done.Output = head(words, mostOutput)
	}
	b.command(key, done)
}

// succeeded takes down what a tool other than a shell did.
func (b *builder) succeeded(key string, c call, o outcome) {
	switch c.kind {
	case writeCall:
		for _, path := range c.paths {
			b.edit(path)
		}
	case todoCall:
		b.steps.whole, b.steps.last = c.todos, todoCall
		b.s.TodosN = b.n
	case taskCreateCall:
		b.steps.create(c.task, taskID(o.text))
		b.s.TodosN = b.n
	case taskUpdateCall:
		b.steps.update(c.task)
		b.s.TodosN = b.n
	case tableCall:
		b.steps.apply(c.tables)
		b.s.TodosN = b.n
	case planCall:
		if o.approved {
			b.decide(key, Approved, c.plan, o.reason)
		}
	case askCall:
		for i, q := range o.answers {
			if i > 0 {
				key += "+"
			}
			b.decide(key, Answered, q.text, q.answer)
		}
	case otherCall:
		b.called(key, c, o)
	case shellCall, readCall:
	}
}
