package retrieval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// Part is a part of the questions of a set.
type Part int

// The parts. Of every three lines of a file of questions the last is sealed: only 'make quality'
// asks those, and prints no more of them than figures. Of a set that nobody has looked at all are asked.
const (
	Open Part = iota
	Sealed
	Whole
)

// String names the part.
func (p Part) String() string { return [...]string{"open", "sealed", "whole"}[p] }

// hasLine reports whether the part has a line of a file, counted from one.
func (p Part) hasLine(line int) bool { return p == Whole || (line%3 == 0) == (p == Sealed) }

// Sets reads a set that people wrote who had not seen the program: notes, hand-over packets, and
// prompts to the same notes in three forms. Prompts that nothing answers are the noise of daily work.
func Sets(folder fs.FS, part Part) ([]*Collection, error) {
	also := map[string][]string{}
	notes, packets := &Collection{Name: "notes"}, &Collection{Name: "packets"}
	all := []*Collection{notes, packets}
	err := errors.Join(
		eachLine(folder, "also.jsonl", func(_ int, a alsoLine) { also[a.ID] = a.Also }),
		eachLine(folder, "notes.jsonl", func(_ int, n noteLine) {
			notes.Documents = append(notes.Documents, n.asDocument())
		}),
		eachLine(folder, "packets.jsonl", func(_ int, p packetLine) {
			packets.Documents = append(packets.Documents, p.asDocument())
		}),
	)
	ask := func(c *Collection, name, place string, text func(questionLine) string) {
		err = errors.Join(err, eachLine(folder, name, func(line int, q questionLine) {
			if part.hasLine(line) {
				c.Questions = append(c.Questions,
					Question{ID: q.ID, Text: text(q), Also: also[q.ID], Relevant: q.Relevant.keysAt(place)})
			}
		}))
	}
	plain := func(q questionLine) string { return q.Text }
	ask(notes, "notes.questions.jsonl", "/text", plain)
	ask(notes, "notes.unanswerable.jsonl", "/text", plain)
	ask(packets, "packets.questions.jsonl", "/goal", plain)
	for _, form := range []string{"plain", "polite", "log"} {
		c := &Collection{Name: "prompts, " + form, Documents: notes.Documents}
		ask(c, "prompts.jsonl", "/text", func(q questionLine) string {
			return map[string]string{"plain": q.Plain, "polite": q.Polite, "log": q.Log}[form]
		})
		ask(c, "noise.jsonl", "/text", plain)
		all = append(all, c)
	}
	for _, c := range all {
		err = errors.Join(err, c.checkKeys())
	}
	return all, err
}

// eachLine reads the lines of a file, which are JSON each, and counts them from one.
func eachLine[T any](folder fs.FS, name string, visit func(line int, value T)) error {
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	for line := 1; d.More(); line++ {
		var value T
		if err := d.Decode(&value); err != nil {
			return fmt.Errorf("read %q: value %d: %w", name, line, err)
		}
		visit(line, value)
	}
	return nil
}

// grades are judgements by the names of items: the id of a record, and for an item of a packet its
// place, as "p01/attempts/1".
type grades map[string]int

// keysAt are the same by the keys of items; a record by itself is the item at a place.
func (g grades) keysAt(place string) map[string]int {
	keys := map[string]int{}
	for name, grade := range g {
		if id, within, ok := strings.Cut(name, "/"); ok {
			keys[Key(id, "/"+within)] = grade
		} else {
			keys[Key(id, place)] = grade
		}
	}
	return keys
}

type alsoLine struct {
	ID   string   `json:"id"`
	Also []string `json:"also"`
}

// questionLine is a question, or a prompt in its forms.
type questionLine struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Plain    string `json:"plain"`
	Polite   string `json:"polite"`
	Log      string `json:"log"`
	Relevant grades `json:"relevant"`
}

type noteLine struct {
	ID    string   `json:"id"`
	Kind  string   `json:"kind"`
	Text  string   `json:"text"`
	Why   string   `json:"why"`
	Topic string   `json:"topic"`
	Paths []string `json:"paths"`
}

// asDocument is a note, of the kinds that there are: a constraint and a method are facts here.
func (n noteLine) asDocument() Document {
	kind, ok := packet.NoteKind(n.Kind)
	if !ok {
		kind = "fact"
	}
	return Document{ID: n.ID, Content: packet.Content{
		Kind: packet.KindNote, Topic: strings.ReplaceAll(strings.ToLower(n.Topic), " ", "-"), Paths: n.Paths,
		Items: []packet.Item{{Kind: kind, Place: "/text", Text: n.Text, Why: n.Why}},
	}}
}

type packetLine struct {
	ID        string `json:"id"`
	Goal      string `json:"goal"`
	NextStep  string `json:"next_step"`
	Decisions []struct {
		Text string `json:"text"`
		Why  string `json:"why"`
	} `json:"decisions"`
	Attempts []struct {
		Approach string `json:"approach"`
		Outcome  string `json:"outcome"`
		Why      string `json:"why"`
	} `json:"attempts"`
	Constraints   []string `json:"constraints"`
	OpenQuestions []string `json:"open_questions"`
}

func (p packetLine) asDocument() Document {
	items := []packet.Item{
		{Kind: packet.ItemGoal, Place: "/goal", Text: p.Goal},
		{Kind: packet.ItemNext, Place: "/next_step", Text: p.NextStep},
	}
	add := func(kind, place string, n int, text, why string, failed bool) {
		items = append(items,
			packet.Item{
				Kind: kind, Place: fmt.Sprintf("/%s/%d", place, n), Text: text, Why: why,
				Failed: failed,
			})
	}
	for n, d := range p.Decisions {
		add(packet.ItemDecision, "decisions", n, d.Text, d.Why, false)
	}
	for n, a := range p.Attempts {
		add(packet.ItemAttempt, "attempts", n, a.Approach, a.Why, a.Outcome == "failed")
	}
	for n, text := range p.Constraints {
		add(packet.ItemConstraint, "constraints", n, text, "", false)
	}
	for n, text := range p.OpenQuestions {
		add(packet.ItemQuestion, "open_questions", n, text, "", false)
	}
	return Document{ID: p.ID, Content: packet.Content{Kind: packet.KindPacket, Items: items}}
}

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
