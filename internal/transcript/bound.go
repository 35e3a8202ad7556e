package transcript

import (
	"strings"
	"unicode/utf8"
)

// What is kept of one text, in bytes.
const (
	mostPrompt  = 16 << 10
	mostCommand = 4 << 10
	mostOutput  = 2 << 10
	mostPlan    = 8 << 10
	mostWords   = 16 << 10 // of the agent
	mostSummary = 32 << 10
	mostSaid    = 1 << 20 // of all words of the agent
	mostLabel   = 1 << 10 // names, paths, steps
)

// How many of each are kept.
const (
	mostPrompts  = 200
	mostCommands = 400
	mostRest     = 200
	mostPaths    = 500
	mostPending  = 100 // calls without an answer yet
	mostQueued   = 5   // prompts that may wait for their turn
	mostParts    = 100 // paths, steps and questions of one call
)

// head returns the first n bytes of a text at most, whole characters alone. It holds on to nothing else of the text.
func head(text string, n int) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	if len(text) <= n {
		return strings.Clone(text)
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.Clone(strings.TrimSpace(text[:n]))
}

// tail returns the last n bytes of a text at most, as head does the first.
func tail(text string, n int) string {
	text = strings.ToValidUTF8(strings.TrimSpace(text), "\uFFFD")
	from := max(0, len(text)-n)
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return strings.Clone(strings.TrimSpace(text[from:]))
}
