// Package transcript reads what sessions of agents left behind.
//
// Each client keeps a transcript in a form of its own; Read turns any of them into one Session: what the person asked for, what
// ran and failed, what was decided, what is still to do, where it happened. It takes only records that it knows, skips lines that
// are longer than a bound or cut, and holds a bounded part of a transcript of any size in memory.
//
// What git ltm told the session is never read back, so that a memory does not feed on itself. The texts of a Session are
// otherwise as the transcript has them: hostile, not cleaned, not scanned for secrets.
package transcript

// Format is whose transcript it is.
type Format string

// The formats that Read knows.
const (
	ClaudeCode Format = "claude-code"
	Codex      Format = "codex"
	Gemini     Format = "gemini"
	OpenCode   Format = "opencode" // what opencode export writes
	Copilot    Format = "copilot"
	Qwen       Format = "qwen"
)

// Formats are all formats that Read knows.
func Formats() []Format { return []Format{ClaudeCode, Codex, Gemini, OpenCode, Copilot, Qwen} }
