package transcript

import (
	"slices"
	"time"
)

// builder gathers a session from records as they come. Every text enters it through told and one of head and tail.
type builder struct {
	s         Session
	at        time.Time // of the record that is read now
	prompts   list[Said]
	commands  list[Command]
	failures  list[Failure]
	decisions list[Decision]
	commits   list[Commit]
	edited    list[string]
	steps     steps
	pending   list[call]
	fallback  Session // words that count only where there are no better ones
	spoke     bool    // the agent said or did something since the last prompt
}

// when notes the time of a record.
func (b *builder) when(at time.Time) {
	if at.IsZero() {
		return
	}
	b.at = at
	if b.s.Began.IsZero() || at.Before(b.s.Began) {
		b.s.Began = at
	}
	if at.After(b.s.Ended) {
		b.s.Ended = at
	}
}

// stamp reads the time of a record as most clients write it.
func (b *builder) stamp(text string) {
	if at, err := time.Parse(time.RFC3339Nano, text); err == nil {
		b.when(at.UTC())
	}
}

// set replaces what is known of the session by a text that is not empty.
func set(field *string, text string) {
	if text = head(told(text), mostLabel); text != "" {
		*field = text
	}
}

// setOnce is set for what is known already.
func setOnce(field *string, text string) {
	if *field == "" {
		set(field, text)
	}
}

// prompt adds what the person typed. A client may write the same prompt in several records, which no word of the agent parts.
func (b *builder) prompt(key, text string) {
	text = head(told(text), mostPrompt)
	n := len(b.prompts.values)
	if text == "" || !b.spoke && n > 0 && b.prompts.values[n-1].Text == text && b.prompts.find(key) < 0 {
		return
	}
	b.prompts.put(key, Said{Text: text, At: b.at})
	b.spoke = false
	if n >= mostPrompts {
		b.prompts.cut(1)
	}
}

// said notes the agent's words.
func (b *builder) said(text string) {
	b.spoke = true
	if text = head(told(text), mostWords); text != "" {
		b.s.Last = text
	}
}

// summary notes the client's own summary of what came before.
func (b *builder) summary(text string) {
	if text = head(told(text), mostSummary); text != "" {
		b.s.Summary = text
	}
}

// edit notes that a path was written.
func (b *builder) edit(path string) {
	if path = head(told(path), mostLabel); path == "" {
		return
	}
	b.edited.remove(path)
	b.edited.put(path, path)
	if len(b.edited.values) > mostPaths {
		b.edited.cut(0)
	}
}

// decide notes what the person decided.
func (b *builder) decide(key string, kind DecisionKind, question, text string) {
	b.decisions.put(key, Decision{
		Kind: kind, Question: head(told(question), mostPlan), Text: head(told(text), mostCommand), At: b.at,
	})
	if len(b.decisions.values) > mostRest {
		b.decisions.cut(0)
	}
}

// command notes what ran in a shell. When there are too many, those that did not fail go first.
func (b *builder) command(key string, c Command) {
	b.commands.put(key, c)
	if len(b.commands.values) <= mostCommands {
		return
	}
	b.commands.cut(max(0, slices.IndexFunc(b.commands.values, func(c Command) bool { return !c.Failed })))
}

// fail notes that another tool failed.
func (b *builder) fail(key string, f Failure) {
	b.failures.put(key, f)
	if len(b.failures.values) > mostRest {
		b.failures.cut(0)
	}
}

// ask keeps a call until its answer comes.
func (b *builder) ask(id string, c call) {
	b.spoke = true
	if id = head(id, mostLabel); id == "" {
		return
	}
	b.pending.put(id, c)
	if len(b.pending.values) > mostPending {
		b.pending.cut(0)
	}
}

// asked returns the call that an answer belongs to and forgets it.
func (b *builder) asked(id string) (call, bool) {
	i := b.pending.find(id)
	if i < 0 {
		return call{}, false
	}
	c := b.pending.values[i]
	b.pending.cut(i)
	return c, true
}

// session is what was gathered.
func (b *builder) session(f Format) Session {
	s := b.s
	s.Format = f
	s.Prompts, s.Commands, s.Failures = b.prompts.values, b.commands.values, b.failures.values
	s.Decisions, s.Edited, s.Commits = b.decisions.values, b.edited.values, b.commits.values
	s.Todos = b.steps.all()
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
