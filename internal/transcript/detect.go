package transcript

import (
	"bytes"
	"strings"

	"github.com/tidwall/gjson"
)

// detectLines is how many records are looked at.
const detectLines = 50

// Detect says whose transcript begins with head, which may be cut anywhere. A few kilobytes are enough.
func Detect(head []byte) (Format, bool) {
	at := 0
	for line := range bytes.Lines(head) {
		if at++; at > detectLines {
			break
		}
		if r, ok := record(line); ok {
			if f, ok := formatOf(r); ok {
				return f, true
			}
		}
	}
	return formatOfCut(head)
}

// formatOf tells a format by a whole record.
func formatOf(r gjson.Result) (Format, bool) {
	kind := r.Get("type").Str
	switch {
	case r.Get("payload").IsObject() && r.Get("timestamp").Exists():
		return Codex, true
	case r.Get("data").IsObject() && r.Get("parentId").Exists():
		return Copilot, true
	case r.Get("projectHash").Exists() && r.Get("sessionId").Exists(), r.Get("$set").IsObject():
		return Gemini, true
	case r.Get("info").IsObject() && r.Get("messages").IsArray():
		return OpenCode, true
	case r.Get("message.parts").IsArray() && r.Get("sessionId").Exists():
		return Qwen, true
	case r.Get("message").IsObject() && (kind == "user" || kind == "assistant"),
		kind == "summary" && r.Get("leafUuid").Exists(), r.Get("sessionId").Exists() && isClaudes(kind):
		return ClaudeCode, true
	default:
		return "", false
	}
}

// isClaudes says whether only Claude Code writes records of a kind, which may stand before all others.
func isClaudes(kind string) bool {
	switch kind {
	case "queue-operation", "attachment", "last-prompt", "mode", "permission-mode", "file-history-snapshot":
		return true
	default:
		return false
	}
}

// formatOfCut tells a format whose first record is longer than the head, or that has no lines.
func formatOfCut(head []byte) (Format, bool) {
	text := strings.TrimSpace(string(head))
	line, _, _ := strings.Cut(text, "\n")
	compact := strings.Join(strings.Fields(text[:min(len(text), 4<<10)]), "")
	switch {
	case strings.HasPrefix(compact, `{"info":{`):
		return OpenCode, true
	case strings.HasPrefix(line, `{"timestamp":`) && strings.Contains(line, `"payload":`):
		return Codex, true
	case strings.HasPrefix(line, `{`) && strings.Contains(line, `"sessionId":`) && strings.Contains(line, `"parts":`):
		return Qwen, true
	case strings.HasPrefix(line, `{`) && strings.Contains(line, `"sessionId":`) && strings.Contains(line, `"message":`):
		return ClaudeCode, true
	case strings.HasPrefix(line, `{"type":"session.start"`):
		return Copilot, true
	default:
		return "", false
	}
}
