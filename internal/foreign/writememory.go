package foreign

import (
	"fmt"
	"io"
	"iter"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// recordMark begins the comment that names the record of a line. What has one
// is not read in again.
const recordMark = "<!-- ltm "

// A section is a heading of a memory file and the kinds of items below it.
type section struct {
	heading string
	kinds   []string
}

func sections() []section {
	return []section{
		{"Identity", []string{packet.NoteIdentity}},
		{"Preferences", []string{"preference", packet.ItemConstraint}},
		{"Decisions", []string{packet.ItemDecision}},
		{"Pitfalls", []string{"pitfall"}},
		{"What did not work", []string{packet.ItemAttempt}},
		{"Not to be done for now", []string{packet.ItemSkip}},
		{"Procedures", []string{"procedure", packet.ItemMethod}},
		{"Learnings", []string{"learning"}},
		{"Facts", []string{"fact"}},
		{"Reference", []string{"reference"}},
		{"Achievements", []string{"achievement"}},
		{"Tasks", []string{packet.NoteTask, packet.ItemGoal, packet.ItemNext}},
		{"Open questions", []string{packet.ItemQuestion}},
		{"Goals to be met", []string{packet.ItemCriterion}},
	}
}

// WriteMemory writes what the records say as a list for people, by kind. It is
// no form to read back: what is a record already is left out there.
func WriteMemory(w io.Writer, records iter.Seq2[Record, error]) error {
	lines := map[string][]string{}
	for record, err := range records {
		if err != nil {
			return err
		}
		content, _ := record.Content.For(provenance.Requested)
		for _, item := range content.Items {
			lines[item.Kind] = append(lines[item.Kind], memoryLine(record, content, item))
		}
	}
	var out strings.Builder
	out.WriteString("# Memory\n")
	for _, s := range sections() {
		var all []string
		for _, kind := range s.kinds {
			all = append(all, lines[kind]...)
		}
		if len(all) > 0 {
			fmt.Fprintf(&out, "\n## %s\n\n%s", s.heading, strings.Join(all, ""))
		}
	}
	if _, err := io.WriteString(w, out.String()); err != nil {
		return fmt.Errorf("write the list: %w", err)
	}
	return nil
}

func memoryLine(record Record, content packet.Content, item packet.Item) string {
	var b strings.Builder
	b.WriteString("- " + plain(item.Text))
	if why := plain(item.Why); why != "" {
		b.WriteString(" -- " + why)
	}
	if end := content.ExpiresAt; !end.IsZero() {
		b.WriteString(" (until " + end.UTC().Format(time.DateOnly) + ")")
	}
	if from := record.Content.Origin(); !from.Trusted {
		b.WriteString(" (by " + plain(from.By()) + ", " + string(from.Verdict.Standing) + ")")
	}
	v, _ := decode(record.Data)
	fmt.Fprintf(&b, " %s%s -->\n", recordMark, slug(asObject(v).text("id"), 64))
	return b.String()
}

// plain returns text on one line that forges nothing there: no mark-up of HTML,
// and no file that an agent would read in its place.
func plain(text string) string {
	words := strings.Fields(clean.Line(strings.Join(strings.Fields(text), " ")))
	for i, word := range words {
		word = strings.ReplaceAll(word, "<", "&lt;")
		if strings.HasPrefix(strings.TrimLeft(word, `("'*_`), "@") {
			word = strings.Replace(word, "@", `\@`, 1)
		}
		words[i] = word
	}
	return strings.Join(words, " ")
}
