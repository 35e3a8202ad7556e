package transcript

import "github.com/tidwall/gjson"

// qwen reads the chats of Qwen Code: records as Claude Code has them, messages as Gemini CLI has them.
type qwen struct{}

func (q *qwen) takeRecord(b *builder, r gjson.Result) {
	kind := r.Get("type").Str
	if kind != "user" && kind != "assistant" && kind != "tool_result" {
		return
	}
	b.notePlace(r)
	setText(&b.s.Model, r.Get("model").Str)
	parts := r.Get("message.parts")
	switch kind {
	case "user":
		if from := r.Get("provenance").Str; from == "" || from == "real_user" {
			b.addWithoutCommand("", joinedText(parts))
		}
	case "assistant":
		b.addWords(joinedText(parts))
		for _, part := range parts.Array() {
			if asked := part.Get("functionCall"); asked.Exists() {
				b.addCall(asked.Get("id").Str, newCall(asked.Get("name").Str, asked.Get("args")))
			}
		}
	case "tool_result":
		q.takeResult(b, parts, r.Get("toolCallResult"))
	}
}

// takeResult takes the answers to calls.
func (q *qwen) takeResult(b *builder, parts, result gjson.Result) {
	for _, part := range parts.Array() {
		answer := part.Get("functionResponse")
		id := answer.Get("id").Str
		asked, ok := b.takeCall(id)
		if !ok {
			continue
		}
		o := outcome{
			text:   firstText(answer, "response.error", "response.output"),
			failed: result.Get("status").Str == "error",
		}
		geminiOutcome(&asked, &o, result.Get("status").Str == "cancelled")
		if code := result.Get("resultDisplay.exitCode"); code.Type == gjson.Number &&
			asked.kind == shellCall {
			o.exit, o.failed = int(code.Int()), o.failed || code.Int() != 0
		}
		b.finishCall(id, asked, o)
	}
}
