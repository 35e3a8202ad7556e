package foreign

import (
	"bytes"
	"encoding/json"
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
	LTM        Format = "ltm-json"    // packets and other records of ours or of the first ltm, alone or in lists
	Lines      Format = "jsonl"       // a record a line, bare or with its ref and signature
	Markdown   Format = "markdown"    // a note with front matter: ours, of Claude Code, Lerim, Altimate
	Memento    Format = "memento"     // what the Memento Protocol exports
	ClaudeLTM  Format = "claude-ltm"  // what LTM for Claude Code exports
	MemoryFile Format = "memory-file" // the sections of a MEMORY.md, CLAUDE.md or AGENTS.md
	Beads      Format = "beads"       // the issues and memories that beads exports, one a line or in a list
	Entire     Format = "entire"      // the metadata.json of a session in a checkpoint of Entire
	ADR        Format = "adr"         // an architecture decision record
	GitNotes   Format = "git-notes"   // the text of a note of git; its file is named like the commit
)

// ErrUnknown says that a format was not recognised.
var ErrUnknown = errors.New("not a known form of memories")

// A known format says how it is recognised and read. The first that fits is it.
type known struct {
	name Format
	fits func(in *input) bool
	read func(r *reader, data []byte) error
	// reads are the members of memories that it reads, beside those that each memory may have; "" for any.
	reads string
}

func knownFormats() []known {
	return []known{
		{Beads, func(in *input) bool {
			o := in.first
			return o.hasMember("issue_type") || o.hasMember("_type") ||
				o.hasMember("id") && o.hasMember("title") && o.hasMember("status")
		}, (*reader).readBeads, "_type key value title description design acceptance_criteria notes status priority " +
			"issue_type type creator labels dependencies created_by owner dependency_count dependent_count " +
			"comment_count"},
		{Lines, (*input).hasLines, func(r *reader, data []byte) error { return r.eachLine(data, r.takeOwn) }, ""},
		{LTM, func(in *input) bool { return isOurs(in.first) }, (*reader).readOwn, ""},
		{
			ClaudeLTM, func(in *input) bool { return isClaude(in.first) }, (*reader).readClaude,
			"content original_content kind region agent_name superseded_by",
		},
		{Entire, func(in *input) bool { return in.first.hasMember("checkpoint_id") }, (*reader).readCheckpoint, ""},
		{Memento, func(in *input) bool {
			o := in.first
			return slices.ContainsFunc(mementoLists(), o.hasMember) || o.hasMember("content") ||
				o.hasMember("item") && o.hasMember("reason")
		}, (*reader).readMemento, "crystal content text category title status priority next_action expires expires_at " +
			"linkages item reason added added_at type kind image_path images consolidated consolidated_into"},
		{
			ADR, func(in *input) bool { return isDecision(string(in.text)) }, (*reader).readDecision,
			"title date status decision consequences context",
		},
		{Markdown, func(in *input) bool {
			line, _, _ := bytes.Cut(in.text, []byte("\n"))
			return string(bytes.TrimSuffix(line, []byte("\r"))) == fence
		}, (*reader).readMarkdown, "date scope kind type expires citations title name description topic metadata"},
		{MemoryFile, func(in *input) bool { return in.isNamed(".md", ".markdown") }, (*reader).readSections, ""},
		{GitNotes, func(*input) bool { return false }, (*reader).readGitNote, ""},
	}
}

// Formats returns the formats.
func Formats() []Format {
	var names []Format
	for _, f := range knownFormats() {
		names = append(names, f.name)
	}
	return names
}

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	if slices.Contains(Formats(), Format(name)) {
		return Format(name), nil
	}
	return "", fmt.Errorf("format %q: %w: take one of %s", name, ErrUnknown,
		strings.Trim(strings.Join(strings.Fields(fmt.Sprint(Formats())), ", "), "[]"))
}

// Detect returns the format of data, which lies in a file of that name. The
// contents count before the name.
func Detect(name string, data []byte) (Format, error) {
	in := input{
		base: strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/"))), text: bytes.TrimSpace(trimBOM(data)),
	}
	err := in.readFirst()
	for _, f := range knownFormats() {
		if len(in.text) > 0 && f.fits(&in) {
			return f.name, nil
		}
	}
	return "", fmt.Errorf("detect the format of %q: %w", name, errors.Join(ErrUnknown, err))
}

// An input is a source whose format is to be told.
type input struct {
	base  string // the name of its file, in lower case
	text  []byte
	first object // the first object of JSON, or of a list of it
}

// readFirst reads the first value of JSON.
func (in *input) readFirst() error {
	if len(in.text) == 0 {
		return errors.New("it is empty")
	}
	if in.text[0] != '{' && in.text[0] != '[' {
		return nil
	}
	var raw json.RawMessage
	if err := json.NewDecoder(bytes.NewReader(in.text)).Decode(&raw); err != nil {
		return notJSON(err)
	}
	root, err := decodeJSON(raw[:min(len(raw), maxJSON)])
	if list, ok := root.([]any); ok && len(list) > 0 {
		root = list[0]
	}
	in.first = asObject(root)
	return err
}

func (in *input) isNamed(endings ...string) bool {
	return slices.ContainsFunc(endings, func(ending string) bool { return strings.HasSuffix(in.base, ending) })
}

// hasLines tells JSON of which each line is a record.
func (in *input) hasLines() bool {
	if in.text[0] != '{' && in.text[0] != '[' {
		return false
	}
	line, rest, _ := bytes.Cut(in.text, []byte("\n"))
	o, err := decodeJSON(line)
	return in.isNamed(".jsonl", ".ndjson") || err == nil && isOurs(asObject(o)) && len(rest) > 0
}

func isOurs(o object) bool {
	switch o.text("type") {
	case "packet", "note", "skip", "event":
		return true
	}
	return o.hasMember("ltm_version") || o.hasMember("record") || o.hasMember("goal") && o.hasMember("next_step") || o.hasMember(hubList)
}

func isClaude(o object) bool {
	for _, m := range o.objectList("memories") {
		if m.hasMember("region") || m.hasMember("original_content") {
			return true
		}
	}
	return o.hasMember("region") && o.hasMember("content")
}
