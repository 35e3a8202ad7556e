package command

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// Note is one small thing that later sessions should know: a fact, a task, or a skip.
type Note struct {
	Text       string       `json:"text"`
	Kind       string       `json:"kind,omitempty"` // a kind of note, or skip; a fact where nothing is said
	Why        string       `json:"why,omitempty"`
	Until      string       `json:"until,omitempty"` // as people say it
	Match      packet.Match `json:"match,omitzero"`
	Topic      string       `json:"topic,omitempty"`
	Tags       []string     `json:"tags,omitempty"`
	Impact     string       `json:"impact,omitempty"`
	Confidence string       `json:"confidence,omitempty"`
	Cites      []Cite       `json:"cites,omitempty"`
	Links      []string     `json:"links,omitempty"` // records, as they are named here
	Next       string       `json:"next,omitempty"`  // of a task, as are the following
	Priority   int          `json:"priority,omitempty"`
	Category   string       `json:"category,omitempty"`
	Status     string       `json:"status,omitempty"`

	Ends time.Time `json:"-"` // what Until means
}

// The category of a task that only this session needs, and how long that is kept.
const (
	sessionNote   = "session_note"
	sessionLength = "7d"
)

// ErrCritical says that a note is not critical by its own words.
var ErrCritical = errors.New("nothing is critical by its own word: store it, then " +
	"'git ltm edit ID --impact critical', which holds in clones that trust your signature")

// IsPersonal tells a note that is private unless somebody says otherwise: who a person is, and what
// only this session needs.
func (n *Note) IsPersonal() bool { return n.Kind == packet.NoteIdentity || n.Category == sessionNote }

// Prepare settles what a note leaves open, and says everything that is wrong with it.
func (n *Note) Prepare(now time.Time) error {
	var wrong problems
	isSkip := n.Kind == string(packet.KindSkip)
	if !isSkip {
		kind, known := packet.NoteKind(cmp.Or(n.Kind, "fact"))
		said := n.Kind
		if n.Kind = kind; !known {
			meant := ""
			if near := Nearest(said, append(packet.NoteKinds(), "skip")); len(near) > 0 {
				meant = "; did you mean " + near[0] + "?"
			}
			wrong.addProblem("/kind", "must be one of %s, skip%s", strings.Join(packet.NoteKinds(), ", "), meant)
		}
	}
	if n.Kind == packet.NoteTask {
		n.Category, n.Status = cmp.Or(n.Category, "active_work"), cmp.Or(n.Status, "active")
		if n.Category == sessionNote {
			n.Until = cmp.Or(n.Until, sessionLength)
		}
	}
	switch n.Impact {
	case "", "low", "medium", "high":
	case "critical":
		wrong.addProblem("/impact", "%v", ErrCritical)
	default:
		wrong.addProblem("/impact", "must be low, medium or high")
	}
	if !slices.Contains([]string{"", "low", "medium", "high"}, n.Confidence) {
		wrong.addProblem("/confidence", "must be low, medium or high")
	}
	end := reply.ParseFuture
	if isSkip {
		end = reply.ParseSkipEnd
		if n.Why == "" {
			wrong.addProblem("/why", "must say why")
		}
		if n.Until == "" {
			wrong.addProblem("/until", "must say when a skip ends, such as 3d or 2026-12-31; what holds for "+
				"good is a pitfall")
		}
	}
	if n.Until != "" {
		var err error
		if n.Ends, err = end(n.Until, now); err != nil {
			wrong.addProblem("/until", "%v", err)
		}
	}
	n.Tags = Slugs(n.Tags)
	return wrong.err()
}

// encodeNote is the note as the gate takes it. Records that travel name no record that is private.
func (n *Note) encodeNote(ctx context.Context, m *memory.Memory, reach replay.Reach) ([]byte, error) {
	var links []string
	var unknown []error
	for _, spec := range n.Links {
		entry, err := m.FindAny(ctx, spec)
		if err == nil && entry.Store == replay.OfClone && reach == replay.Shared {
			err = fmt.Errorf("record %s: %w", entry.ID, gate.ErrPrivate)
		}
		unknown = append(unknown, err)
		links = append(links, string(entry.ID))
	}
	if err := errors.Join(unknown...); err != nil {
		return nil, err
	}
	r := map[string]any{"type": packet.KindNote}
	put := func(name string, value any, is bool) {
		if is {
			r[name] = value
		}
	}
	put("tags", n.Tags, len(n.Tags) > 0)
	put("cites", n.Cites, len(n.Cites) > 0)
	put("links", links, len(links) > 0)
	put("match", n.Match, n.Match != packet.Match{})
	put("expires_at", reply.Stamp(n.Ends), !n.Ends.IsZero())
	put("priority", n.Priority, n.Priority != 0)
	for name, text := range map[string]string{
		"topic": n.Topic, "impact": n.Impact, "confidence": n.Confidence,
		"next_action": n.Next, "category": n.Category, "status": n.Status,
	} {
		put(name, text, text != "")
	}
	if strings.TrimSpace(n.Text) == "" {
		n.Text = "" // Which the gate refuses.
	}
	if n.Kind == string(packet.KindSkip) {
		r["type"], r["item"], r["reason"] = packet.KindSkip, n.Text, n.Why
	} else {
		r["kind"], r["text"] = n.Kind, n.Text
		put("why", n.Why, n.Why != "")
	}
	return json.Marshal(r)
}

// SaveNotes stores notes that are prepared, those that pass in one step. Where some do not, the
// error is a [gate.BatchError]; of a single one it is its own. How says of each what the note
// itself does not say.
func SaveNotes(
	ctx context.Context, m *memory.Memory, notes []Note, how func(Note) Storing,
) ([]gate.Receipt, error) {
	reqs := make([]gate.SaveRequest, len(notes))
	for i := range notes {
		as := how(notes[i])
		data, err := notes[i].encodeNote(ctx, m, as.Reach())
		if err != nil {
			return nil, err
		}
		reqs[i] = as.Request(data)
	}
	if len(reqs) == 1 {
		r, err := m.SaveSmall(ctx, reqs[0])
		return []gate.Receipt{r}, err
	}
	return m.SaveBatch(ctx, reqs)
}

// BatchLine is a record of a batch.
type BatchLine struct {
	Number   int
	Data     []byte // as the gate takes it
	Identity bool
	Err      error // what is wrong with it before the gate sees it
}

// BatchLines reads JSON Lines. Empty lines count and say nothing.
func BatchLines(data []byte, now time.Time) []BatchLine {
	var all []BatchLine
	number := 0
	for line := range bytes.Lines(data) {
		number++
		if line = bytes.TrimSpace(line); len(line) > 0 {
			all = append(all, mendLine(number, line, now))
		}
	}
	return all
}

// mendLine puts into the form of a record what a person or an agent may say more freely: the kind, the tags,
// the end. The rest is left to the gate, which also says what is wrong.
func mendLine(number int, line []byte, now time.Time) BatchLine {
	l := BatchLine{Number: number, Data: line}
	members, ok := membersOf(line)
	if !ok {
		return l
	}
	var kind, impact, end string
	var tags []string
	if json.Unmarshal(members["kind"], &kind) == nil {
		word, known := packet.NoteKind(kind)
		if l.Identity = word == packet.NoteIdentity; known {
			members["kind"], _ = json.Marshal(word) //nolint:errchkjson // A text.
		}
	}
	if json.Unmarshal(members["impact"], &impact) == nil && impact == "critical" {
		l.Err = fmt.Errorf("/impact: %w", ErrCritical)
	}
	if json.Unmarshal(members["tags"], &tags) == nil && len(tags) > 0 {
		members["tags"], _ = json.Marshal(Slugs(tags)) //nolint:errchkjson // Texts.
	}
	if bytes.HasPrefix(members["expires_at"], []byte(`"`)) && json.Unmarshal(members["expires_at"], &end) == nil {
		at, err := reply.ParseFuture(end, now)
		if _, plain := time.Parse(time.RFC3339, end); err != nil {
			l.Err = errors.Join(fmt.Errorf("/expires_at: %w", err), l.Err)
		} else if plain != nil {
			members["expires_at"], _ = json.Marshal(reply.Stamp(at)) //nolint:errchkjson // A text.
		}
	}
	if members["type"] == nil {
		members["type"] = json.RawMessage(`"note"`)
	}
	if data, err := clean.JSON(members, ""); err == nil {
		l.Data = bytes.TrimSuffix(data, []byte("\n"))
	}
	return l
}

// membersOf returns the members of one object. It is not ok where the text is anything else, and where a name
// stands there twice or is no text: those the gate has to see.
func membersOf(text []byte) (members map[string]json.RawMessage, ok bool) {
	if !utf8.Valid(text) || json.Unmarshal(text, &members) != nil || members == nil {
		return nil, false
	}
	dec, count, raw := json.NewDecoder(bytes.NewReader(text)), 0, json.RawMessage{}
	for _, err := dec.Token(); err == nil && dec.More(); count++ {
		name, _ := dec.Token()
		if err = dec.Decode(&raw); err != nil || strings.ContainsRune(fmt.Sprint(name), utf8.RuneError) {
			return nil, false
		}
	}
	return members, count == len(members)
}
