package transcript

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// takeOpenCode reads what opencode export writes: what the session is, and messages of parts.
func (b *builder) takeOpenCode(r gjson.Result) {
	switch {
	case r.Get("role").Exists():
		b.takeOpenCodeMessage(r)
	case r.Get("type").Exists():
		b.takeOpenCodePart(r)
	case r.Get("directory").Exists():
		setText(&b.s.ID, r.Get("id").Str)
		setText(&b.s.Dir, r.Get("directory").Str)
		b.noteTime(millis(r.Get("time.created")))
	}
}

func (b *builder) takeOpenCodeMessage(r gjson.Result) {
	b.role = r.Get("role").Str
	b.summary = b.role == "assistant" && r.Get("summary").Type == gjson.True
	b.noteTime(millis(r.Get("time.created")))
	if b.role != "assistant" {
		return
	}
	setText(&b.s.Model, r.Get("modelID").Str)
	setText(&b.s.Dir, r.Get("path.cwd").Str)
}

func (b *builder) takeOpenCodePart(p gjson.Result) {
	switch kind := p.Get("type").Str; {
	case kind == "text" && !p.Get("synthetic").Bool() && !p.Get("ignored").Bool():
		b.takeOpenCodeWords(p)
	case kind == "tool":
		b.takeOpenCodeCall(p)
	case kind == "patch":
		for _, path := range p.Get("files").Array() {
			b.addEdit(path.Str)
		}
	}
}

func (b *builder) takeOpenCodeWords(p gjson.Result) {
	words := p.Get("text").Str
	switch {
	case b.summary:
		b.addSummary(words)
		return
	case b.role == "assistant":
		b.addWords(words)
		return
	}
	if n := len(words); n > 2 && words[0] == '"' && words[n-1] == '"' &&
		!strings.Contains(words[1:n-1], `"`) {
		words = words[1 : n-1] // the client puts what was given on its command line in quotes
	}
	b.addPrompt(p.Get("id").Str, words)
}

// takeOpenCodeCall takes a call together with its answer.
func (b *builder) takeOpenCodeCall(p gjson.Result) {
	state := p.Get("state")
	b.noteTime(millis(state.Get("time.end")))
	asked := newCall(p.Get("tool").Str, state.Get("input"))
	end := outcome{text: firstText(state, "error", "output"), failed: state.Get("status").Str == "error"}
	if status := state.Get("status").Str; status != "error" && status != "completed" {
		return
	}
	if code := state.Get("metadata.exit"); code.Type == gjson.Number {
		end.exit, end.failed = int(code.Int()), end.failed || code.Int() != 0
	}
	if end.failed && strings.HasPrefix(end.text, "The user rejected permission") {
		end.rejected = true
		_, end.reason, _ = strings.Cut(end.text, "following feedback: ")
	}
	if asked.kind == askCall {
		end.answers = answeredQuestions(asked.asked, state.Get("metadata.answers"))
	}
	b.finishCall(p.Get("callID").Str, asked, end)
}

func millis(v gjson.Result) time.Time {
	if v.Type != gjson.Number {
		return time.Time{}
	}
	return time.UnixMilli(v.Int()).UTC()
}
