package agent

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// MaxInput is the number of bytes of an event that is read: an edit carries what it writes.
const MaxInput = 16 << 20

// The bounds of what is kept of an event, in bytes.
const (
	maxName = 4 << 10
	maxText = 64 << 10
)

// The errors of an event.
var (
	ErrTooMuch = errors.New("the event is larger than any that is read")
	ErrNotJSON = errors.New("the event is no JSON object in UTF-8")
)

// Moment is what a host says of an event. What it does not say is empty. Every text is hostile.
type Moment struct {
	Host  Host
	Event Event

	Session    string // the host's own id of the session
	Transcript string // the file of the session
	Dir        string // where the session works
	Source     string // of a start: startup, resume, clear, compact, new
	Prompt     string
	Call       Call
	Error      string // why a tool failed
	Stopped    bool   // a person ended the tool
	// of a stop: it ends nothing. A hook has made the model go on, a sub-agent stopped, or work goes on
	// behind it
	Busy    bool
	Summary string // of a compaction
}

// Read reads what a host says of an event.
func Read(host Host, event Event, data []byte) (Moment, error) {
	if len(data) > MaxInput {
		return Moment{}, fmt.Errorf("read event %s of %s: %w", event, host, ErrTooMuch)
	}
	if !utf8.Valid(data) || !clean.IsShallow(data) || !gjson.ValidBytes(data) ||
		!gjson.ParseBytes(data).IsObject() {
		return Moment{}, fmt.Errorf("read event %s of %s: %w", event, host, ErrNotJSON)
	}
	said := gjson.ParseBytes(data)
	m := Moment{
		Host: host, Event: event,
		Session:    firstName(said, "session_id", "sessionId", "conversation_id"),
		Transcript: firstName(said, "transcript_path", "transcriptPath"),
		Dir:        firstName(said, "cwd", "workspace_roots.0"),
		Source:     firstName(said, "source"),
		Prompt:     typedPrompt(firstText(said, "prompt")),
		Call:       readCall(said),
		Error:      firstText(said, "error", "error.message", "error_message"),
		Stopped:    said.Get("is_interrupt").Bool(),
		Busy:       isBusy(said),
		Summary:    firstText(said, "compact_summary", "summary"),
	}
	if event == AfterTool {
		m.Error = failureOf(said)
	}
	return m, nil
}

// isBusy tells a stop that ends nothing: that of a sub-agent, or one with any member that says so and is not
// empty.
func isBusy(said gjson.Result) bool {
	if strings.EqualFold(said.Get("hook_event_name").Str, "SubagentStop") {
		return true
	}
	for _, path := range []string{
		"stop_hook_active", "stopHookActive", "agent_id", "agentId",
		"background_tasks", "session_crons", "crons",
	} {
		switch v := said.Get(path); v.Type {
		case gjson.Null, gjson.False:
		case gjson.String:
			if v.Str != "" {
				return true
			}
		case gjson.JSON:
			if len(v.Array()) > 0 {
				return true
			}
		case gjson.Number, gjson.True:
			return true
		}
	}
	return false
}

// typedPrompt is what a person typed of a prompt. Gemini CLI puts what hooks said before it.
func typedPrompt(prompt string) string {
	const begins, ends = "<hook_context>", "</hook_context>"
	for strings.HasPrefix(prompt, begins) {
		_, after, found := strings.Cut(prompt, ends)
		if !found {
			return ""
		}
		prompt = strings.TrimLeft(after, "\n")
	}
	return prompt
}

// firstName is the first member that is a short text; a long one, or one that could not be typed, is none.
func firstName(said gjson.Result, paths ...string) string {
	for _, path := range paths {
		if v := said.Get(path); v.Type == gjson.String && v.Str != "" && len(v.Str) <= maxName &&
			!strings.ContainsFunc(v.Str, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return v.Str
		}
	}
	return ""
}

// firstText is the first member that is a text, and no more of it than is read.
func firstText(said gjson.Result, paths ...string) string {
	for _, path := range paths {
		if v := said.Get(path); v.Type == gjson.String && v.Str != "" {
			return cutBytes(v.Str, maxText)
		}
	}
	return ""
}

// cutBytes is the beginning of a text, cut between characters.
func cutBytes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit]
}
