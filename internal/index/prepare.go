package index

import (
	"hash/fnv"
	"path"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// The marks by which records are found without their words, each followed by the path, commit or record in question.
const (
	markPath   = "p:"
	markCommit = "c:"
	markTarget = "e:"
	markAside  = "a:" // the record of which an event speaks that stands aside
)

// prepared is a record as it goes into the database.
type prepared struct {
	Listed
	created time.Time
	expires time.Time
	head    []byte
	words   []byte   // words are those of the record line by line; nothing for a record without items.
	rows    []string // rows are the words of each item.
	norms   []byte   // norms are two bytes for each item.
	length  int      // length is that of all items.
	marks   []string
	sorts   []int64
	counts  []string

	rules []preparedRule
}

// preparer turns documents into what goes into the database.
type preparer struct {
	lexeme lexeme
}

// prepare takes a document apart. A ref without one is kept as a record that says nothing.
func (p *preparer) prepare(at Listed, d Document) (prepared, error) {
	out := prepared{Listed: at}
	if d.Ref == "" {
		d.Content = packet.Content{}
	}
	if d.Content.Kind == packet.KindEvent {
		d.Content = packet.Content{
			Kind: packet.KindEvent, CreatedAt: d.Event.CreatedAt, Provenance: d.Event.Provenance, Paths: d.Event.Targets,
		}
	}
	h := headOf(d.Content)
	h.signer, h.counts, h.aside = d.Signer, d.Counts, d.Aside
	out.created, out.expires, out.head, out.marks, out.sorts = h.created, h.expires, h.encode(), h.marks(), h.sorts()
	out.counts = h.counters()
	if len(d.Content.Items) == 0 {
		return out, nil
	}
	out.words = p.lexeme.wordsOf(d.Content)
	words, err := parseWords(string(out.words), len(d.Content.Items))
	if err != nil {
		return prepared{}, err
	}
	if out.rules, err = prepareRules(d); err != nil {
		return prepared{}, err
	}
	out.rows = words.rows(h.signer)
	for i, item := range words.items {
		length := item.length()
		out.length += length
		out.norms = append(out.norms, quantise(length), tieByte(at.Ref, d.Content.Items[i].Place))
	}
	return out, nil
}

// marks are the marks of a record as they were written.
func (h *head) marks() []string {
	var marks []string
	for _, p := range h.paths {
		switch {
		case h.kind != packet.KindEvent:
			marks = append(marks, markPath+cleanPath(p))
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

// cleanPath gives a path the one form in which paths are compared.
func cleanPath(p string) string {
	p = path.Clean("/" + strings.ReplaceAll(p, `\`, "/"))
	return strings.TrimPrefix(p, "/")
}

// idOf is the record that a ref names.
func idOf(ref string) string { return path.Base(ref) }

// tieByte tells items of the same words apart in a way that does not depend on when they came.
func tieByte(ref, place string) byte {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(ref + " " + place))
	v := sum.Sum32()
	return byte(v>>24) ^ byte(v>>16) ^ byte(v>>8) ^ byte(v) //nolint:gosec // The parts of a sum.
}
