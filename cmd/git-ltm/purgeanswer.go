package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// answerPurges removes or brings back what waits in quarantine.
func (e *env) answerPurges(ctx context.Context, o purgeOptions, specs []string) error {
	if o.accept == o.refuse || o.allRequests == (len(specs) > 0) {
		return usagef("either --accept or --refuse, and then either IDs or --all")
	}
	return e.use(ctx, func(m *memory.Memory) error {
		if o.refuse {
			back, err := m.Purges().RefusePurges(ctx, specs)
			if err == nil {
				err = e.tellEach("kept", back)
			}
			if err == nil && len(back) > 0 {
				e.say("hint", "'git ltm sync' sends it again")
			}
			return err
		}
		done, err := m.Purges().AcceptPurges(ctx, specs)
		if err == nil {
			err = e.tellEach("purged", done.Purged)
		}
		if err != nil || len(done.Purged) == 0 {
			return err
		}
		e.forget(ctx, m)
		err = e.purgeThere(ctx, m, o)
		e.tellPurged(ctx, m, o, done)
		if o.now {
			err = errors.Join(err, e.collect(ctx, m))
		}
		return err
	})
}

// tellEach prints a line for each record.
func (e *env) tellEach(did string, ids []packet.ID) error {
	for _, id := range ids {
		if _, err := fmt.Fprintf(e.stdout, "%s %s\n", did, id); err != nil {
			return err
		}
	}
	return nil
}

// purgeRequest is the JSON shape of a purge that waits for an answer.
type purgeRequest struct {
	Event  string      `json:"event"`
	By     string      `json:"by"` // the author that the event names, whom nobody has checked
	Trust  string      `json:"trust"`
	Remote string      `json:"remote"`
	Reason string      `json:"reason"`
	Until  *time.Time  `json:"until"` // then the records are removed; null as long as they are not moved
	IDs    []packet.ID `json:"ids"`
}

// purgeRequests returns the purges that wait for an answer, fit to be printed.
func (e *env) purgeRequests(ctx context.Context, m *memory.Memory) ([]purgeRequest, error) {
	all, err := m.Purges().PurgeRequests(ctx)
	shown := []purgeRequest{}
	for _, r := range all {
		s := purgeRequest{
			Event: string(r.Event), By: e.printable(r.By), Trust: string(r.Standing),
			Remote: e.printable(r.Remote), Reason: r.Reason, IDs: r.IDs,
		}
		if !r.Until.IsZero() {
			until := r.Until.UTC()
			s.Until = &until
		}
		shown = append(shown, s)
	}
	return shown, err
}

// namedRecords is how many records of a purge are named in one line, and mostRequests how many
// purges have one of their own.
const (
	namedRecords = 3
	mostRequests = 5
)

// String says in one line who wants what removed, and which command answers.
func (r purgeRequest) String() string {
	by := r.By
	if by == "" {
		by = "somebody without a name"
	}
	how := r.Trust
	if how == string(sign.Unknown) {
		how = "unknown key"
	}
	if r.Remote != "" {
		how += ", from " + r.Remote
	}
	names := make([]string, 0, namedRecords)
	for _, id := range r.IDs[:min(len(r.IDs), namedRecords)] {
		names = append(names, string(id))
	}
	what := strings.Join(names, ", ")
	if more := len(r.IDs) - len(names); more > 0 {
		what += fmt.Sprintf(" and %d more", more)
	}
	until := ""
	if r.Until != nil {
		until = " until " + r.Until.Format(time.DateOnly)
	}
	return fmt.Sprintf("%s (%s) wants %s removed, hidden here%s: %s; "+
		"git ltm purge --accept %s, or --refuse %s",
		by, how, counted(len(r.IDs), "record"), until, what, r.Event, r.Event)
}

// lines are what status and sync say of purges that wait.
func requestLines(all []purgeRequest) []string {
	var lines []string
	for _, r := range all[:min(len(all), mostRequests)] {
		lines = append(lines, r.String())
	}
	if more := len(all) - mostRequests; more > 0 {
		lines = append(lines, counted(more, "more purge")+" from elsewhere: git ltm status --json")
	}
	if len(all) > 1 {
		lines = append(lines, "if all of them are yours, from another machine: git ltm purge --accept --all")
	}
	return lines
}

// warnOfPurges tells after an exchange which purges wait for an answer, and asks the person at the
// terminal where it moved something.
func (e *env) warnOfPurges(ctx context.Context, m *memory.Memory, moved bool) error {
	all, err := e.purgeRequests(ctx, m)
	for _, line := range requestLines(all) {
		e.warnf("%s", line)
	}
	if err != nil || len(all) == 0 || !moved || !e.interactive() {
		return err
	}
	switch e.askPerson("Remove them for good [y], bring them back [n], or decide later [Enter]? ") {
	case 'y':
		done, err := m.Purges().AcceptPurges(ctx, nil)
		return errors.Join(err, e.tellEach("purged", done.Purged))
	case 'n':
		back, err := m.Purges().RefusePurges(ctx, nil)
		return errors.Join(err, e.tellEach("kept", back))
	default:
		return nil
	}
}

// interactive tells that a person can be asked.
func (e *env) interactive() bool { return e.terminal(e.stdin) && e.terminal(e.stderr) }
