package agent

import "slices"

// Plugin is the word for whichever host installed the plugin, which is one for several.
const Plugin = "plugin"

// ParseHost reads the name of a host. The word [Plugin] means the one whose marks stand in the environment.
func ParseHost(word string, getenv func(string) (string, bool)) (Host, bool) {
	if word == Plugin { // Codex has no mark of its own.
		for _, m := range hostMarks() {
			if isSet(getenv, m.variable) {
				return m.host, true
			}
		}
		return Codex, true
	}
	if Host(word) == ClaudeCode && isSet(getenv, copilotMark) && !isSet(getenv, claudeMark) {
		return Copilot, true // It runs the hooks that the settings of Claude Code name, too.
	}
	return Host(word), slices.Contains(Hosts(), Host(word))
}

// InShellOf is the host in whose shell the program runs; false where a person's own shell does, or that of a
// host that leaves no mark.
func InShellOf(getenv func(string) (string, bool)) (Host, bool) {
	for _, m := range hostMarks()[3:] {
		if isSet(getenv, m.variable) {
			return m.host, true
		}
	}
	return "", false
}

// SessionIn is the session of a host in whose environment the program runs, by the name that hooks of the
// host have for it, too; false where none is told. Of hosts that run in the shell of another one, the first
// in this order counts.
func SessionIn(getenv func(string) (string, bool)) (Host, string, bool) {
	for _, m := range []mark{
		{"CODEX_THREAD_ID", Codex},
		{"GEMINI_SESSION_ID", Gemini},
		{"CLAUDE_CODE_SESSION_ID", ClaudeCode},
	} {
		if name, ok := getenv(m.variable); ok && name != "" {
			return m.host, name, true
		}
	}
	return "", "", false
}

// Project is the folder in which a session of a host was started, as its hooks are told in the environment; empty
// where they are not told. The directory that an event names is the model's, which goes into others.
func (h Host) Project(getenv func(string) (string, bool)) string {
	folder := ""
	switch h {
	case ClaudeCode:
		folder, _ = getenv("CLAUDE_PROJECT_DIR")
	case Copilot:
		folder, _ = getenv("COPILOT_PROJECT_DIR")
	case Gemini:
		folder, _ = getenv("GEMINI_PROJECT_DIR")
	case Cursor:
		folder, _ = getenv(cursorMark)
	case Codex, OpenCode, Qwen:
	}
	return folder
}

// Attended tells whether a person is at a session of a host, as its hooks are told in the environment; known
// is false where they are not told. What a session that a program began was told by a host around it does not
// count: each of these sets its own.
func (h Host) Attended(getenv func(string) (string, bool)) (attended, known bool) {
	switch h {
	case ClaudeCode:
		if isSet(getenv, claudeAttended) {
			value, _ := getenv(claudeAttended)
			return value == "1", true
		}
		entry, _ := getenv(claudeEntry)
		return entry == "cli", true
	case Qwen:
		return isSet(getenv, qwenSocket), true
	default:
		return false, false
	}
}

func isSet(getenv func(string) (string, bool), variable string) bool {
	value, ok := getenv(variable)
	return ok && value != ""
}

// The variables that these hosts set in hooks and in their shells.
const (
	copilotMark = "COPILOT_CLI"
	claudeMark  = "CLAUDECODE"
	cursorMark  = "CURSOR_PROJECT_DIR"

	claudeAttended = "CLAUDE_CODE_SESSION_ATTENDED" // since 2.1.3
	claudeEntry    = "CLAUDE_CODE_ENTRYPOINT"
	qwenSocket     = "QWEN_CODE_MESSAGING_SOCKET" // of the window in which a person types
)

// mark is a variable that a host sets.
type mark struct {
	variable string
	host     Host
}

// hostMarks are the variables that tell a host, the surest first. The first three stand in the environment of
// hooks alone; the others are handed down to a host that runs in the shell of another one. Those that one
// host shares with the next stand below its own.
func hostMarks() []mark {
	return []mark{
		{"COPILOT_PLUGIN_ROOT", Copilot},
		{"PLUGIN_ROOT", Codex},
		{"CLAUDE_PLUGIN_ROOT", ClaudeCode},
		{copilotMark, Copilot},
		{"GEMINI_SESSION_ID", Gemini},
		{cursorMark, Cursor},
		{claudeMark, ClaudeCode},
	}
}
