package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf16"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// ErrTooLong is a text that a host would cut.
var ErrTooLong = errors.New("the answer is longer than the host takes")

// mostOfAnswer is the size of the largest answer. Claude Code takes 10,000 units of UTF-16, and Codex 10,000
// bytes; both cut what is longer. No other host was seen to cut below that, so the same bound serves for all.
const mostOfAnswer = 9500

// nativeEvents is how a host calls the events at which what a hook says reaches the model. Before the tool
// has run, only [Host.Hold] does: what else is said before a call arrives with its result. Where the host
// drops even that, it is said after the call. Who hears at a stop goes on with what it is told; Gemini CLI
// does so too, and shows the person that the request failed.
func (h Host) nativeEvents() map[Event]string {
	switch h {
	case ClaudeCode, Codex:
		return map[Event]string{
			SessionStart: "SessionStart", Prompt: "UserPromptSubmit", Tool: "PreToolUse",
			Stop: "Stop",
		}
	case Qwen:
		return map[Event]string{
			SessionStart: "SessionStart", Prompt: "UserPromptSubmit", AfterTool: "PostToolUse",
			ToolFailure: "PostToolUseFailure", Stop: "Stop",
		}
	case Gemini:
		return map[Event]string{SessionStart: "SessionStart", Prompt: "BeforeAgent", AfterTool: "AfterTool"}
	case Copilot:
		return map[Event]string{
			SessionStart: "sessionStart", Prompt: "userPromptSubmitted",
			Tool: "preToolUse", Stop: "agentStop",
		}
	case Cursor:
		return map[Event]string{SessionStart: "sessionStart", AfterTool: "postToolUse"}
	case OpenCode:
		return map[Event]string{SessionStart: "session-start", Prompt: "prompt", Tool: "tool"}
	default:
		return nil
	}
}

// Hears tells whether what is said at an event reaches the model of a host.
func (h Host) Hears(e Event) bool { return h.nativeEvents()[e] != "" }

// Answer writes what a host is told at an event: one JSON object and a line break, or nothing for an empty
// text and where the host does not listen. [ErrTooLong] is a text that does not fit whole, the object around
// it included.
func (h Host) Answer(e Event, text string) ([]byte, error) {
	if text == "" || !h.Hears(e) {
		return nil, nil
	}
	return h.encodeAnswer(e, h.contextObject(e, text))
}

// encodeAnswer writes an answer, if the host takes it whole.
func (h Host) encodeAnswer(e Event, o object) ([]byte, error) {
	answer, err := clean.JSON(o, "")
	if err != nil {
		return nil, fmt.Errorf("encode the answer to %s: %w", h, err)
	}
	if n := h.answerSize(string(answer)); n > mostOfAnswer {
		return nil, fmt.Errorf("answer %s of %s, which has %d of at most %d: %w", e, h, n, mostOfAnswer,
			ErrTooLong)
	}
	return answer, nil
}

// TellsPerson tells whether a host shows the person a line that stands in the answer to an event: they
// document the member systemMessage. Other hosts drop it.
func (h Host) TellsPerson(e Event) bool {
	return e == SessionStart && (h == ClaudeCode || h == Codex || h == Gemini || h == Qwen)
}

// Say adds a line for the person to an answer, or makes one of it. The model is not shown it. Where the host
// has no place for it, the answer stays as it is.
func (h Host) Say(e Event, answer []byte, line string) ([]byte, error) {
	if line == "" || !h.TellsPerson(e) {
		return answer, nil
	}
	said := map[string]any{}
	if len(answer) > 0 {
		if err := json.Unmarshal(answer, &said); err != nil {
			return nil, fmt.Errorf("add a line to the answer to %s: %w", h, err)
		}
	}
	if before, ok := said[personMember].(string); ok {
		line = before + "\n" + line
	}
	said[personMember] = line
	return clean.JSON(said, "")
}

// personMember is what hosts show the person of an answer.
const personMember = "systemMessage"

// object is an answer with the members that some host reads.
type object struct {
	Decision string  `json:"decision,omitempty"`
	Reason   string  `json:"reason,omitempty"`
	Snake    string  `json:"additional_context,omitempty"`
	Specific *nested `json:"hookSpecificOutput,omitempty"`
	nested
}

// nested is what stands in a member of its own in the form of Claude Code, which others share.
type nested struct {
	Event   string  `json:"hookEventName,omitempty"`
	Context string  `json:"additionalContext,omitempty"`
	Decides Holding `json:"permissionDecision,omitempty"`
	Because string  `json:"permissionDecisionReason,omitempty"`
}

// contextObject is the form in which a host takes context.
func (h Host) contextObject(e Event, text string) object {
	// These go on with nothing but the reason of a block; Claude Code calls that an error.
	if e == Stop && h != ClaudeCode {
		return object{Decision: "block", Reason: text}
	}
	switch h {
	case Copilot, OpenCode:
		return object{nested: nested{Context: text}}
	case Cursor:
		return object{Snake: text}
	default:
		return object{Specific: &nested{Event: h.nativeEvents()[e], Context: text}}
	}
}

// answerSize is the size of an answer as a host counts it: Codex in bytes, programs in JavaScript in units of
// UTF-16.
func (h Host) answerSize(answer string) int {
	if h == Codex {
		return len(answer)
	}
	n := 0
	for _, r := range answer {
		n += utf16.RuneLen(r)
	}
	return n
}
