package retrieval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// Part is a part of the questions of the sets.
type Part int

// The parts. Of every three lines of a file of questions the last is sealed: only 'make quality' asks those, and prints no more of
// them than figures.
const (
	Open Part = iota
	Sealed
)

// has reports whether the part has a line of a file, counted from one.
func (p Part) has(line int) bool { return (line%3 == 0) == (p == Sealed) }

// Sets reads the sets that people wrote who had not seen the program: notes, hand-over packets, and prompts to the same notes in three
// forms. The folder is testdata/retrieval. Prompts that nothing answers are the noise of daily work.
func Sets(folder fs.FS, part Part) ([]*Collection, error) {
	also, err := readAlso(folder)
	if err != nil {
		return nil, err
	}
	notes := &Collection{Name: "notes"}
	if err := eachLine(folder, "notes/notes.jsonl", func(_ int, n noteLine) { notes.Documents = append(notes.Documents, n.document()) }); err != nil {
		return nil, err
	}
	packets := &Collection{Name: "packets"}
	if err := eachLine(folder, "packets/packets.jsonl", func(_ int, p packetLine) { packets.Documents = append(packets.Documents, p.document()) }); err != nil {
		return nil, err
	}
	for name, c := range map[string]*Collection{
		"notes/questions.jsonl": notes, "notes/unanswerable.jsonl": notes, "packets/questions.jsonl": packets,
	} {
		err := eachLine(folder, name, func(line int, q questionLine) {
			if part.has(line) {
				c.Questions = append(c.Questions, Question{ID: q.ID, Text: q.Text, Also: also[q.ID], Relevant: q.Relevant.keys()})
			}
		})
		if err != nil {
			return nil, err
		}
	}
	all := []*Collection{notes, packets}
	for _, form := range []string{"plain", "polite", "log"} {
		c := &Collection{Name: "prompts, " + form, Documents: notes.Documents}
		for _, name := range []string{"notes/prompts.jsonl", "notes/noise.jsonl"} {
			err := eachLine(folder, name, func(line int, p promptLine) {
				if part.has(line) {
					text := map[string]string{"plain": p.Plain, "polite": p.Polite, "log": p.Log}[form] + p.Text
					c.Questions = append(c.Questions, Question{ID: p.ID, Text: text, Relevant: p.Relevant.keys()})
				}
			})
			if err != nil {
				return nil, err
			}
		}
		all = append(all, c)
	}
	for _, c := range all {
		if err := c.check(); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// readAlso reads the other words for what questions ask, where they were written.
func readAlso(folder fs.FS) (map[string][]string, error) {
	also := map[string][]string{}
	err := eachLine(folder, "also.jsonl", func(_ int, a struct {
		ID   string   `json:"id"`
		Also []string `json:"also"`
	},
	) {
		also[a.ID] = a.Also
	})
	if errors.Is(err, fs.ErrNotExist) {
		return also, nil
	}
	return also, err
}

// eachLine reads the lines of a file, which are JSON each, and counts them from one.
func eachLine[T any](folder fs.FS, name string, visit func(line int, value T)) error {
	data, err := fs.ReadFile(folder, name)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	for line := 1; ; line++ {
		var value T
		err := d.Decode(&value)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read %q: value %d: %w", name, line, err)
		}
		visit(line, value)
	}
}

// grades are judgements by the names of items: the id of a record, and for an item of a packet its place, as "p01/attempts/1".
type grades map[string]int

// keys are the same by the keys of items.
func (g grades) keys() map[string]int {
	keys := map[string]int{}
	for name, grade := range g {
		id, place, ok := strings.Cut(name, "/")
		switch {
		case ok:
			keys[Key(id, "/"+place)] = grade
		case strings.HasPrefix(id, "p"):
			keys[Key(id, "/goal")] = grade
		default:
			keys[Key(id, "/text")] = grade
		}
	}
	return keys
}

type questionLine struct {
	ID       string `json:"id"`
	Text     string `json:"text"`
	Relevant grades `json:"relevant"`
}

type promptLine struct {
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

// document is a note, of the kinds that there are: a constraint and a method are facts here.
func (n noteLine) document() Document {
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

func (p packetLine) document() Document {
	items := []packet.Item{{Kind: packet.ItemGoal, Place: "/goal", Text: p.Goal}, {Kind: packet.ItemNext, Place: "/next_step", Text: p.NextStep}}
	add := func(kind, place string, n int, text, why string, failed bool) {
		items = append(items, packet.Item{Kind: kind, Place: fmt.Sprintf("/%s/%d", place, n), Text: text, Why: why, Failed: failed})
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
