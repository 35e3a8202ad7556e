package retrieval

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// With returns the collection among so many notes that have nothing to do with it: comments of Go
// code below a folder, of 40 to 400 characters, each once. They are of the same trade, so that they
// hold many of the words that are asked for.
func (c *Collection) With(unrelated int, code fs.FS) (*Collection, error) {
	more := &Collection{
		Name: fmt.Sprintf("%s among %d", c.Name, unrelated), Documents: c.Documents,
		Questions: c.Questions,
	}
	seen := map[string]bool{}
	note := func(text string) {
		if n := utf8.RuneCountInString(text); n < 40 || n > 400 || seen[text] ||
			strings.Contains(text, "Copyright") {
			return
		}
		seen[text] = true
		more.Documents = append(more.Documents,
			Document{ID: fmt.Sprintf("x%05d", len(seen)), Content: packet.Content{
				Kind: packet.KindNote, Items: []packet.Item{{Kind: "fact", Place: "/text", Text: text}},
			}})
	}
	err := fs.WalkDir(code, ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".go" || strings.Contains(name, "testdata") {
			return err
		}
		data, err := fs.ReadFile(code, name)
		if err != nil {
			return err
		}
		comment := ""
		for line := range strings.Lines(string(data)) {
			if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "// "); ok {
				comment = strings.TrimSpace(comment + " " + rest)
				continue
			}
			if note(comment); len(seen) >= unrelated {
				return fs.SkipAll
			}
			comment = ""
		}
		return nil
	})
	if err == nil && len(seen) < unrelated {
		err = fmt.Errorf("there are %d comments, and %d are wanted", len(seen), unrelated)
	}
	return more, err
}
