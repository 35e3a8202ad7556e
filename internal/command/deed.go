package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

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

// mostEdits bounds how many edits of a record are followed.
const mostEdits = 64

// FindTasks finds tasks, each as the newest edit left it, and refuses what is none.
func FindTasks(ctx context.Context, m *memory.Memory, specs []string) ([]replay.Entry, error) {
	var all []replay.Entry
	var wrong []error
	for _, spec := range specs {
		entry, _, err := m.FindAnyWide(ctx, spec)
		for left := mostEdits; left > 0 && err == nil && entry.Life.Superseded != ""; left-- {
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
