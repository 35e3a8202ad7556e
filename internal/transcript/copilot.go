package transcript

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/words"
)

// takeCopilot reads the events of Copilot CLI: a line an event. What the person typed is read as it was typed,
// not as the client sent it on; what hooks said is left out.
func (b *builder) takeCopilot(r gjson.Result) {
	d := r.Get("data")
	switch r.Get("type").Str {
	case "session.start", "session.resume", "session.context_changed":
		b.startCopilot(r.Get("timestamp").Str, d)
	case "session.model_change":
		setText(&b.s.Model, d.Get("newModel").Str)
	case "session.compaction_complete":
		b.addSummary(firstText(d, "summaryContent", "summary"))
	case "system.message":
		b.s.notePerson(!strings.Contains(d.Get("content").Str, "You are running in non-interactive mode"))
	case "user.message":
		b.noteStamp(r.Get("timestamp").Str)
		b.addPrompt("", d.Get("content").Str)
	case "assistant.message":
		b.noteStamp(r.Get("timestamp").Str)
		setText(&b.s.Model, d.Get("model").Str)
		b.addWords(d.Get("content").Str)
	case "tool.execution_start":
		b.addCall(d.Get("toolCallId").Str, newCall(d.Get("toolName").Str, d.Get("arguments")))
	case "tool.execution_complete":
		b.noteStamp(r.Get("timestamp").Str)
		b.completeCopilot(d)
	}
}

func (b *builder) startCopilot(at string, d gjson.Result) {
	b.noteStamp(at)
	setOnce(&b.s.ID, d.Get("sessionId").Str)
	setText(&b.s.Model, d.Get("selectedModel").Str)
	where := d
	if d.Get("context").Exists() {
		where = d.Get("context")
	}
	setText(&b.s.Dir, where.Get("cwd").Str)
	setText(&b.s.Branch, where.Get("branch").Str)
	setOnce(&b.s.Commit, where.Get("headCommit").Str)
}

// completeCopilot takes the answer to a call. A shell counts as a success for the client, whatever its exit
// code.
func (b *builder) completeCopilot(d gjson.Result) {
	id := d.Get("toolCallId").Str
	asked, ok := b.takeCall(id)
	if !ok {
		return
	}
	o := outcome{
		text:   firstText(d, "error.message", "result.content"),
		failed: d.Get("success").Type == gjson.False,
	}
	if asked.kind == shellCall {
		o.exit, o.text, _ = matchExit(copilotEnd(), strings.TrimSpace(o.text))
		o.failed = o.failed || o.exit != 0
	}
	switch code := d.Get("error.code").Str; {
	case code == "denied" || code == "rejected" ||
		o.failed && strings.Contains(o.text, "user rejected this tool call"):
		o.rejected = true
		_, o.reason, _ = strings.Cut(o.text, "User feedback: ")
	case asked.kind == askCall && !o.failed && len(asked.asked) > 0:
		answer := o.text
		for _, prefix := range [...]string{"User responded: ", "User selected: "} {
			answer = strings.TrimPrefix(answer, prefix)
		}
		o.answers = []question{{text: asked.asked[0].text, answer: answer}}
	case asked.kind == planCall:
		o.approved = !o.failed
	}
	b.finishCall(id, asked, o)
	for _, path := range d.Get("fileEdits.#.path").Array() {
		b.addEdit(path.Str)
	}
}

// copilotEnd finds that line, and what stands before it.
var copilotEnd = words.Compiled(`(?s)^(?:(?P<output>.*)\n)?<[^\n]* exit code (?P<exit>-?\d{1,9})>$`)
