package retrieval

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// judged is a question as its file has it.
type judged struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Relevant []struct {
		Record string `json:"record"`
		Place  string `json:"place"`
		Grade  int    `json:"grade"`
	} `json:"relevant"`
}

// Coding reads the questions to the memory of a repository. The folder is testdata/retrieval.
func Coding(folder fs.FS) (*Collection, error) {
	c := &Collection{Name: "coding"}
	names, err := fs.Glob(folder, "coding/records/*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		d, err := readRecord(folder, name)
		if err != nil {
			return nil, fmt.Errorf("read record %q: %w", path.Base(name), err)
		}
		c.Documents = append(c.Documents, d)
	}
	data, err := fs.ReadFile(folder, "coding/questions.json")
	if err != nil {
		return nil, err
	}
	if c.Questions, err = readJudged(data); err != nil {
		return nil, fmt.Errorf("read questions: %w", err)
	}
	return c, c.check()
}

// readRecord reads a file with one record, which must be valid.
func readRecord(folder fs.FS, name string) (Document, error) {
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		return Document{}, err
	}
	r, err := packet.Parse(data, packet.Stored)
	if err != nil {
		return Document{}, err
	}
	return Document{ID: r.OwnID(), Content: r.Content(), Data: data}, nil
}

func readJudged(data []byte) ([]Question, error) {
	var all []judged
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	questions := make([]Question, 0, len(all))
	for _, j := range all {
		q := Question{ID: j.ID, Text: j.Text, Relevant: map[string]int{}}
		for _, r := range j.Relevant {
			q.Relevant[Key(r.Record, r.Place)] = r.Grade
		}
		if q.ID == "" || q.Text == "" || len(q.Relevant) != len(j.Relevant) {
			return nil, errors.New("question " + q.ID + " lacks its id or text, or is judged twice on an item")
		}
		questions = append(questions, q)
	}
	return questions, nil
}
