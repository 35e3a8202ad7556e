package retrieval

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// ADI reads the collection of 82 abstracts. The folder is testdata/retrieval. Its judgements know one grade.
func ADI(folder fs.FS) (*Collection, error) {
	documents, err := readSmart(folder, "adi/adi.all")
	if err != nil {
		return nil, err
	}
	questions, err := readSmart(folder, "adi/adi.qry")
	if err != nil {
		return nil, err
	}
	c := &Collection{Name: "ADI"}
	for _, s := range documents {
		item := packet.Item{Kind: "reference", Place: abstract, Text: s.fields[title], Why: s.fields[words]}
		c.Documents = append(c.Documents, Document{
			ID: s.number, Content: packet.Content{Kind: packet.KindNote, Items: []packet.Item{item}},
		})
	}
	for _, s := range questions {
		c.Questions = append(c.Questions, Question{ID: s.number, Text: s.fields[words], Relevant: map[string]int{}})
	}
	// Reads a file of judgements: each line is the number of a question and that of a
	// document which answers it.
	name := "adi/adi.rel"
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		return nil, err
	}
	byID := map[string]Question{}
	for _, q := range c.Questions {
		byID[q.ID] = q
	}
	for line := range strings.Lines(string(data)) {
		columns := strings.Fields(line)
		if len(columns) != 2 || byID[columns[0]].Relevant == nil {
			return nil, fmt.Errorf("read %q: %q is no judgement of a question", name, strings.TrimSpace(line))
		}
		byID[columns[0]].Relevant[Key(columns[1], abstract)] = 1
	}
	return c, c.check()
}

const (
	// abstract is the place of the one item of a document.
	abstract = "/text"

	title = ".T"
	words = ".W"
)

// smart is an entry of a file in the form of the SMART project: a line .I with a number, and fields that begin with a line
// of a point and a letter.
type smart struct {
	number string
	fields map[string]string
}

func readSmart(folder fs.FS, name string) ([]smart, error) {
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		return nil, err
	}
	var all []smart
	field := ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, ".I "):
			all = append(all, smart{number: strings.TrimSpace(line[2:]), fields: map[string]string{}})
			field = ""
		case line == title || line == words:
			field = line
		case len(all) == 0 || field == "":
			return nil, fmt.Errorf("read %q: %q stands outside of a field", name, line)
		default:
			fields := all[len(all)-1].fields
			fields[field] = strings.TrimSpace(fields[field] + " " + line)
		}
	}
	return all, nil
}
