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
