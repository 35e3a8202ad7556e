package transcript

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// openCode reads what opencode export writes: what the session is, and messages of parts.
type openCode struct {
	role    string // of the message whose parts follow
	id      string
	summary bool // it is the client's summary of what came before
}

func (o *openCode) takeRecord(b *builder, r gjson.Result) {
	switch {
	case r.Get("role").Exists():
		o.takeMessage(b, r)
	case r.Get("type").Exists():
		o.takePart(b, r)
	case r.Get("directory").Exists():
		setText(&b.s.ID, r.Get("id").Str)
		setText(&b.s.Dir, r.Get("directory").Str)
		setText(&b.s.Version, r.Get("version").Str)
		b.noteTime(millis(r.Get("time.created")))
	}
}

func (o *openCode) takeMessage(b *builder, r gjson.Result) {
	o.role, o.id = r.Get("role").Str, headOfText(r.Get("id").Str, mostLabel)
	o.summary = o.role == "assistant" && r.Get("summary").Type == gjson.True
	b.noteTime(millis(r.Get("time.created")))
	if o.role != "assistant" {
		return
	}
	setText(&b.s.Model, r.Get("modelID").Str)
	setText(&b.s.Dir, r.Get("path.cwd").Str)
}

func (o *openCode) takePart(b *builder, p gjson.Result) {
	if id := p.Get("messageID").Str; id != "" && id != o.id {
		return
	}
	switch kind := p.Get("type").Str; {
	case kind == "text" && !p.Get("synthetic").Bool() && !p.Get("ignored").Bool():
		o.takeWords(b, p)
	case kind == "tool":
		o.takeCalled(b, p)
	case kind == "patch":
		for _, path := range p.Get("files").Array() {
			b.addEdit(path.Str)
		}
	case kind == "compaction":
		b.spoke = true
	}
}

func (o *openCode) takeWords(b *builder, p gjson.Result) {
	words := p.Get("text").Str
	switch {
	case o.summary:
		b.addSummary(words)
		return
	case o.role == "assistant":
		b.addWords(words)
		return
	}
	if n := len(words); n > 2 && words[0] == '"' && words[n-1] == '"' &&
		!strings.Contains(words[1:n-1], `"`) {
		words = words[1 : n-1] // the client puts what was given on its command line in quotes
	}
	b.addPrompt(p.Get("id").Str, words)
}

// takeCalled takes a call together with its answer.
func (o *openCode) takeCalled(b *builder, p gjson.Result) {
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
