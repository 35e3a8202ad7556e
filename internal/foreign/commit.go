package foreign

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// readGitNote reads the text of a note of git, whose file is named like the commit.
func (r *reader) readGitNote(data []byte) error {
	text, err := textOf(data)
	if err != nil {
		return err
	}
	commit := r.slashed()[strings.LastIndexAny(r.slashed(), ":/")+1:]
	m := memory{place: r.at(1), own: commit, doc: document{Type: packet.KindNote, Kind: "fact"}}
	if m.doc.Text = m.tidyField(text); m.doc.Text != "" {
		m.doc.Text += "\n\nA note of git on commit " + clean.Truncate(commit, maxShown)
	}
	r.addMemory(m)
	return nil
}

// readCheckpoint reads what a model wrote about a session that Entire kept: what
// was learned, what went wrong, and what is left to do.
func (r *reader) readCheckpoint(data []byte) error {
	o, err := rootOf(data, "")
	if err != nil {
		return err
	}
	summary := asObject(o["summary"])
	if summary == nil {
		r.addLeft(r.at(1), "no summary of it was written; prompts and transcripts are not read")
		return nil
	}
	r.addRemark("prompts, transcripts, counts of tokens and of lines were left out")
	learned := asObject(summary["learnings"])
	done := joinParagraphs(summary.text("intent"), summary.text("outcome"))
	for _, part := range []struct {
		kind string
		list []any
	}{
		{"achievement", []any{done}},
		{"learning", learned.list("repo")},
		{"learning", learned.list("code")},
		{"procedure", learned.list("workflow")},
		{"pitfall", summary.list("friction")},
		{packet.NoteTask, summary.list("open_items")},
	} {
		for _, v := range part.list {
			m := r.memoryFrom(r.at(1), o, packet.KindNote, "created_at")
			m.own, m.doc.Kind = o.text("checkpoint_id")+"/"+o.text("session_id"), part.kind
			text, _ := v.(string)
			if code := asObject(v); code != nil {
				text = code.text("finding")
				line, _ := code.number("line")
				m.addCite(code.text("path"), line, "")
			}
			m.doc.Text = m.tidyField(text)
			r.addMemory(m)
		}
	}
	return nil
}
