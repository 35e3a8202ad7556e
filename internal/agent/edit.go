package agent

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/words"
)

// maxEdits is how many parts of one edit are looked at.
const maxEdits = 64

// editor collects what an edit writes and what it takes out, a part below the other.
type editor struct{ added, removed strings.Builder }

// fillCall hands what was collected to a call.
func (e *editor) fillCall(c *Call) { c.Added, c.Removed = e.added.String(), e.removed.String() }

// addLines notes whole lines.
func (e *editor) addLines(b *strings.Builder, text string) {
	if room := maxText - b.Len() - 1; room > 0 && text != "" {
		b.WriteString(cutBytes(text, room))
		b.WriteByte('\n')
	}
}

// readEdit reads what an edit with members of its own changes.
func (c *Call) readEdit(input gjson.Result) {
	var e editor
	e.addPart(input)
	for i, part := range input.Get("edits").Array() {
		if i < maxEdits {
			e.addPart(part)
		}
	}
	e.fillCall(c)
}

// addPart reads one pair of texts; a file that is written whole has the new one alone.
func (e *editor) addPart(input gjson.Result) {
	e.addLines(&e.removed, firstText(input, "old_string", "oldString", "old_str", "old_text"))
	e.addLines(&e.added, firstText(input, "new_string", "newString", "new_str", "new_text", "content",
		"contents",
		"file_text", "new_source"))
}

// readPatch reads what a patch changes. A line that stays stands in both texts.
func (c *Call) readPatch(text string) {
	var e editor
	_, body, _ := strings.Cut(text, patchBegins)
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "***"):
		case strings.HasPrefix(line, "+"):
			e.addLines(&e.added, line[1:])
		case strings.HasPrefix(line, "-"):
			e.addLines(&e.removed, line[1:])
		case strings.HasPrefix(line, " "), strings.HasPrefix(line, "@@"):
			kept := strings.TrimPrefix(line[1:], "@")
			e.addLines(&e.added, kept)
			e.addLines(&e.removed, kept)
		}
	}
	e.fillCall(c)
}

// onlyLooks tells whether a tool looks, by any of the words of its name.
func onlyLooks(tool string) bool {
	for _, segment := range words.Segments(tool) {
		for _, part := range words.Pieces(segment) {
			switch strings.ToLower(part) {
			case "read", "view", "list", "search", "grep", "glob", "find", "fetch", "open", "todo", "ls",
				"get", "show", "stat":
				return true
			}
		}
	}
	return false
}
