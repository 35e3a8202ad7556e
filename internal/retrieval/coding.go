package retrieval

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// Coding reads the questions to the memory of a repository. The folder is testdata/retrieval.
func Coding(folder fs.FS) (*Collection, error) {
	c := &Collection{Name: "coding"}
	names, err := fs.Glob(folder, "coding/records/*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		// Reads a file with one record, which must be valid.
		data, err := fs.ReadFile(folder, name)
		if err != nil {
			return nil, fmt.Errorf("read record %q: %w", path.Base(name), err)
		}
		r, err := packet.Parse(data, packet.Stored)
		if err != nil {
			return nil, fmt.Errorf("read record %q: %w", path.Base(name), err)
		}
		d := Document{ID: r.OwnID(), Content: r.Content(), Data: data}
		c.Documents = append(c.Documents, d)
	}
	err = eachLine(folder, "coding/questions.jsonl", func(_ int, q questionLine) {
		c.Questions = append(c.Questions, Question{ID: q.ID, Text: q.Text, Relevant: q.Relevant.keysAt("")})
	})
	if err != nil {
		return nil, err
	}
	return c, c.checkKeys()
}
