package transcript

import (
	"path"
	"strings"
)

// bare takes off what clients put around the words of an error.
func bare(text string) string {
	text = strings.TrimSpace(text)
	text = strings.TrimSuffix(strings.TrimPrefix(text, "<tool_use_error>"), "</tool_use_error>")
	return strings.TrimSpace(strings.TrimPrefix(text, "Error: "))
}

// Typed says whether a person typed a text, rather than the client in their place.
func Typed(text string) bool {
	text = strings.TrimSpace(Told(text))
	for _, prefix := range [...]string{
		"<command-", "<local-command", "<bash-", "<user-memory-input", "<task-notification", "<agent-notification", "<teammate-message", "<system-reminder", "<hook_context",
		"<session_context", "<environment_context", "<user_instructions", "<INSTRUCTIONS>", "<turn_aborted", "<skill>", "<subagent_notification",
		"<user_shell_command", "# AGENTS.md instructions", "Base directory for this skill:", "Caveat:", "[Request interrupted", "[SYSTEM NOTIFICATION",
		"Operation stopped by hook:", "This session is being continued from a previous conversation",
	} {
		if strings.HasPrefix(text, prefix) {
			return false
		}
	}
	return text != ""
}

// notRun says whether an error tells that a call never ran or was broken off. The text is bare.
func notRun(text string) bool {
	for _, words := range [...]string{
		"Sibling tool call errored", "Cancelled: parallel tool call", "[Request interrupted", "Request interrupted",
		"[Tool call skipped", "[Operation Cancelled]", "aborted by user", "command aborted by user", "Interrupted by user",
		"No such tool available", "unsupported call: ", "unsupported custom tool call: ", "InputValidationError",
		"failed to parse function arguments", "Claude requested permissions to", "Permission to use ", "Tool execution aborted",
	} {
		if strings.HasPrefix(text, words) {
			return true
		}
	}
	return false
}

// saysNo says whether an exit code is the answer of a program that searches or compares, rather than a failure.
func saysNo(command string, exit int, output string) bool {
	if exit != 1 {
		return false
	}
	words := strings.Fields(command[strings.LastIndexAny(command, ";&|\n")+1:])
	if len(words) == 0 {
		return false
	}
	switch path.Base(words[0]) {
	case "grep", "rg", "ag", "egrep", "fgrep", "test", "[", "[[", "which", "command", "pgrep":
		return strings.TrimSpace(output) == ""
	case "diff", "cmp":
		return true
	default:
		return false
	}
}
