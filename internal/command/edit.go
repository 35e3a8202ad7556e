package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// Edit is what somebody wants to change of records.
type Edit struct {
	IDs      []string `json:"ids"`
	Do       string   `json:"do"` // the name of a deed, or text, or set
	Why      string   `json:"why"`
	By       string   `json:"by"`
	Text     string   `json:"text"`
	Next     string   `json:"next"`
	Tags     []string `json:"tags"`
	Until    string   `json:"until"`
	Status   string   `json:"status"`
	Priority *int     `json:"priority"`
	Redact   bool     `json:"redact"`
}

// Edited says what a change did, and in which memory.
type Edited struct {
	gate.Change

	Of      *memory.Memory
	Did     string       // to each record that it changed
	Receipt gate.Receipt // of the record that takes the place of the old one, where one does
}

// Apply does it.
func (e Edit) Apply(ctx context.Context, m *memory.Memory, now time.Time) (done Edited, err error) {
	done.Of = m
	if len(e.IDs) == 0 {
		return done, Refuse("/ids", errors.New("must name a record"))
	}
	switch e.Do {
	case "", "text":
		if len(e.IDs) != 1 {
			return done, Refuse("/ids", errors.New("must name one record, whose text is written anew"))
		}
		found, of, err := m.FindAnyWide(ctx, e.IDs[0])
		if err != nil {
			return done, err
		}
		old, err := found.MustOpen(replay.Asked)
		if err != nil {
			return done, err
		}
		members, err := Editable(old)
		if err != nil {
			return done, err
		}
		anew := map[string]string{"text": e.Text, "next": e.Next, "why": e.Why}
		maps.DeleteFunc(anew, func(_, text string) bool { return text == "" })
		if len(anew)+len(e.Tags) == 0 {
			return done, Refuse("", errors.New("say what to write anew: text, next, why or tags; or what "+
				"to do"))
		}
		if err := ReplaceMembers(members, old.Kind(), anew, e.Tags); err != nil {
			return done, err
		}
		done.Of, done.Did = of, "replaced"
		done.Receipt, done.Change, err = Replace(ctx, of, old, members, Storing{Redact: e.Redact, Private: old.Store == replay.OfClone})
		return done, err
	case "set":
		change := packet.Change{Status: e.Status, NextAction: e.Next, Priority: e.Priority}
		if change == (packet.Change{}) {
			return done, Refuse("", errors.New("name what to change: status, priority or next"))
		}
		if err := change.Check(); err != nil {
			return done, err
		}
		tasks, err := FindTasks(ctx, m, e.IDs)
		if err != nil {
			return done, err
		}
		done.Did = "changed"
		done.Change, done.Of, err = m.SetTasks(ctx, tasks, change, e.Why)
		return done, err
	}
	for _, d := range Deeds() {
		if d.Name != e.Do {
			continue
		}
		h, err := d.Happening(e.IDs, Said{Why: e.Why, By: e.By, Until: e.Until}, now)
		if err != nil {
			return done, err
		}
		done.Did = d.Did
		done.Change, done.Of, err = d.Store(ctx, m, h, now)
		return done, err
	}
	return done, Refuse("/do", errors.New("names nothing that can be done"))
}

// EditedMembers are the parts of a record that can be written anew, and the member that holds each
// in each kind of record.
var EditedMembers = []struct{ Name, Packet, Note, Skip string }{
	{"text", "goal", "text", "item"},
	{"goal", "goal", "", ""},
	{"next", "next_step", "next_action", ""},
	{"why", "", "why", "reason"},
	{"kind", "", "kind", ""},
	{"topic", "", "topic", ""},
	{"confidence", "", "confidence", ""},
}

// ErrEnded says that a record does not stand any more, so that nothing takes its place.
var ErrEnded = errors.New("cannot be edited")

// Editable returns the members of a record that may be written anew: all but what is stored with
// each version of its own.
func Editable(old replay.Shown) (map[string]json.RawMessage, error) {
	if old.Kind() == packet.KindEvent {
		return nil, fmt.Errorf("record %s is an event: %w; 'git ltm undo %s' reverts "+
			"it", old.ID, ErrKind, old.ID)
	}
	switch by := old.Life.Superseded; {
	case by != "":
		return nil, fmt.Errorf("record %s %w: it was replaced by %s; edit that one", old.ID, ErrEnded, by)
	case old.Life.Retracted:
		return nil, fmt.Errorf("record %s %w: it was retracted; 'git ltm edit --restore %[1]s' brings it back",
			old.ID, ErrEnded)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(old.Data(), &members); err != nil {
		return nil, fmt.Errorf("read record %s: %w", old.ID, err)
	}
	for _, name := range []string{"id", "created_at", "anchor", "provenance"} {
		delete(members, name)
	}
	now := map[string]any{}
	if until := old.Life.Until; !until.IsZero() && !old.Life.Expired {
		now["expires_at"] = until.UTC().Format(time.RFC3339)
	}
	if task := old.Task(); task.Kind == packet.NoteTask { // As later changes left it.
		now["category"], now["status"] = task.Category, task.Status
		now["next_action"], _ = old.NextAction().For(old.Reader())
		if task.Priority != 0 {
			now["priority"] = task.Priority
		}
	}
	if impact := old.Life.Impact; old.Kind() == packet.KindNote && impact != "" && impact != rank.Critical {
		now["impact"] = impact
	}
	for name, value := range now {
		if value != "" {
			members[name], _ = json.Marshal(value) //nolint:errchkjson // A string or a number.
		}
	}
	return members, nil
}

// ReplaceMembers writes parts of a record anew, each by its name.
func ReplaceMembers(
	members map[string]json.RawMessage, kind packet.Kind, anew map[string]string, tags []string,
) error {
	for _, m := range EditedMembers {
		text, given := anew[m.Name]
		if !given {
			continue
		}
		member := map[packet.Kind]string{
			packet.KindPacket: m.Packet, packet.KindNote: m.Note,
			packet.KindSkip: m.Skip,
		}[kind]
		note, known := packet.NoteKind(text)
		switch {
		case member == "":
			return Refuse("/"+m.Name, fmt.Errorf("a %s has none", kind))
		case m.Name == "kind" && !known:
			return Refuse("/kind", errors.New("must be one of "+strings.Join(packet.NoteKinds(), ", ")))
		case m.Name == "kind":
			text = note
		}
		if members[member], _ = json.Marshal(text); text == "" {
			delete(members, member)
		}
	}
	if len(tags) > 0 {
		members["tags"], _ = json.Marshal(Slugs(tags)) //nolint:errchkjson // Strings.
	}
	return nil
}

// ErrUnchanged says that what is written anew says what was there.
var ErrUnchanged = errors.New("nothing was changed: it says that already")

// isSameObject tells whether two objects have the same members, with the same values.
func isSameObject(a, b map[string]json.RawMessage) bool {
	return maps.EqualFunc(a, b, func(x, y json.RawMessage) bool {
		var one, other any
		return json.Unmarshal(x, &one) == nil && json.Unmarshal(y, &other) == nil && reflect.DeepEqual(one, other)
	})
}

// Replace stores a record in the place of another one.
func Replace(
	ctx context.Context, m *memory.Memory, old replay.Shown, members map[string]json.RawMessage,
	how Storing,
) (r gate.Receipt, c gate.Change, err error) {
	data, err := json.Marshal(members)
	if err != nil {
		return r, c, err
	}
	shared := !how.Private && old.Store == replay.OfClone
	if before, err := Editable(old); err == nil && !how.Redact && !shared && isSameObject(before, members) {
		return r, c, fmt.Errorf("record %s: %w", old.ID, ErrUnchanged)
	}
	if old.Kind() == packet.KindPacket {
		r, err = m.Save(ctx,
			gate.SaveRequest{Data: data, Reach: how.Reach(), Answer: how.Answer(), Link: gate.Begin})
	} else {
		r, err = m.SaveSmall(ctx, how.Request(data))
	}
	if shared { // What it is linked with may be private.
		old.Life.Links = nil
	}
	if err == nil {
		err = keepState(ctx, m, old, r.ID)
	}
	if err != nil {
		return r, c, err
	}
	c, err = m.Happen(ctx, gate.Happen{
		Event: "supersede", Targets: []string{string(old.ID)}, By: []string{string(r.ID)}, Why: "edited",
	})
	if err != nil {
		err = fmt.Errorf("the new record is stored as %s, and the old one is still there: %w", r.ID, err)
	}
	return r, c, err
}

// Deed is something that can be said of a record, which is stored as an event.
type Deed struct {
	Name         string // as agents say it
	Flag         string // of edit that says it; as the name where it is empty
	Event        string // the word of the event
	Did, Already string // what is said of a record that it changed, and that was so before

	NeedsWhy bool // a reason must be given
	By       bool // it names another record
	Ends     bool // it says until when
	Valued   bool // it has a value
}

// Deeds are all of them.
func Deeds() []Deed {
	return []Deed{
		{Name: "rm", Event: "retract", Did: "retracted", Already: "retracted already"},
		{
			Name: "restore", Event: "restore", Did: "restored",
			Already: "neither retracted nor hidden nor superseded",
		},
		{Name: "hide", Event: "archive", Did: "hidden", Already: "hidden already"},
		{Name: "close", Event: "close", Did: "closed", Already: "closed already"},
		{Name: "reopen", Event: "reopen", Did: "reopened", Already: "open already"},
		{Name: "expire", Flag: "until", Event: "expire", Did: "expires", Ends: true},
		{Name: "confirm", Event: "confirm", Did: "confirmed"},
		{Name: "wrong", Event: "contradict", Did: "marked wrong", NeedsWhy: true},
		{Name: "impact", Event: "impact", Did: "rated", Already: "rated so already", Valued: true},
		{Name: "digest", Event: "digest", Did: "digested", Valued: true},
		{
			Name: "supersede", Flag: "superseded-by", Event: "supersede", Did: "superseded", Already: "superseded by it already",
			NeedsWhy: true, By: true,
		},
		{Name: "link", Event: "link", Did: "linked", By: true},
	}
}

// DeedOf is what has an event.
func DeedOf(event string) Deed {
	all := Deeds()
	return all[slices.IndexFunc(all, func(d Deed) bool { return d.Event == event })]
}

// Store stores what happened, in the memory that holds the records, which is returned. A task that was set
// aside is reopened by its status.
func (d Deed) Store(
	ctx context.Context, m *memory.Memory, h gate.Happen, now time.Time,
) (c gate.Change, of *memory.Memory, err error) {
	if d.Event == "reopen" {
		if tasks, err := FindTasks(ctx, m, h.Targets); err == nil {
			return m.ReopenTasks(ctx, tasks, h.Why)
		}
	}
	c, of, err = m.HappenWide(ctx, h)
	if err == nil && d.Event == "confirm" {
		recall.Used(of, now, c.Changed...)
	}
	return c, of, err
}

// Said is what is said of records beside the deed itself.
type Said struct {
	Why, By, Value, Until string
}

// Happening is what happened to records, or everything that is wrong with what is said of it.
func (d Deed) Happening(ids []string, said Said, now time.Time) (gate.Happen, error) {
	h := gate.Happen{Event: d.Event, Targets: ids, Why: said.Why}
	var wrong problems
	if d.NeedsWhy && strings.TrimSpace(said.Why) == "" {
		wrong.addProblem("/why", "must give the reason")
	}
	if d.By {
		if h.By = []string{said.By}; said.By == "" {
			wrong.addProblem("/by", "the other record must be named")
		}
	}
	if d.Valued || d.Name == "link" {
		h.Value = said.Value
	}
	switch {
	case d.Valued && strings.TrimSpace(said.Value) == "":
		wrong.addProblem("/value", "the text must not be empty")
	case d.Event == "impact" && !packet.IsImpact(said.Value):
		wrong.addProblem("/value", "the impact must be low, medium, high or critical")
	}
	if d.Ends && said.Until != "" && said.Until != "now" {
		var err error
		if h.Until, err = reply.ParseFuture(said.Until, now); err != nil {
			wrong.addProblem("/until", "%v; what has ended already ends now", err)
		}
	}
	return h, wrong.err()
}

// ErrKind says that a record is of a kind for which a command is not made.
var ErrKind = errors.New("it is of another kind")

// MostEdits bounds how many edits of a record are followed.
const MostEdits = 64

// FindTasks finds tasks, each as the newest edit left it, and refuses what is none.
func FindTasks(ctx context.Context, m *memory.Memory, specs []string) ([]replay.Entry, error) {
	var all []replay.Entry
	var wrong []error
	for _, spec := range specs {
		entry, _, err := m.FindAnyWide(ctx, spec)
		for left := MostEdits; left > 0 && err == nil && entry.Life.Superseded != ""; left-- {
			entry, _, err = m.FindAnyWide(ctx, string(entry.Life.Superseded))
		}
		if shown, _ := entry.Open(replay.Inspected); err == nil && shown.Note().Kind != packet.NoteTask {
			err = fmt.Errorf("record %s is no task: %w", entry.ID, ErrKind)
		}
		wrong = append(wrong, err)
		all = append(all, entry)
	}
	return all, errors.Join(wrong...)
}

// keptByEdit begins the reason of an event that says again what was said of the record that an edit replaced.
const keptByEdit = "kept by edit"

// IsKeptByEdit tells such a reason: who takes the edit back takes that back with it.
func IsKeptByEdit(why string) bool { return strings.HasPrefix(why, keptByEdit) }

// keepState says of the record that takes the place of an old one what events said of that, as far as it is not
// about its text: whose work it is, that it is done or hidden, and what it is linked with. It comes before the
// event that puts it there, which is the one that undo takes back.
func keepState(ctx context.Context, m *memory.Memory, old replay.Shown, id packet.ID) error {
	var said []gate.Happen
	if taken, _ := old.Life.Taken.For(replay.Inspected); taken != "" {
		anew, err := m.FindAny(ctx, string(id))
		if err != nil {
			return err
		}
		// That somebody else took it, only their event can say.
		if anew.Origin().By() == old.Life.Taken.Origin().By() {
			value, err := packet.Change{Status: "active"}.Value()
			if err != nil {
				return err
			}
			said = append(said, gate.Happen{Event: "set", Value: value})
		}
	}
	if old.Life.Impact == rank.Critical { // No text says so.
		said = append(said, gate.Happen{Event: "impact", Value: rank.Critical})
	}
	if old.Life.Closed {
		said = append(said, gate.Happen{Event: "close"})
	}
	if old.Life.Archived {
		why, _ := old.Life.Hiding.For(replay.Inspected)
		said = append(said, gate.Happen{Event: "archive", Why: why})
	}
	for _, link := range old.Life.Links {
		label, _ := link.Label.For(replay.Inspected)
		said = append(said, gate.Happen{Event: "link", By: []string{string(link.ID)}, Value: label})
	}
	for _, h := range said {
		h.Targets, h.Why = []string{string(id)}, strings.TrimSuffix(keptByEdit+": "+h.Why, ": ")
		if _, err := m.Happen(ctx, h); err != nil && !errors.Is(err, replay.ErrNotFound) {
			return fmt.Errorf("the new record is stored as %s, and the old one is still there: %w", id, err)
		}
	}
	return nil
}
