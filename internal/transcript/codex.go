package transcript

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/words"
)

// takeCodex reads the rollouts of Codex: a line a record, each with a payload. The same words may stand in
// several records, as what the model was sent and as what the client showed; older clients wrote other ones
// than newer.
func (b *builder) takeCodex(r gjson.Result) {
	p := r.Get("payload")
	switch r.Get("type").Str {
	case "session_meta":
		b.noteStamp(r.Get("timestamp").Str)
		b.takeCodexMeta(p)
	case "turn_context":
		setText(&b.s.Dir, p.Get("cwd").Str)
		setText(&b.s.Model, p.Get("model").Str)
	case "compacted":
		b.addSummary(p.Get("message").Str)
	case "event_msg":
		b.noteStamp(r.Get("timestamp").Str)
		b.takeCodexEvent(p)
	case "response_item":
		b.noteStamp(r.Get("timestamp").Str)
		// Takes the calls of the model; what was said stands among the events, too.
		switch p.Get("type").Str {
		case "function_call":
			b.addCall(p.Get("call_id").Str, newCall(p.Get("name").Str, parseArgument(p.Get("arguments").Str)))
		case "custom_tool_call":
			b.addCall(p.Get("call_id").Str, newCall(p.Get("name").Str, p.Get("input")))
		case "local_shell_call":
			b.addCall(p.Get("call_id").Str, newCall("local_shell", p.Get("action")))
		case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
			id := p.Get("call_id").Str
			if asked, ok := b.takeCall(id); ok {
				b.finishCall(id, asked, codexOutcome(asked, p.Get("output")))
			}
		}
	}
}

// takeCodexMeta takes the head of a rollout. One that continues another repeats the other's head below its own.
func (b *builder) takeCodexMeta(p gjson.Result) {
	if b.s.ID != "" {
		return
	}
	setText(&b.s.ID, p.Get("id").Str)
	setText(&b.s.Dir, p.Get("cwd").Str)
	setText(&b.s.Branch, p.Get("git.branch").Str)
	setText(&b.s.Commit, p.Get("git.commit_hash").Str)
	if source := p.Get("source"); source.Exists() {
		b.s.notePerson(source.Str == "cli" || source.Str == "vscode")
	}
}

// takeCodexEvent takes what the client showed.
func (b *builder) takeCodexEvent(p gjson.Result) {
	switch p.Get("type").Str {
	case "user_message":
		if kind := p.Get("kind").Str; kind == "" || kind == "plain" {
			b.takeCodexPrompt(p.Get("message").Str)
		}
	case "task_started":
		if trigger := p.Get("turn_attribution.turn_trigger"); trigger.Exists() {
			b.s.notePerson(trigger.Str == "user")
		}
	case "turn_aborted":
		b.stopped = true
	case "agent_message":
		b.addWords(p.Get("message").Str)
	case "task_complete", "turn_complete":
		b.addWords(p.Get("last_agent_message").Str)
	case "item_completed":
		// Takes one of the items that newer clients write when it is complete.
		item := p.Get("item")
		switch item.Get("type").Str {
		case "UserMessage":
			b.takeCodexPrompt(joinedText(item.Get("content")))
		case "AgentMessage":
			b.addWords(joinedText(item.Get("content")))
		case "Plan":
			b.spoke = true
			b.plan = headOfText(Told(item.Get("text").Str), mostPlan)
		case "CommandExecution":
			b.takeCodexCommand(item.Get("id").Str, item)
		case "FileChange":
			b.takeCodexPatch(item)
		case "McpToolCall":
			b.takeCodexCall(item.Get("id").Str, item, item)
		}
	case "exec_command_end":
		b.takeCodexCommand(p.Get("call_id").Str, p)
	case "patch_apply_end":
		if p.Get("success").Bool() {
			b.takeCodexChanges(p.Get("changes"))
		}
	case "mcp_tool_call_end":
		b.takeCodexCall(p.Get("call_id").Str, p.Get("invocation"), p.Get("result"))
	}
}

// takeCodexPrompt takes what the person typed, without what an editor put before it.
func (b *builder) takeCodexPrompt(words string) {
	if _, typed, ok := strings.Cut(words, "\n## My request for Codex:\n"); ok {
		words = typed
	}
	if strings.TrimSpace(words) == "Implement the plan." && b.plan != "" {
		b.addDecision("", Approved, b.plan, "")
		b.plan = ""
	}
	b.addPrompt("", words)
}

// codexExit takes the exit code off what the model was told of a command: JSON, a head of some lines, or
// neither.
func codexExit(words string) (exit int, output string, failed bool) {
	if strings.HasPrefix(words, "{") {
		v := parseArgument(words)
		if code := v.Get("metadata.exit_code"); code.Exists() {
			return int(code.Int()), v.Get("output").Str, code.Int() != 0
		}
	}
	head, output, ok := strings.Cut(words, "Output:\n")
	if !ok {
		head, output = words, words
	}
	if m := codexEnd().FindStringSubmatch(head); m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			return n, output, n != 0
		}
	}
	return 0, output, phrases.Begins("codex refused", strings.TrimSpace(words))
}

// codexEnd finds the exit code in the head of what a command printed.
var codexEnd = words.Compiled(`(?m)^\s*(?:Exit code: |Process exited with code )(-?\d+)\s*$`)

// takeCodexCommand takes a command that ran. What the model was told of it comes in another record, under the
// same id.
func (b *builder) takeCodexCommand(id string, v gjson.Result) {
	asked, ok := b.takeCall(id)
	if !ok || asked.kind != shellCall {
		asked = newCall("exec_command", v)
	}
	status := v.Get("status").Str
	o := outcome{
		text:   firstText(v, "aggregated_output", "formatted_output", "stdout"),
		exit:   int(v.Get("exit_code").Int()),
		failed: status == "failed" || v.Get("exit_code").Int() != 0, rejected: status == "declined",
	}
	if o.text == "" {
		o.text = v.Get("stderr").Str
	}
	b.finishCall(id, asked, o)
}

// takeCodexPatch takes an edit.
func (b *builder) takeCodexPatch(item gjson.Result) {
	id := item.Get("id").Str
	asked, ok := b.takeCall(id)
	if !ok {
		asked = call{tool: "apply_patch", kind: writeCall}
		item.Get("changes").ForEach(func(path, _ gjson.Result) bool {
			if asked.what == "" {
				asked.what = headOfText(Told(path.String()), mostLabel)
			}
			return true
		})
	}
	switch item.Get("status").Str {
	case "declined":
		b.finishCall(id, asked, outcome{rejected: true})
	case "failed":
		b.finishCall(id, asked, outcome{failed: true, text: firstText(item, "stderr", "stdout")})
	default:
		b.finishCall(id, asked, outcome{})
		b.takeCodexChanges(item.Get("changes"))
	}
}

// takeCodexChanges takes the paths of an edit, which name the members of a value.
func (b *builder) takeCodexChanges(changes gjson.Result) {
	changes.ForEach(func(path, _ gjson.Result) bool {
		b.addEdit(path.String())
		return true
	})
}

// takeCodexCall takes a call of a tool of some MCP server.
func (b *builder) takeCodexCall(id string, what, result gjson.Result) {
	tool := "mcp__" + what.Get("server").Str + "__" + what.Get("tool").Str
	_, _ = b.takeCall(id)
	asked := newCall(tool, what.Get("arguments"))
	o := outcome{text: firstText(result, "Err", "error.message", "error")}
	if o.text == "" {
		o.text = joinedText(result.Get("result.content")) + joinedText(result.Get("Ok.content"))
	}
	o.failed = result.Get("status").Str == "failed" || result.Get("Err").Exists() ||
		result.Get("Ok.isError").Bool() ||
		result.Get("result.isError").Bool() || result.Get("result.is_error").Bool()
	o.rejected = o.failed && strings.Contains(o.text, "user rejected MCP tool call")
	b.finishCall(id, asked, o)
}

// codexOutcome reads what the model was told of a call.
func codexOutcome(asked call, output gjson.Result) outcome {
	words := joinedText(output)
	if output.IsObject() {
		words = firstText(output, "content", "output")
	}
	o := outcome{text: words}
	switch bare := strings.TrimSpace(words); {
	case phrases.Begins("codex rejected", bare),
		strings.HasPrefix(bare, "exec_command failed") && strings.Contains(bare, "rejected by user"):
		o.rejected = true
	case strings.HasPrefix(bare, "aborted by user"), strings.HasPrefix(bare, "command aborted by user"):
		o.stopped = true
	case asked.kind == askCall:
		o.answers = answeredQuestions(asked.asked, parseArgument(words).Get("answers"))
	case asked.kind == shellCall || asked.kind == writeCall:
		o.exit, o.text, o.failed = codexExit(words)
	default:
		o.failed = strings.HasPrefix(bare, "unsupported call: ") ||
			strings.HasPrefix(bare, "failed to parse function arguments")
	}
	return o
}
