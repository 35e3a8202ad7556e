package foreign

import (
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// readSections reads the bullets and short sections of a file that people and
// agents write for agents.
func (r *reader) readSections(data []byte) error {
	if err := bounded(data, maxText); err != nil {
		return err
	}
	if !utf8.Valid(data) {
		return errNotUTF8
	}
	text := strings.ReplaceAll(string(data), "\r\n", "\n")
	o := outline{reader: r}
	for i, line := range strings.Split(text, "\n") {
		o.line(i+1, line)
	}
	o.end()
	return nil
}

// memory takes in one bullet or paragraph.
func (o *outline) memory(place, text string) {
	if path.Base(o.reader.slashed()) == "MEMORY.md" && isPointer(text) {
		o.reader.remark("lines of MEMORY.md that only point to a file of the memory were left out; import the folder to have the files")
		return
	}
	m := memory{place: place, doc: document{Type: packet.KindNote, Text: text, Kind: "fact"}}
	var heads []string
	if len(o.headings) > 1 {
		heads = o.headings[1:] // the first is the title of the file
	}
	for _, h := range slices.Backward(o.headings) {
		if k, ok := headingKind(h); ok {
			m.doc.Kind = k
			break
		} else if hasWord(h, "decision", "decisions") {
			m.note("it stands below %q; it is a fact until somebody says that it is a decision", short(h))
			break
		}
	}
	var segments []string
	for _, h := range heads {
		if h == "" {
			continue
		}
		s := slug(h, maxTag)
		if s == "" {
			m.doc.Text = h + ": " + m.doc.Text // it has no form that a topic may have
			continue
		}
		segments = append(segments, s)
	}
	m.doc.Topic = o.reader.topic(strings.Join(segments, "/"))
	o.reader.add(m)
}

// isPointer tells a line of an index: a link to a file beside it, and what that is about.
func isPointer(text string) bool {
	_, rest, linked := strings.Cut(text, "](")
	file, _, closed := strings.Cut(rest, ")")
	return strings.HasPrefix(text, "[") && linked && closed && strings.HasSuffix(file, ".md") && !strings.ContainsAny(file, "/:")
}

// headingKind guesses the kind of what stands below a heading by its words. It
// never guesses a decision: that is for people to say.
func headingKind(h string) (kind string, ok bool) {
	for _, guess := range []struct {
		kind  string
		words []string
	}{
		{"pitfall", []string{"pitfall", "pitfalls", "gotcha", "gotchas", "caveat", "caveats", "traps", "mistakes", "warnings"}},
		{"preference", []string{"preference", "preferences", "convention", "conventions", "style", "rules", "guidelines"}},
		{"procedure", []string{"procedure", "procedures", "workflow", "workflows", "steps", "howto", "runbook", "runbooks", "recipes", "commands"}},
		{"learning", []string{"learning", "learnings", "lesson", "lessons", "insights"}},
		{"reference", []string{"reference", "references", "glossary", "links", "resources"}},
		{"achievement", []string{"achievement", "achievements", "milestones"}},
	} {
		if hasWord(h, guess.words...) {
			return guess.kind, true
		}
	}
	return "", false
}

// hasWord tells whether one of the words stands in the text, as a whole word.
func hasWord(text string, words ...string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if slices.Contains(words, word) {
			return true
		}
	}
	return false
}

// isLog tells whether at least three lines, and half of them, look like the
// output of a program.
func isLog(lines []string) bool {
	odd := 0
	for _, line := range lines {
		if logged(strings.TrimSpace(line)) {
			odd++
		}
	}
	return odd >= 3 && 2*odd >= len(lines)
}

func logged(line string) bool {
	for _, mark := range []string{
		"$ ", ">>> ", "Traceback ", "File \"", "ERROR", "WARN", "INFO", "DEBUG", "FATAL", "[ERROR]", "[WARN", "[INFO]", "[DEBUG]",
		"--- FAIL", "=== RUN", "panic: ", "goroutine ", "npm ERR!", "error[",
	} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	if strings.HasPrefix(line, "at ") && strings.Contains(line, ":") {
		return true
	}
	line = strings.TrimPrefix(line, "[")
	const clock = len("15:04:05")
	_, dated := date(line[:min(len(line), len(time.DateOnly))], time.UTC)
	return dated || len(line) >= clock && line[2] == ':' && line[5] == ':' && strings.Trim(line[:clock], "0123456789:") == ""
}
