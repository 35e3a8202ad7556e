// Package transcript reads what sessions of agents left behind.
//
// Each client keeps a transcript in a form of its own; Read turns any of them into one Session: what the
// person asked for, what ran and failed, what was decided, what is still to do, where it happened. It takes
// only records that it knows, skips lines that are longer than a bound or cut, and holds a bounded part of a
// transcript of any size in memory.
//
// What git ltm told the session is never read back, so that a memory does not feed on itself. The texts of a
// Session are otherwise as the transcript has them: hostile, not cleaned, not scanned for secrets.
package transcript

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/words"
)

// detectLines is how many records are looked at.
const detectLines = 50

// Detect says whose transcript begins with head, which may be cut anywhere. A few kilobytes are enough.
func Detect(head []byte) (Format, bool) {
	at := 0
	for line := range bytes.Lines(head) {
		if at++; at > detectLines {
			break
		}
		if r, ok := parseRecord(line); ok {
			if f, ok := formatOf(r); ok {
				return f, true
			}
		}
	}
	// The first record is longer than the head, or there are no lines: what of it is here may do.
	if text := bytes.TrimSpace(head); bytes.HasPrefix(text, []byte("{")) {
		return formatOf(gjson.ParseBytes(text))
	}
	return "", false
}

// formatOf tells a format by a record.
func formatOf(r gjson.Result) (Format, bool) {
	kind := r.Get("type").Str
	switch {
	case r.Get("payload").IsObject() && r.Get("timestamp").Exists():
		return Codex, true
	case r.Get("data").IsObject() && (r.Get("parentId").Exists() || kind == "session.start"):
		return Copilot, true
	case r.Get("projectHash").Exists() && r.Get("sessionId").Exists(), r.Get("$set").IsObject():
		return Gemini, true
	case r.Get("info").IsObject() && kind == "":
		return OpenCode, true
	case r.Get("message.parts").IsArray() && r.Get("sessionId").Exists():
		return Qwen, true
	case r.Get("message").IsObject() && (kind == "user" || kind == "assistant"),
		kind == "summary" && r.Get("leafUuid").Exists(),
		r.Get("sessionId").Exists() && phrases.Has("of claude", kind):
		return ClaudeCode, true
	default:
		return "", false
	}
}

// Read reads a transcript to its end. It fails on a reader that fails, on a format that it does not know and
// when the context ends; whatever the bytes are, they are no error.
func Read(ctx context.Context, r io.Reader, f Format) (Session, error) {
	records, b := readLines(r), &builder{}
	take, known := map[Format]func(gjson.Result){
		ClaudeCode: b.takeClaude, Codex: b.takeCodex, Gemini: b.takeGemini, OpenCode: b.takeOpenCode,
		Copilot: b.takeCopilot, Qwen: b.takeQwen,
	}[f]
	switch {
	case !known:
		return Session{}, fmt.Errorf("read transcript: unknown format %q", f)
	case f == OpenCode:
		records = readValues(r)
	}
	for data, err := range records {
		if err != nil {
			return Session{}, err
		}
		if err := ctx.Err(); err != nil {
			return Session{}, fmt.Errorf("read transcript: %w", err)
		}
		if r, ok := parseRecord(data); ok {
			take(r)
		}
	}
	return b.makeSession(f), nil
}

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

// mostLine is how long a line or a value may be that is read. Longer ones, which hold pictures or whole
// files, are skipped.
const mostLine = 4 << 20

// readLines yields the lines of a reader. One that is too long is passed over in bounded memory; the last
// one may be cut. A line is valid until the next one is asked for.
func readLines(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var line []byte
		tooLong := false
		for {
			part, err := in.ReadSlice('\n')
			if tooLong = tooLong || len(line)+len(part) > mostLine; !tooLong {
				line = append(line, part...)
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(nil, fmt.Errorf("read transcript: %w", err))
				return
			}
			if !tooLong && len(line) > 0 && !yield(line, nil) || err != nil {
				return
			}
			line, tooLong = line[:0], false
		}
	}
}

// phraseTable is lists of what clients call and say things.
//
//go:embed words.txt
var phraseTable string

//nolint:gochecknoglobals // A table that nobody writes to.
var phrases = words.NewTable(phraseTable)

// parseRecord parses a line or a value. One that is cut, no JSON object or too deep is no record.
func parseRecord(data []byte) (gjson.Result, bool) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 || data[0] != '{' || !clean.IsShallow(data) || !gjson.ValidBytes(data) {
		return gjson.Result{}, false
	}
	return gjson.ParseBytes(data), true
}

// parseArgument parses a JSON value that a record holds as text.
func parseArgument(text string) gjson.Result {
	if !clean.IsShallow([]byte(text)) || !gjson.Valid(text) {
		return gjson.Result{}
	}
	return gjson.Parse(text)
}

// joinedText joins the texts of a value: a string, or a list of parts that have one.
func joinedText(v gjson.Result) string {
	var all []string
	for _, part := range v.Array() {
		thought := part.Get("thought").Bool() // The agent says it to nobody.
		if part.IsObject() {
			part = part.Get("text")
		}
		if !thought && part.Type == gjson.String && part.Str != "" {
			all = append(all, part.Str)
		}
	}
	return strings.Join(all, "\n")
}

// firstText returns the first of some members that is a text.
func firstText(v gjson.Result, paths ...string) string {
	for _, p := range paths {
		if m := v.Get(p); m.Type == gjson.String && m.Str != "" {
			return m.Str
		}
	}
	return ""
}

// readValues yields the objects of one JSON document that lie so deep that they are single records: the
// value of a member of the document, and in each element of a list what the element is and what it holds.
// Where an object is too long it is passed over, in bounded memory. A value is valid until the next one is
// asked for.
func readValues(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		buffer, s := make([]byte, 64<<10), splitter{}
		for {
			n, err := r.Read(buffer)
			for chunk := buffer[:n]; len(chunk) > 0; {
				var whole bool
				if chunk, whole = s.feed(chunk); whole && !yield(s.value, nil) {
					return
				}
			}
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				yield(nil, fmt.Errorf("read transcript: %w", err))
				return
			}
		}
	}
}

// splitter follows the depth of a document byte by byte.
type splitter struct {
	depth           int
	inText, escaped bool
	from            int // the depth inside the value that is gathered; zero for none
	tooLong         bool
	value           []byte
}

// feed takes bytes up to the end of a value, returns the rest, and says whether a value is whole.
func (s *splitter) feed(chunk []byte) (rest []byte, whole bool) {
	start := 0
	for i, c := range chunk {
		if !s.structural(c) {
			continue
		}
		switch c {
		case '[':
			s.depth++
		case '{':
			s.depth++
			// A record begins: what the session is, what a message is, or a part of one.
			if s.from == 0 && (s.depth == 2 || s.depth == 4 || s.depth == 5) {
				s.from, s.tooLong, s.value, start = s.depth, false, s.value[:0], i
			}
		case ']', '}':
			s.depth--
			if s.from > 0 && s.depth < s.from {
				s.keep(chunk[start : i+1])
				s.from = 0
				return chunk[i+1:], !s.tooLong
			}
		}
	}
	if s.from > 0 {
		s.keep(chunk[start:])
	}
	return nil, false
}

// structural says whether a byte stands outside of texts.
func (s *splitter) structural(c byte) bool {
	switch {
	case s.escaped:
		s.escaped = false
	case s.inText:
		s.escaped, s.inText = c == '\\', c != '"'
	case c == '"':
		s.inText = true
	default:
		return true
	}
	return false
}

func (s *splitter) keep(part []byte) {
	if s.tooLong = s.tooLong || len(s.value)+len(part) > mostLine; !s.tooLong {
		s.value = append(s.value, part...)
	}
}
