package session

import (
	"context"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// The bounds of what is kept of what arrived. A session that is older hears of the rest when it starts again.
const (
	arrivedFor  = 24 * time.Hour
	mostArrived = 512
)

// arrival is a record that a remote delivered to this clone, and when.
type arrival struct {
	ID packet.ID `json:"id"`
	At time.Time `json:"at"`
}

func arrivedFile(dir *local.Dir) local.File { return dir.File("arrived.json") }

// NoteArrived keeps which records came with an exchange, by the full names of their refs, for the sessions
// that are under way. What came is known to be here before it is noted.
func NoteArrived(dir *local.Dir, names []string, now time.Time) error {
	var all []arrival
	if _, err := arrivedFile(dir).ReadState(&all); err != nil {
		all = nil // It is a help: what is damaged begins anew.
	}
	all = slices.DeleteFunc(all, func(a arrival) bool { return now.Sub(a.At).Abs() > arrivedFor })
	for _, name := range names {
		id, err := packet.ParseID(path.Base(name))
		if err == nil && path.Base(path.Dir(name)) != "events" {
			all = append(all, arrival{id, now})
		}
	}
	return arrivedFile(dir).WriteState(all[max(0, len(all)-mostArrived):])
}

// AwaitArrivals notes that the session is to hear of what arrives from now on: what is here it is told at its
// start. Where that cannot be noted, it hears of it at its next start.
func (s *Session) AwaitArrivals() {
	_ = s.state.appendLines(fmt.Sprintf("since %d\n", s.now().UnixMilli()))
}

// arrivedBudget is the characters of what is told of what arrived.
const arrivedBudget = 1000

// tellArrived adds to the answer what arrived since the session was last told what is here, as its start
// would have said it. It is told once, also what of it did not fit.
func (s *Session) tellArrived(ctx context.Context) error {
	s.state.loadFile()
	if s.state.since.IsZero() {
		return nil
	}
	var all []arrival
	if _, err := arrivedFile(s.memory.Repo().Local()).ReadState(&all); err != nil {
		return nil //nolint:nilerr // It is a help, and begins anew with what arrives next.
	}
	came := map[packet.ID]bool{}
	for _, a := range all {
		if a.At.After(s.state.since) {
			came[a.ID] = true
		}
	}
	if len(came) == 0 {
		return nil
	}
	s.AwaitArrivals()
	c, err := s.recall.Context(ctx, replay.Unasked)
	if err != nil {
		return err
	}
	c.Known = filterItems(c.Known, func(k briefing.Known) bool {
		return came[packet.ID(k.ID())] && !s.state.wasTold(keyOf(k))
	})
	c.More, c.Arrived, c.Budget = 0, len(came), arrivedBudget
	if c.Nonce, err = briefing.Nonce(s.draw); err != nil {
		return err
	}
	c = c.Fit()
	mine, err := telling[briefing.Known]{key: keyOf}.claim(s, c.Known)
	if c.Known = mine; err == nil && len(mine) > 0 {
		s.Also(c.Markdown())
	}
	return err
}
