package clients_test

import (
	"fmt"
	"io"
	"strings"
)

// messages is the API of Anthropic, as Claude Code streams it.
type messages struct{}

func (messages) shell(request string) string {
	if strings.Contains(request, `"name":"Bash"`) {
		return "Bash"
	}
	return ""
}

func (messages) result() string { return `"type":"tool_result"` }

func (a messages) ask(w io.Writer, n int, shell string, c call) {
	if c.tool != "" {
		shell = "mcp__ltm__" + c.tool
	}
	block := object{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", n), "name": shell, "input": object{}}
	delta := object{"type": "input_json_delta", "partial_json": encoded(c.input("command"))}
	a.stream(w, block, delta, "tool_use")
}

func (a messages) say(w io.Writer, words string) {
	a.stream(w, object{"type": "text", "text": ""}, object{"type": "text_delta", "text": words}, "end_turn")
}

func (messages) stream(w io.Writer, block, delta object, reason string) {
	event(w, "message_start", object{"message": object{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "stub", "content": []any{},
		"stop_reason":   nil,
		"stop_sequence": nil, "usage": object{"input_tokens": 1, "output_tokens": 1},
	}})
	event(w, "content_block_start", object{"index": 0, "content_block": block})
	event(w, "content_block_delta", object{"index": 0, "delta": delta})
	event(w, "content_block_stop", object{"index": 0})
	event(w, "message_delta",
		object{
			"delta": object{"stop_reason": reason, "stop_sequence": nil},
			"usage": object{"output_tokens": 1},
		})
	event(w, "message_stop", object{})
}

// responses is the newer API of OpenAI, as Codex streams it.
type responses struct{}

// shell finds the tool of models that call tools one by one, and that of models which write programs that
// call them.
func (responses) shell(request string) string {
	for _, tool := range []string{"exec_command", "exec"} {
		if strings.Contains(request, `"name":"`+tool+`"`) {
			return tool
		}
	}
	return ""
}

func (responses) result() string { return `_call_output"` }

// ask lets a model that writes programs call a tool of ours within one; no test asks the other kind for that.
func (a responses) ask(w io.Writer, n int, shell string, c call) {
	item := object{"id": fmt.Sprintf("call_%d", n), "call_id": fmt.Sprintf("call_%d", n), "name": shell}
	name, input := "exec_command", object{"cmd": c.command}
	if c.tool != "" {
		name, input = "mcp__ltm__"+c.tool, c.with
	}
	if shell == "exec" {
		item["type"], item["input"] = "custom_tool_call",
			"text(JSON.stringify(await tools."+name+"("+encoded(input)+")))"
	} else {
		item["type"], item["arguments"] = "function_call", encoded(input)
	}
	a.stream(w, item)
}

func (a responses) say(w io.Writer, words string) {
	content := []any{object{"type": "output_text", "text": words}}
	a.stream(w, object{"type": "message", "id": "msg_1", "role": "assistant", "content": content})
}

func (responses) stream(w io.Writer, item object) {
	event(w, "response.created", object{"response": object{"id": "resp_1"}})
	event(w, "response.output_item.done", object{"output_index": 0, "item": item})
	event(w, "response.completed", object{"response": object{"id": "resp_1", "usage": object{
		"input_tokens": 1, "input_tokens_details": nil, "output_tokens": 1, "output_tokens_details": nil,
		"total_tokens": 2,
	}}})
}

// completions is the older API of OpenAI, as Copilot streams it from a model of one's own.
type completions struct{}

func (completions) shell(request string) string {
	for _, tool := range []string{"bash", "run_shell_command"} {
		if strings.Contains(request, `"name":"`+tool+`"`) {
			return tool
		}
	}
	return ""
}

func (completions) result() string { return `"role":"tool"` }

func (a completions) ask(w io.Writer, n int, shell string, c call) {
	function := object{"name": shell, "arguments": encoded(c.input("command"))}
	calls := []any{object{
		"index": 0, "id": fmt.Sprintf("call_%d", n), "type": "function",
		"function": function,
	}}
	a.stream(w, object{"role": "assistant", "content": nil, "tool_calls": calls}, "tool_calls")
}

func (a completions) say(w io.Writer, words string) {
	a.stream(w, object{"role": "assistant", "content": words}, "stop")
}

func (completions) stream(w io.Writer, delta object, reason string) {
	for _, choice := range []object{
		{"index": 0, "delta": delta, "finish_reason": nil},
		{"index": 0, "delta": object{}, "finish_reason": reason},
	} {
		event(w, "", object{
			"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "stub",
			"choices": []any{choice},
			"usage":   object{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
		})
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// contents is the API of Gemini.
type contents struct{}

// shell finds the shell, or another tool of a turn: where nobody can be asked, Gemini CLI offers no shell.
func (contents) shell(request string) string {
	for _, tool := range []string{"run_shell_command", "read_file"} {
		if strings.Contains(request, `"name":"`+tool+`"`) {
			return tool
		}
	}
	return ""
}

func (contents) result() string { return `"functionResponse":` }

func (a contents) ask(w io.Writer, _ int, shell string, c call) {
	if c.tool != "" {
		shell = "mcp_ltm_" + c.tool
	}
	a.stream(w, object{"functionCall": object{"name": shell, "args": c.input("command")}})
}

func (a contents) say(w io.Writer, words string) { a.stream(w, object{"text": words}) }

func (contents) stream(w io.Writer, part object) {
	event(w, "", object{
		"candidates": []any{object{
			"index": 0, "finishReason": "STOP",
			"content": object{"role": "model", "parts": []any{part}},
		}},
		"usageMetadata": object{"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2},
		"modelVersion":  "stub",
	})
}
