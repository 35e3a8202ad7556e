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
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// Deed is something that can be said of a record, which is stored as an event.
type Deed struct {
	Name         string // as agents say it
	Event        string // the word of the event
	Did, Already string // what is said of a record that it changed, and that was so before

	NeedsWhy bool // a reason must be given
	By       bool // it names another record
	Labelled bool // it says how two records hang together
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
		{Name: "expire", Event: "expire", Did: "expires", Ends: true},
		{Name: "confirm", Event: "confirm", Did: "confirmed"},
		{Name: "wrong", Event: "contradict", Did: "marked wrong", NeedsWhy: true},
		{Name: "impact", Event: "impact", Did: "rated", Already: "rated so already", Valued: true},
		{Name: "digest", Event: "digest", Did: "digested", Valued: true},
		{
			Name: "supersede", Event: "supersede", Did: "superseded", Already: "superseded by it already",
			NeedsWhy: true, By: true,
		},
		{Name: "link", Event: "link", Did: "linked", By: true, Labelled: true},
	}
}

// Unheeded are the records that an event changed which other clones made, and which they leave as they are
// until somebody accepts the event: nobody signed it.
func Unheeded(ctx context.Context, m *memory.Memory, c gate.Change) (some []packet.ID) {
	var foreign []replay.Entry
	for _, id := range c.Changed {
		found, err := m.FindAny(ctx, string(id))
		if err == nil && !found.Made {
			foreign = append(foreign, found)
		}
	}
	if len(foreign) == 0 {
		return nil
	}
	event, err := m.FindAny(ctx, string(c.Event))
	if err != nil || event.Signed {
		return nil // What cannot be read here now, the other clones say.
	}
	for _, found := range foreign {
		if !replay.Hides(event.EventKind()) || found.Trusted() {
			some = append(some, found.ID)
		}
	}
	return some
}

// DeedOf is what has an event.
func DeedOf(event string) Deed {
	all := Deeds()
	return all[slices.IndexFunc(all, func(d Deed) bool { return d.Event == event })]
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
	if d.Labelled || d.Valued {
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

// FindTasks finds tasks, and refuses what is none.
func FindTasks(ctx context.Context, m *memory.Memory, specs []string) ([]replay.Entry, error) {
	var all []replay.Entry
	var wrong []error
	for _, spec := range specs {
		entry, _, err := m.FindAnyWide(ctx, spec)
		if shown, _ := entry.Open(replay.Inspected); err == nil && shown.Note().Kind != packet.NoteTask {
			err = fmt.Errorf("record %s is no task: %w", entry.ID, ErrKind)
		}
		wrong = append(wrong, err)
		all = append(all, entry)
	}
	return all, errors.Join(wrong...)
}
