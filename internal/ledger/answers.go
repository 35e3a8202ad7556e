package ledger

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// QuarantineAge is how long a record waits in quarantine for an answer to a purge.
const QuarantineAge = 30 * 24 * time.Hour

// Answers keeps what was decided here about purges that are not trusted. A clone that loses it is asked
// again.
type Answers struct {
	file *journal.File
	read Answered // nil until it is asked for
}

// Answered is what was answered, by record and event.
type Answered map[string]string

// The answers. A record that waits has the time from which on it does, and the remote.
const (
	accepted = "accepted"
	waiting  = "waiting"
	yielding = "yielding" // this clone purged what it had not made
)

// OpenAnswers opens the answers in a file.
func OpenAnswers(at local.File) *Answers { return &Answers{file: journal.Open(at)} }

// Read returns the answers, which are read once.
func (a *Answers) Read() (Answered, error) {
	if a.read != nil {
		return a.read, nil
	}
	all := Answered{}
	for e, err := range a.file.All() {
		if err != nil {
			return nil, err
		}
		all[e.Key] = e.Value
	}
	a.read = all
	return all, nil
}

// Forget makes the next Read look again.
func (a *Answers) Forget() { a.read = nil }

// Accept notes that purges count: of each record, these events.
func (a *Answers) Accept(events map[packet.ID][]packet.ID) error {
	return a.noteAnswer(events, accepted)
}

// Yield notes that purges of this clone speak of records that others made: of each record, these events.
func (a *Answers) Yield(events map[packet.ID][]packet.ID) error {
	return a.noteAnswer(events, yielding)
}

// Wait notes that records wait for an answer from now on, and which remote brought the purge; "" where that
// is not known.
func (a *Answers) Wait(events map[packet.ID][]packet.ID, now time.Time, remote string) error {
	return a.noteAnswer(events, strings.TrimSpace(fmt.Sprintf("%s %d %s", waiting, now.Unix(), remote)))
}

// Release notes that records wait no more, because no purge names them that counts: one that does so again asks anew.
func (a *Answers) Release(ids []packet.ID) error {
	all, err := a.Read()
	if err != nil {
		return err
	}
	events := map[packet.ID][]packet.ID{}
	for key := range all {
		id, event, _ := strings.Cut(key, "/")
		of := packet.ID(id)
		if _, _, waits := all.WaitsSince(of, packet.ID(event)); waits && slices.Contains(ids, of) {
			events[of] = append(events[of], packet.ID(event))
		}
	}
	return a.noteAnswer(events, "")
}

// noteAnswer stores one answer about some records, each to the events that speak of it.
func (a *Answers) noteAnswer(events map[packet.ID][]packet.ID, text string) error {
	var entries []journal.Entry
	for id, of := range events {
		for _, event := range of {
			entries = append(entries, journal.Entry{Key: answerKey(id, event), Value: text})
		}
	}
	slices.SortFunc(entries, func(a, b journal.Entry) int { return cmp.Compare(a.Key, b.Key) })
	a.Forget()
	if err := a.file.Append(entries); err != nil {
		return fmt.Errorf("store the answer to a purge: %w", err)
	}
	return nil
}

func answerKey(id, event packet.ID) string { return string(id) + "/" + string(event) }

// Accepted tells whether a purge of a record was accepted.
func (a Answered) Accepted(id, event packet.ID) bool { return a[answerKey(id, event)] == accepted }

// Yields tells whether a purge of a record takes it out once, and leaves it where somebody refused that: it
// was accepted here, or this clone made the purge and not the record.
func (a Answered) Yields(id, event packet.ID) bool {
	return a.Accepted(id, event) || a[answerKey(id, event)] == yielding
}

// WaitsSince says since when a record waits for an answer to a purge, and which remote brought that.
func (a Answered) WaitsSince(id, event packet.ID) (since time.Time, remote string, ok bool) {
	text, ok := strings.CutPrefix(a[answerKey(id, event)], waiting+" ")
	if !ok {
		return time.Time{}, "", false
	}
	text, remote, _ = strings.Cut(text, " ")
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0), remote, err == nil
}

// Overdue tells whether the time of a record is over that waits for an answer and is among some.
func (a Answered) Overdue(now time.Time, among map[packet.ID]bool) bool {
	for key := range a {
		id, event, _ := strings.Cut(key, "/")
		since, _, waits := a.WaitsSince(packet.ID(id), packet.ID(event))
		if waits && among[packet.ID(id)] && now.Sub(since) > QuarantineAge {
			return true
		}
	}
	return false
}
