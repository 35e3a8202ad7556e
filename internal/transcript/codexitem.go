package transcript

import (
	"strings"

	"github.com/tidwall/gjson"
)

// item takes one of the items that newer clients write when it is complete.
func (c *codex) item(b *builder, item gjson.Result) {
	switch item.Get("type").Str {
	case "UserMessage":
		c.prompt(b, text(item.Get("content")))
	case "AgentMessage":
		b.said(text(item.Get("content")))
	case "Plan":
		b.spoke = true
		c.plan = head(Told(item.Get("text").Str), mostPlan)
	case "CommandExecution":
		c.executed(b, item.Get("id").Str, item)
	case "FileChange":
		c.patchItem(b, item)
	case "McpToolCall":
		c.called(b, item.Get("id").Str, item, item)
	}
}

// executed takes a command that ran. What the model was told of it comes in another record, under the same id.
func (c *codex) executed(b *builder, id string, v gjson.Result) {
	asked, ok := b.asked(id)
	if !ok || asked.kind != shellCall {
		asked = newCall("exec_command", v)
	}
	status := v.Get("status").Str
	o := outcome{
		text: first(v, "aggregated_output", "formatted_output", "stdout"), exit: int(v.Get("exit_code").Int()),
		failed: status == "failed" || v.Get("exit_code").Int() != 0, rejected: status == "declined",
	}
	if o.text == "" {
		o.text = v.Get("stderr").Str
	}
	b.finish(id, asked, o)
}

// patchItem takes an edit.
func (c *codex) patchItem(b *builder, item gjson.Result) {
	id := item.Get("id").Str
	asked, ok := b.asked(id)
	if !ok {
		asked = call{tool: "apply_patch", kind: writeCall}
		item.Get("changes").ForEach(func(path, _ gjson.Result) bool {
			if asked.what == "" {
				asked.what = head(Told(path.String()), mostLabel)
			}
			return true
		})
	}
	switch item.Get("status").Str {
	case "declined":
		b.finish(id, asked, outcome{rejected: true})
	case "failed":
		b.finish(id, asked, outcome{failed: true, text: first(item, "stderr", "stdout")})
	default:
		b.finish(id, asked, outcome{})
		c.changed(b, item.Get("changes"))
	}
}

// changed takes the paths of an edit, which name the members of a value or stand in the elements of a list.
func (c *codex) changed(b *builder, changes gjson.Result) {
	changes.ForEach(func(name, change gjson.Result) bool {
		path := name.String()
		if changes.IsArray() {
			path = change.Get("path").Str
		}
		b.edit(path)
		return true
	})
}

// called takes a call of a tool of some MCP server.
func (c *codex) called(b *builder, id string, what, result gjson.Result) {
	tool := "mcp__" + what.Get("server").Str + "__" + what.Get("tool").Str
	_, _ = b.asked(id)
	asked := newCall(tool, what.Get("arguments"))
	o := outcome{text: first(result, "Err", "error.message", "error")}
	if o.text == "" {
		o.text = text(result.Get("result.content")) + text(result.Get("Ok.content"))
	}
	o.failed = result.Get("status").Str == "failed" || result.Get("Err").Exists() || result.Get("Ok.isError").Bool() ||
		result.Get("result.isError").Bool() || result.Get("result.is_error").Bool()
	o.rejected = o.failed && strings.Contains(o.text, "user rejected MCP tool call")
	b.finish(id, asked, o)
}

// codexOutcome reads what the model was told of a call.
func codexOutcome(asked call, output gjson.Result) outcome {
	words := text(output)
	if output.IsObject() {
		words = first(output, "content", "output")
	}
	o := outcome{text: words}
	switch bare := strings.TrimSpace(words); {
	case strings.HasPrefix(bare, "exec command rejected by user"), strings.HasPrefix(bare, "patch rejected by user"),
		strings.HasPrefix(bare, "rejected by user"), strings.HasPrefix(bare, "exec_command failed") && strings.Contains(bare, "rejected by user"):
		o.rejected = true
	case strings.HasPrefix(bare, "aborted by user"), strings.HasPrefix(bare, "command aborted by user"):
		o.stopped = true
	case asked.kind == askCall:
		o.answers = answered(asked.asked, argument(words).Get("answers"))
	case asked.kind == shellCall || asked.kind == writeCall:
		o.exit, o.text, o.failed = codexExit(words)
	default:
		o.failed = strings.HasPrefix(bare, "unsupported call: ") || strings.HasPrefix(bare, "failed to parse function arguments")
	}
	return o
}
