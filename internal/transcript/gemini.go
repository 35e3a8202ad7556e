package transcript

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/words"
)

// takeGemini reads the chats of Gemini CLI: a line a message, or a patch that sets members of the whole. A
// message that comes again under its id replaces what was there.
func (b *builder) takeGemini(r gjson.Result) {
	if patch := r.Get("$set"); patch.IsObject() {
		b.patchGemini(patch)
		return
	}
	if id := r.Get("sessionId").Str; id != "" && !r.Get("type").Exists() {
		setOnce(&b.s.ID, id)
		b.noteStamp(r.Get("startTime").Str)
		b.patchGemini(r)
		return
	}
	b.takeGeminiEntry(r)
}

func (b *builder) patchGemini(patch gjson.Result) {
	b.noteStamp(patch.Get("lastUpdated").Str)
	setText(&b.fallback.Summary, patch.Get("summary").Str)
	for _, m := range patch.Get("messages").Array() {
		b.takeGeminiEntry(m)
	}
}

// takeGeminiEntry takes one message.
func (b *builder) takeGeminiEntry(m gjson.Result) {
	b.noteStamp(m.Get("timestamp").Str)
	switch m.Get("type").Str {
	case "user":
		b.takeGeminiUser(m)
	case "gemini":
		setText(&b.s.Model, m.Get("model").Str)
		b.addWords(joinedText(m.Get("content")))
		for _, v := range m.Get("toolCalls").Array() {
			b.takeGeminiCall(v)
		}
	}
}

// takeGeminiUser takes what the person typed. The client adds what it and hooks have to say, and the answers of
// tools.
func (b *builder) takeGeminiUser(m gjson.Result) {
	words := joinedText(m.Get("content"))
	if _, dirs, ok := strings.Cut(words, "**Workspace Directories:**\n"); ok &&
		strings.HasPrefix(words, "<session_context>") {
		dir, _, _ := strings.Cut(strings.TrimSpace(dirs), "\n")
		setOnce(&b.s.Dir, strings.TrimPrefix(dir, "- "))
	}
	b.addWithoutCommand(m.Get("id").Str, words)
}

// addWithoutCommand adds a prompt that is more than the name of a command of the client.
func (b *builder) addWithoutCommand(key, words string) {
	words = strings.TrimSpace(Told(words))
	if !strings.HasPrefix(words, "/") || strings.ContainsAny(words, " \n") {
		b.addPrompt(key, words)
	}
}

// takeGeminiCall takes a call together with its answer.
func (b *builder) takeGeminiCall(v gjson.Result) {
	answer := v.Get("result.0.functionResponse.response")
	o := outcome{text: firstText(answer, "error", "output"), failed: v.Get("status").Str == "error"}
	asked := newCall(v.Get("name").Str, v.Get("args"))
	if !v.Get("result").Exists() {
		return
	}
	geminiOutcome(&asked, &o, v.Get("status").Str == "cancelled")
	b.finishCall(v.Get("id").Str, asked, o)
}

// geminiOutcome reads an answer of Gemini CLI or of Qwen Code, which is of the same family.
func geminiOutcome(asked *call, o *outcome, cancelled bool) {
	switch {
	case cancelled || strings.HasPrefix(o.text, "[Operation Cancelled]"):
		o.rejected = strings.Contains(o.text, "did not allow") || strings.Contains(o.text, "rejected")
		o.stopped = !o.rejected
		_, o.reason, _ = strings.Cut(o.text, "User feedback: ")
	case asked.kind == shellCall:
		exit, words, found := geminiExit(o.text)
		o.exit, o.text = exit, words
		o.failed = o.failed || found && exit != 0
	case asked.kind == askCall && !o.failed:
		if o.answers = answeredQuestions(asked.asked, parseArgument(o.text).Get("answers")); len(o.answers) == 0 {
			o.answers = boldedAnswers(o.text)
		}
	case asked.kind == planCall:
		o.approved = strings.HasPrefix(o.text, "Plan approved") ||
			strings.HasPrefix(o.text, "User has approved")
		if _, feedback, ok := strings.Cut(o.text, "Plan rejected. User feedback: "); ok {
			o.rejected, o.reason = true, feedback
		}
	}
}

// geminiExit takes what a command printed out of the lines that the client puts around it. The last line with
// a code counts: the command may have printed others.
func geminiExit(words string) (exit int, output string, found bool) {
	words = strings.TrimSpace(words)
	words = strings.TrimSuffix(strings.TrimPrefix(words, "<untrusted_context>"), "</untrusted_context>")
	exit, words, found = matchExit(geminiEnd(), words)
	if i := strings.LastIndex(words, "\nProcess Group PGID: "); i >= 0 {
		words = words[:i]
	}
	if _, after, ok := strings.Cut(words, "Output: "); ok {
		words = after
	}
	return exit, strings.TrimSuffix(words, "\nError: (none)"), found
}

var geminiEnd = words.Compiled(`(?s)^(?P<output>.*)\nExit Code: (?P<exit>-?\d{1,9})\s*?(?:\n.*)?$`)

// takeQwen reads the chats of Qwen Code: records as Claude Code has them, messages as Gemini CLI has them.
func (b *builder) takeQwen(r gjson.Result) {
	b.notePlace(r)
	setText(&b.s.Model, r.Get("model").Str)
	parts := r.Get("message.parts")
	switch r.Get("type").Str {
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
		b.takeQwenResult(parts, r.Get("toolCallResult"))
	}
}

// takeQwenResult takes the answers to calls.
func (b *builder) takeQwenResult(parts, result gjson.Result) {
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
		b.finishCall(id, asked, o)
	}
}
