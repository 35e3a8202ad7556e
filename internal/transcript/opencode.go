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

func (o *openCode) take(b *builder, r gjson.Result) {
	switch {
	case r.Get("role").Exists():
		o.message(b, r)
	case r.Get("type").Exists():
		o.part(b, r)
	case r.Get("directory").Exists():
		set(&b.s.ID, r.Get("id").Str)
		set(&b.s.Dir, r.Get("directory").Str)
		set(&b.s.Version, r.Get("version").Str)
		b.when(millis(r.Get("time.created")))
	}
}

func (o *openCode) message(b *builder, r gjson.Result) {
	o.role, o.id = r.Get("role").Str, head(r.Get("id").Str, mostLabel)
	o.summary = o.role == "assistant" && r.Get("summary").Type == gjson.True
	b.when(millis(r.Get("time.created")))
	if o.role != "assistant" {
		return
	}
	set(&b.s.Model, r.Get("modelID").Str)
	set(&b.s.Dir, r.Get("path.cwd").Str)
}

func (o *openCode) part(b *builder, p gjson.Result) {
	if id := p.Get("messageID").Str; id != "" && id != o.id {
		return
	}
	switch kind := p.Get("type").Str; {
	case kind == "text" && !p.Get("synthetic").Bool() && !p.Get("ignored").Bool():
		o.words(b, p)
	case kind == "tool":
		o.called(b, p)
	case kind == "patch":
		p.Get("files").ForEach(func(_, path gjson.Result) bool {
			b.edit(path.Str)
			return true
		})
	case kind == "compaction":
		b.spoke = true
	}
}

func (o *openCode) words(b *builder, p gjson.Result) {
	words := p.Get("text").Str
	switch {
	case o.summary:
		b.summary(words)
		return
	case o.role == "assistant":
		b.said(words)
		return
	}
	if n := len(words); n > 2 && words[0] == '"' && words[n-1] == '"' &&
		!strings.Contains(words[1:n-1], `"`) {
		words = words[1 : n-1] // the client puts what was given on its command line in quotes
	}
	b.prompt(p.Get("id").Str, words)
}

// called takes a call together with its answer.
func (o *openCode) called(b *builder, p gjson.Result) {
	state := p.Get("state")
	b.when(millis(state.Get("time.end")))
	asked := newCall(p.Get("tool").Str, state.Get("input"))
	end := outcome{text: first(state, "error", "output"), failed: state.Get("status").Str == "error"}
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
		end.answers = answered(asked.asked, state.Get("metadata.answers"))
	}
	b.finish(p.Get("callID").Str, asked, end)
}

func millis(v gjson.Result) time.Time {
	if v.Type != gjson.Number {
		return time.Time{}
	}
	return time.UnixMilli(v.Int()).UTC()
}
