package index

import (
	"path"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// The marks by which records are found without their words, each followed by the path, commit or record in
// question.
const (
	markPath   = "p:"
	markCommit = "c:"
	markTarget = "e:"
	markAside  = "a:" // the record of which an event speaks that stands aside
)

// prepared is a record as it goes into a segment. It holds no more than is written: many are gathered before
// they are.
type prepared struct {
	Listed
	at    int64  // at is as orderOf has it.
	body  string // body is the head and the rules.
	words string // words are those of the record line by line; nothing for a record without items.
}

// prepareRecord takes a document apart. A ref without one is kept as a record that says nothing.
func (l *reader) prepareRecord(at Listed, d Document) (prepared, error) {
	if d.Ref == "" {
		d.Content = packet.Content{}
	}
	h := headOf(at, d)
	rules, err := prepareRules(d)
	l.out = appendRules(h.appendTo(l.out[:0]), rules)
	out := prepared{Listed: at, at: orderOf(at.Ref), body: string(l.out)}
	if len(h.Items) > 0 {
		out.words = l.wordsOf(d.Content)
	}
	return out, err
}

// recordMarks are the marks of a record as they were written.
func (h *head) recordMarks() []string {
	var marks []string
	for _, p := range h.Paths {
		switch {
		case h.Kind != packet.KindEvent:
			marks = append(marks, markPath+packet.CleanPath(p))
		case h.aside:
			marks = append(marks, markAside+p)
		default:
			marks = append(marks, markTarget+p)
		}
	}
	if h.Anchor.Commit != "" {
		marks = append(marks, markCommit+strings.ToLower(h.Anchor.Commit))
	}
	return marks
}

// idOf is the record that a ref names.
func idOf(ref string) string { return path.Base(ref) }
