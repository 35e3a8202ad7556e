// Package agent knows how agents talk to hooks: what they say of an event, and what they take for an answer.
//
// What they say is hostile: it is bounded, checked, and read by the names of its members alone. An answer is
// one JSON object in the form that the agent documents, or nothing; none permits anything. At a stop it lets
// the model go on once, and by [Host.Hold] one call waits.
//
// The forms were measured with Claude Code 2.1, Codex 0.169, Gemini CLI 0.61, Copilot CLI 1.0, Qwen Code 0.24
// and OpenCode 1.18; that of Cursor is its documentation's.
package agent

import (
	"slices"
	"strings"
)

// Host is a program that runs a model and calls hooks.
type Host string

// The hosts.
const (
	ClaudeCode Host = "claude-code"
	Codex      Host = "codex"
	Gemini     Host = "gemini"
	OpenCode   Host = "opencode"
	Cursor     Host = "cursor"
	Copilot    Host = "copilot"
	Qwen       Host = "qwen"
)

// Hosts returns all hosts.
func Hosts() []Host { return []Host{ClaudeCode, Codex, Gemini, OpenCode, Cursor, Copilot, Qwen} }

// Event is a moment of a session, the same word for all hosts.
type Event string

// OfTool tells the events around the call of a tool, at which there is nearly always nothing to say.
func (e Event) OfTool() bool { return e == Tool || e == AfterTool || e == ToolFailure }

// The events.
const (
	SessionStart Event = "session-start"
	Prompt       Event = "prompt"       // a person asked for something
	Tool         Event = "tool"         // a tool is about to be called
	AfterTool    Event = "after-tool"   // a tool was called
	ToolFailure  Event = "tool-failure" // a tool was called and failed
	Compact      Event = "compact"      // the context is about to be summed up
	Compacted    Event = "compacted"    // it was
	Stop         Event = "stop"         // the model has answered
	SessionEnd   Event = "session-end"
)

// Events returns all events.
func Events() []Event {
	return []Event{SessionStart, Prompt, Tool, AfterTool, ToolFailure, Compact, Compacted, Stop, SessionEnd}
}

// ParseEvent reads the name of an event: ours, or that of a host, in any case and whatever stands between its
// words.
func ParseEvent(word string) (Event, bool) {
	plain := strings.ToLower(strings.NewReplacer("-", "", "_", "", ".", "").Replace(word))
	for _, event := range Events() {
		if plain == strings.ReplaceAll(string(event), "-", "") || slices.Contains(eventNames[event], plain) {
			return event, true
		}
	}
	return Event(word), false
}

// eventNames are how hosts call the events, where that is not our word.
var eventNames = map[Event][]string{ //nolint:gochecknoglobals // A table that nobody writes to.
	SessionStart: {"sessioncreated"},
	Prompt:       {"userpromptsubmit", "userpromptsubmitted", "beforesubmitprompt", "beforeagent"},
	Tool:         {"pretooluse", "beforetool", "toolexecutebefore"},
	AfterTool:    {"posttooluse", "toolexecuteafter"},
	ToolFailure:  {"posttoolusefailure"},
	Compact:      {"precompact", "precompress"},
	Compacted:    {"postcompact", "sessioncompacted"},
	Stop:         {"agentstop", "afteragent", "subagentstop", "sessionidle"},
}
