package foreign

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
)

// Format is a way in which memories are written.
type Format string

// The formats.
const (
	LTM        Format = "ltm-json"    // one record, or an array of them
	Lines      Format = "jsonl"       // a record a line, bare or with its ref and signature
	Markdown   Format = "markdown"    // a note with front matter: ours, of Lerim or of Altimate
	Memento    Format = "memento"     // what the Memento Protocol exports
	ClaudeLTM  Format = "claude-ltm"  // what LTM for Claude Code exports, and its seed files
	MemoryFile Format = "memory-file" // the sections of a MEMORY.md, CLAUDE.md or AGENTS.md
)

// ErrUnknown says that a format was not recognised.
var ErrUnknown = errors.New("not a known form of memories")

// Formats returns the formats.
func Formats() []Format {
	return []Format{LTM, Lines, Markdown, Memento, ClaudeLTM, MemoryFile}
}

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	var names []string
	for _, f := range Formats() {
		if name == string(f) {
			return f, nil
		}
		names = append(names, string(f))
	}
	return "", fmt.Errorf("format %q: %w: take one of %s", name, ErrUnknown, strings.Join(names, ", "))
}

// Detect returns the format of data, which lies in a file of that name. The
// contents count before the name.
func Detect(name string, data []byte) (Format, error) {
	text := bytes.TrimSpace(unmarked(data))
	base := strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	switch {
	case len(text) == 0:
		return "", fmt.Errorf("detect the format of %q: it is empty: %w", name, ErrUnknown)
	case text[0] == '{' || text[0] == '[':
		return detectJSON(name, base, text)
	case bytes.HasPrefix(text, []byte(fence+"\n")), bytes.HasPrefix(text, []byte(fence+"\r\n")):
		return Markdown, nil
	case isSeed(text):
		return ClaudeLTM, nil
	case strings.HasSuffix(base, ".md"), strings.HasSuffix(base, ".markdown"):
		return MemoryFile, nil
	}
	return "", fmt.Errorf("detect the format of %q: %w", name, ErrUnknown)
}

// detectJSON looks at the members of the outermost object, or of the first
// object of an array.
func detectJSON(name, base string, text []byte) (Format, error) {
	if strings.HasSuffix(base, ".jsonl") || strings.HasSuffix(base, ".ndjson") {
		return Lines, nil
	}
	first, rest, _ := bytes.Cut(text, []byte{'\n'})
	if o, err := decode(first); err == nil && isOurs(asObject(o)) && len(rest) > 0 {
		return Lines, nil
	}
	err := bounded(text, maxJSON)
	var root any
	if err == nil {
		root, err = decode(text)
	}
	if err != nil {
		return "", fmt.Errorf("detect the format of %q: %w: %w", name, ErrUnknown, err)
	}
	o := asObject(root)
	if list, ok := root.([]any); ok && len(list) > 0 {
		o = asObject(list[0])
	}
	switch {
	case isOurs(o):
		return LTM, nil
	case isClaude(o):
		return ClaudeLTM, nil
	case isMemento(o):
		return Memento, nil
	}
	return "", fmt.Errorf("detect the format of %q: %w", name, ErrUnknown)
}

func isOurs(o object) bool {
	switch o.text("type") {
	case "packet", "note", "skip", "event":
		return true
	}
	return o.has("ltm_version") || o.has("record") || o.has("goal") && o.has("next_step")
}

func isClaude(o object) bool {
	for _, m := range o.objects("memories") {
		if m.has("region") || m.has("original_content") {
			return true
		}
	}
	return o.has("region") && o.has("content")
}

func isMemento(o object) bool {
	return slices.ContainsFunc(mementoLists(), o.has) || o.has("content") || o.has("item") && o.has("reason")
}
