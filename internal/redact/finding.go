package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// Severity says what a finding means for the packet that holds it.
type Severity int

const (
	// Warn marks what a writer should know about and may keep.
	Warn Severity = iota + 1
	// Block marks what must not be stored.
	Block
)

// A Finding is one place that a rule found. It never holds the secret.
type Finding struct {
	Rule     string   // ID of the rule.
	Severity Severity // Severity of the rule.

	// Path is the JSON pointer of the string. When InName is true it is the
	// pointer of the object that holds the member. A step whose name itself
	// is blocked is shown masked, and a very long step or pointer is cut.
	Path   string
	InName bool // The finding is in the name of a member.

	Start, End int // Bytes of the decoded string.

	// Where the finding stands in the document: lines and columns count from
	// 1, columns in characters, and the end is exclusive.
	Line, Column, EndLine, EndColumn int

	// What the secret is called beside it; "" where that is not known, or the last step of Path says it.
	Name   string
	Mask   string // Public prefix of the secret and "…".
	Why    string // What this looks like.
	Advice string // What to do about it.

	from, to int    // Bytes of the document.
	trace    string // Digest of a secret that cannot be guessed.
}

// String returns the finding on one line, without the secret.
func (f Finding) String() string {
	what := f.Rule + " (" + f.Mask + "): " + f.Why
	if f.Name != "" {
		what += ", named " + f.Name
	}
	where := f.Path
	if f.InName {
		where = strings.TrimSpace(where + " (member name)")
	}
	if where == "" {
		return what
	}
	return where + ": " + what
}

// Blocking returns the findings that must not be stored, in their order.
func Blocking(fs []Finding) []Finding {
	return slices.DeleteFunc(slices.Clone(fs), func(f Finding) bool { return f.Severity != Block })
}

// Replace returns text with other text in the place of what was found in it, which is in its order.
func Replace(text string, fs []Finding, by func(Finding) string) string {
	var b strings.Builder
	from := 0
	for _, f := range fs {
		if f.End > from { // Else something stands for it already.
			b.WriteString(text[from:max(from, f.Start)] + by(f))
			from = f.End
		}
	}
	return b.String() + text[from:]
}

// IsPlace tells whether the finding is a place on a machine, which is no secret
// to the person who works there, and which [Relative] writes anew.
func (f Finding) IsPlace() bool { return rules.Words("place").Has(f.Rule) }

// Warnings returns the findings that whoever saves is warned of: no places, which are written anew, and of
// placeholders the first.
func Warnings(fs []Finding) []Finding {
	filled := false
	return slices.DeleteFunc(slices.Clone(fs), func(f Finding) bool {
		again := filled && f.Rule == Placeholder
		filled = filled || f.Rule == Placeholder
		return f.Severity != Warn || f.IsPlace() || again
	})
}

// Placeholder is the rule for what stands for a secret and passes.
const Placeholder = "placeholder"

// strongBits is how many bits a secret must seem to hold before its digest may
// stand in a report: a digest of less could be guessed.
const strongBits = 80

// Fingerprint names the finding in subject, which is the id of a record or the
// path of a file. It is the same on every machine and in every run. It tells
// nothing of the secret: a token that cannot be guessed is named by its digest,
// so that the name stays when the text around it changes; anything weaker is
// named by its place, and has another name when it moves. Of a record that is not
// stored yet the subject is "": its place is then told by its pointer, since what
// is filled in stands around it.
func (f Finding) Fingerprint(subject string) string {
	sum := sha256.New()
	what := f.trace
	switch {
	case what != "":
	case subject == "":
		what = fmt.Sprintf("%s %t %d-%d", f.Path, f.InName, f.Start, f.End)
	default:
		what = fmt.Sprintf("%d-%d", f.from, f.to)
	}
	for _, part := range []string{"ltm finding 1", subject, f.Rule, what} {
		_, _ = fmt.Fprintf(sum, "%d:%s", len(part), part) // A hash takes whatever comes.
	}
	return "v1:" + hex.EncodeToString(sum.Sum(nil)[:8])
}

// A locator counts the lines and columns of a text from its beginning on. It
// is asked for places that do not go back, so that the whole text is read once.
type locator struct {
	text         string
	at           int
	line, column int
}

func newLocator(text string) *locator { return &locator{text: text, line: 1, column: 1} }

// advanceTo goes to the byte at to.
func (l *locator) advanceTo(to int) {
	to = min(to, len(l.text))
	between := l.text[l.at:max(l.at, to)]
	if end := strings.LastIndexByte(between, '\n'); end >= 0 {
		l.line += strings.Count(between, "\n")
		l.column, between = 1, between[end+1:]
	}
	l.column += utf8.RuneCountInString(between)
	l.at = max(l.at, to)
}

// locateFinding fills in the place of f, which takes up the bytes s of the text. It
// is called in the order of the text.
func (l *locator) locateFinding(f *Finding, s lex.Span) {
	l.advanceTo(s.Start)
	f.Line, f.Column = l.line, l.column
	end := *l
	end.advanceTo(s.End)
	f.EndLine, f.EndColumn = end.line, end.column
	f.from, f.to = s.Start, s.End
}

// A rawCursor finds the bytes of a quoted JSON string that its decoded bytes
// came from.
type rawCursor struct {
	raw         string
	at, decoded int
}

// rawOffset returns where the byte at want of the decoded string begins in raw. It does not go back.
func (c *rawCursor) rawOffset(want int) int {
	if c.at == 0 {
		c.at = 1 // The opening quote.
	}
	for c.decoded < want && c.at < len(c.raw)-1 {
		size, bytes := rawUnit(c.raw[c.at:])
		c.at += size
		c.decoded += bytes
	}
	return c.at
}

// rawUnit returns how long the unit at the beginning of raw is, and how many
// bytes it decodes to.
func rawUnit(raw string) (size, bytes int) {
	if raw[0] != '\\' {
		return 1, 1
	}
	for _, size := range [...]int{12, 6, 2} { // Two halves of a character, a character by its number, an escape.
		var text string
		err := json.Unmarshal([]byte(`"`+raw[:min(size, len(raw))]+`"`), &text)
		if err == nil && utf8.RuneCountInString(text) == 1 {
			return size, len(text)
		}
	}
	return 1, 1
}
