package foreign

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/words"
)

// An outline turns the lines of a memory file into memories, one at a time.
type outline struct {
	reader   *reader
	headings []string // by level, the outermost first
	block    []string // the lines of the bullet, or of the section without any, that is read
	bullet   bool
	start    int       // the line at which the block begins
	left     *omission // what is left out at the moment
}

// An omission is a stretch of lines that is left out.
type omission struct {
	what, begin, end string // and the marks that its first line and its last begin with
	inLine           bool   // it may end within a line, and on the one that it begins on
}

func (o *outline) readLine(number int, line string) {
	text := strings.TrimSpace(line)
	if o.left != nil {
		if o.left.ends(text) {
			o.left = nil
		}
		return
	}
	if left := omissionAt(text); left != nil {
		o.endBlock()
		o.reader.addLeft(o.reader.at(number), "%s was left out", left.what)
		if !left.inLine || !left.ends(text) {
			o.left = left
		}
		return
	}
	switch {
	case headingLevel(line) > 0:
		o.endBlock()
		level := headingLevel(line)
		for len(o.headings) < level {
			o.headings = append(o.headings, "")
		}
		o.headings = o.headings[:level]
		o.headings[level-1], _ = tidyText(strings.Trim(text, "# "))
	case len(text) > 1 && text[0] == '@' && !strings.ContainsAny(text, " \t"):
		o.endBlock()
		o.reader.addLeft(o.reader.at(number), "a file that is read in its place was left out")
	case !isIndented(line) && trimBullet(text) != text: // of the outermost list
		kind, _ := o.kind()
		steps := isNumbered(text) && kind == "procedure"
		if steps && o.bullet && o.block != nil && isNumbered(o.block[0]) { // They belong together, in their order.
			o.block = append(o.block, text)
			return
		}
		o.endBlock()
		if !steps {
			text = trimBullet(text)
		}
		o.beginBlock(number, text, true)
	case o.block == nil && text == "":
	case o.block == nil, o.bullet && text != "" && o.block[len(o.block)-1] == "" && !isIndented(line):
		o.endBlock()
		o.beginBlock(number, line, false)
	default:
		o.block = append(o.block, strings.TrimRight(line, " \t"))
	}
}

func (o *outline) beginBlock(number int, line string, bullet bool) {
	o.block, o.bullet, o.start = []string{line}, bullet, number
}

// endBlock makes a memory of the lines that were read, or several where they are
// long and have paragraphs.
func (o *outline) endBlock() {
	lines, place := o.block, o.reader.at(o.start)
	o.block = nil
	var kept []string
	for paragraph := range strings.SplitSeq(strings.Join(lines, "\n"), "\n\n") {
		paragraph = strings.Trim(paragraph, "\n")
		switch text := strings.TrimSpace(paragraph); {
		case text == "":
		case words.IsOutput(text):
			o.reader.addLeft(place, "what looks like a log was left out")
		case !o.bullet && strings.HasSuffix(text, ":") && !strings.ContainsAny(text, ".;\n"):
			o.reader.addLeft(place, "a line that only leads to what follows was left out")
		default:
			kept = append(kept, paragraph)
		}
	}
	if all := strings.Join(kept, "\n\n"); o.bullet || utf8.RuneCountInString(all) <= packet.MaxNoteText {
		kept = []string{all}
	}
	for _, text := range kept {
		if text, _ = tidyText(text); text != "" {
			o.addMemory(place, text)
		}
	}
}

// omissionAt returns what begins with the line, if that is nothing to remember:
// code, comments, and what was handed out of a memory before.
func omissionAt(text string) *omission {
	lower := strings.ToLower(text)
	for _, one := range []omission{
		{what: "a code block", begin: "```", end: "```"},
		{what: "a code block", begin: "~~~", end: "~~~"},
		{what: "a comment", begin: "<!--", end: "-->", inLine: true},
		{what: "what a memory handed out", begin: "<ltm-", end: "</ltm-"},
		{what: "what a memory handed out", begin: "ltm-packet ", end: "ltm-packet "},
	} {
		// A line that has the mark of code twice has code in its midst.
		if strings.HasPrefix(lower, one.begin) && (one.begin != one.end || strings.Count(text, one.begin) == 1) {
			return &one
		}
	}
	return nil
}

// ends tells whether what is left out ends with a line.
func (o *omission) ends(line string) bool {
	line = strings.ToLower(line)
	return strings.HasPrefix(line, o.end) || o.inLine && strings.Contains(line, o.end)
}

// headingLevel returns the level of a heading, or 0.
func headingLevel(line string) int {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	if level > 6 || level == len(line) || line[level] != ' ' {
		return 0
	}
	return level
}

func isIndented(line string) bool {
	return strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")
}

// trimBullet returns the line without the mark that makes it a bullet.
func trimBullet(text string) string {
	for _, mark := range []string{"- ", "* ", "+ "} {
		if rest, ok := strings.CutPrefix(text, mark); ok {
			return strings.TrimSpace(rest)
		}
	}
	if isNumbered(text) {
		return strings.TrimSpace(strings.TrimLeft(text, "0123456789")[2:])
	}
	return text
}

// isNumbered tells an item of a list with numbers.
func isNumbered(text string) bool {
	rest := strings.TrimLeft(text, "0123456789")
	n := len(text) - len(rest)
	return n > 0 && n < 4 && len(rest) > 1 && (rest[0] == '.' || rest[0] == ')') && rest[1] == ' '
}

// readSections reads the bullets and short sections of a file that people and
// agents write for agents.
func (r *reader) readSections(data []byte) error {
	text, err := textOf(data)
	if err != nil {
		return err
	}
	o := outline{reader: r}
	for i, line := range strings.Split(text, "\n") {
		o.readLine(i+1, line)
	}
	o.endBlock()
	return nil
}

// addMemory takes in one bullet or paragraph.
func (o *outline) addMemory(place, text string) {
	if path.Base(o.reader.slashed()) == "MEMORY.md" && isPointer(text) {
		o.reader.addRemark("lines of MEMORY.md that only point to a file of the memory were left out; import " +
			"the folder to have the files")
		return
	}
	kind, decided := o.kind()
	m := memory{place: place, doc: document{Type: packet.KindNote, Text: text, Kind: kind}}
	if (m.doc.Kind == "fact" || m.doc.Kind == "procedure") && demand().MatchString(text) {
		m.doc.Kind = "preference"
	}
	var heads []string
	if len(o.headings) > 1 {
		heads = o.headings[1:] // the first is the title of the file
	}
	if decided != "" {
		m.addNote("it stands below %q; it is a fact until somebody says that it is a decision",
			clean.Truncate(decided, maxShown))
	}
	var segments []string
	for _, h := range heads {
		if h == "" {
			continue
		}
		s := toSlug(h, maxTag)
		if s == "" {
			m.doc.Text = h + ": " + m.doc.Text // it has no form that a topic may have
			continue
		}
		segments = append(segments, s)
	}
	m.doc.Topic = o.reader.mapTopic(strings.Join(segments, "/"))
	o.reader.addMemory(m)
}

// demand is what begins a sentence that forbids or demands something.
var demand = words.Compiled(`(?i)(?:^|[.:!;*]\s+|\*\*|^-\s)(?:never|always|do not|don't|must not|avoid)\b`)

// isPointer tells a line of an index: a link to a file beside it, and what that is about.
func isPointer(text string) bool {
	_, rest, linked := strings.Cut(text, "](")
	file, _, closed := strings.Cut(rest, ")")
	return strings.HasPrefix(text, "[") && linked && closed && strings.HasSuffix(file, ".md") &&
		!strings.ContainsAny(file, "/:")
}

// kind is what the headings say of what stands below them, and which of them speaks of decisions, if that is why
// it is a fact.
func (o *outline) kind() (kind, decided string) {
	for _, h := range slices.Backward(o.headings) {
		if k, ok := headingKind(h); ok {
			return k, ""
		}
		if hasWord(h, "decision", "decisions") {
			return "fact", h
		}
	}
	return "fact", ""
}

// headingKind guesses the kind of what stands below a heading by its words. It
// never guesses a decision: that is for people to say.
func headingKind(h string) (kind string, ok bool) {
	for _, guess := range [][]string{
		{"pitfall", "pitfalls", "gotcha", "gotchas", "caveat", "caveats", "traps", "mistakes", "warnings"},
		{"preference", "preferences", "convention", "conventions", "style", "rules", "guidelines"},
		{
			"procedure", "procedures", "workflow", "workflows", "steps", "howto", "runbook", "runbooks", "recipes",
			"commands",
		},
		{"learning", "learnings", "lesson", "lessons", "insights"},
		{"reference", "references", "glossary", "links", "resources"},
		{"achievement", "achievements", "milestones"},
	} {
		if hasWord(h, guess...) {
			return guess[0], true
		}
	}
	return "", false
}

// hasWord tells whether one of the words stands in the text, as a whole word.
func hasWord(text string, words ...string) bool {
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if slices.Contains(words, word) {
			return true
		}
	}
	return false
}
