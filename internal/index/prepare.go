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
	body  string // body is the head, the counters and the rules.
	words string // words are those of the record line by line; nothing for a record without items.
}

// prepareRecord takes a document apart. A ref without one is kept as a record that says nothing.
func (l *reader) prepareRecord(at Listed, d Document) (prepared, error) {
	if d.Ref == "" {
		d.Content = packet.Content{}
	}
	if d.Content.Kind == packet.KindEvent {
		d.Content = packet.Content{
			Kind: packet.KindEvent, CreatedAt: d.Event.CreatedAt, Provenance: d.Event.Provenance,
			Paths:     d.Event.Targets,
			ExpiresAt: d.Event.ExpiresAt,
		}
	}
	h := headOf(d.Content)
	h.signer, h.aside = d.Signer, d.Aside
	rules, err := prepareRules(d)
	l.out = appendRules(appendList(h.appendTo(l.out[:0]), d.Counts), rules)
	out := prepared{Listed: at, at: orderOf(at.Ref), body: string(l.out)}
	if len(h.items) > 0 {
		out.words = l.wordsOf(d.Content)
	}
	return out, err
}

// recordMarks are the marks of a record as they were written.
func (h *head) recordMarks() []string {
	var marks []string
	for _, p := range h.paths {
		switch {
		case h.kind != packet.KindEvent:
			marks = append(marks, markPath+packet.CleanPath(p))
		case h.aside:
			marks = append(marks, markAside+p)
		default:
			marks = append(marks, markTarget+p)
		}
	}
	if h.commit != "" {
		marks = append(marks, markCommit+strings.ToLower(h.commit))
	}
	return marks
}

// idOf is the record that a ref names.
func idOf(ref string) string { return path.Base(ref) }
