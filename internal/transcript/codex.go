package transcript

import (
	"strings"

	"github.com/tidwall/gjson"
)

// codex reads the rollouts of Codex: a line a record, each with a payload. The same words may stand in several records, as what
// the model was sent and as what the client showed; older clients wrote other ones than newer.
type codex struct {
	plan string // the last that was proposed
}

func (c *codex) take(b *builder, r gjson.Result) {
	p := r.Get("payload")
	switch r.Get("type").Str {
	case "session_meta":
		b.stamp(r.Get("timestamp").Str)
		c.meta(b, p)
	case "turn_context":
		set(&b.s.Dir, p.Get("cwd").Str)
		set(&b.s.Model, p.Get("model").Str)
	case "compacted":
		b.summary(p.Get("message").Str)
	case "event_msg":
		b.stamp(r.Get("timestamp").Str)
		c.event(b, p)
	case "response_item":
		b.stamp(r.Get("timestamp").Str)
		c.response(b, p)
	}
}

// meta takes the head of a rollout. One that continues another repeats the other's head below its own.
func (c *codex) meta(b *builder, p gjson.Result) {
	if b.s.ID != "" {
		return
	}
	set(&b.s.ID, p.Get("id").Str)
	set(&b.s.Dir, p.Get("cwd").Str)
	set(&b.s.Version, p.Get("cli_version").Str)
	set(&b.s.Branch, p.Get("git.branch").Str)
	set(&b.s.Commit, p.Get("git.commit_hash").Str)
	if source := p.Get("source"); source.Exists() {
		b.s.person(source.Str == "cli" || source.Str == "vscode")
	}
}

// event takes what the client showed.
func (c *codex) event(b *builder, p gjson.Result) {
	switch p.Get("type").Str {
	case "user_message":
		if kind := p.Get("kind").Str; kind == "" || kind == "plain" {
			c.prompt(b, p.Get("message").Str)
		}
	case "task_started":
		if trigger := p.Get("turn_attribution.turn_trigger"); trigger.Exists() {
			b.s.person(trigger.Str == "user")
		}
	case "turn_aborted":
		b.stopped = true
	case "agent_message":
		b.said(p.Get("message").Str)
	case "task_complete", "turn_complete":
		b.said(p.Get("last_agent_message").Str)
	case "item_completed":
		c.item(b, p.Get("item"))
	case "exec_command_end":
		c.executed(b, p.Get("call_id").Str, p)
	case "patch_apply_end":
		if p.Get("success").Bool() {
			c.changed(b, p.Get("changes"))
		}
	case "mcp_tool_call_end":
		c.called(b, p.Get("call_id").Str, p.Get("invocation"), p.Get("result"))
	}
}

// prompt takes what the person typed, without what an editor put before it.
func (c *codex) prompt(b *builder, words string) {
	if _, typed, ok := strings.Cut(words, "\n## My request for Codex:\n"); ok {
		words = typed
	}
	if !Typed(words) {
		return
	}
	if strings.TrimSpace(words) == "Implement the plan." && c.plan != "" {
		b.decide("", Approved, c.plan, "")
		c.plan = ""
	}
	b.prompt("", words)
}

// response takes what went to the model and came from it.
func (c *codex) response(b *builder, p gjson.Result) {
	switch p.Get("type").Str {
	case "message":
		c.message(b, p)
	case "function_call":
		b.ask(p.Get("call_id").Str, newCall(p.Get("name").Str, argument(p.Get("arguments").Str)))
	case "custom_tool_call":
		b.ask(p.Get("call_id").Str, newCall(p.Get("name").Str, p.Get("input")))
	case "local_shell_call":
		b.ask(p.Get("call_id").Str, newCall("local_shell", p.Get("action")))
	case "function_call_output", "custom_tool_call_output", "local_shell_call_output":
		id := p.Get("call_id").Str
		if asked, ok := b.asked(id); ok {
			b.finish(id, asked, codexOutcome(asked, p.Get("output")))
		}
	}
}

// message takes a message of the person where the client says that each part of it is one, and any of the agent.
func (c *codex) message(b *builder, p gjson.Result) {
	switch p.Get("role").Str {
	case "assistant":
		b.said(text(p.Get("content")))
	case "user":
		kinds := p.Get("internal_chat_message_metadata_passthrough.content_item_kinds")
		if !kinds.Exists() {
			kinds = p.Get("content_item_kinds")
		}
		var words []string
		parts := p.Get("content").Array()
		for i, kind := range kinds.Array() {
			if kind.Str == "user.text" && i < len(parts) {
				words = append(words, parts[i].Get("text").Str)
			}
		}
		if len(words) > 0 {
			c.prompt(b, strings.Join(words, "\n"))
		}
	}
}
