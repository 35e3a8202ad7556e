package main

import (
	"context"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// heardArrived is how many records are looked at that came, to say how many of them reach a session.
const heardArrived = 64

// tellUntrusted tells how much of what is here is left out where what is trusted alone is asked for. That
// nothing is known would not be true.
func (e *env) tellUntrusted(ctx context.Context, r *recall.Recall) (told bool) {
	heard, err := r.Heard(ctx, replay.Strictly)
	if err != nil || heard.Withheld == 0 {
		return false
	}
	e.say("hint", withheld(heard)+
		" not trusted, so that --trusted leaves out what they say: 'git ltm verify' says why, "+
		"'git ltm trust add ID' trusts the key that signed one")
	return true
}

// tellArrived tells, after an exchange, how much of what came no agent is shown automatically. What cannot be
// told is no fault of it.
func (e *env) tellArrived(ctx context.Context, m *memory.Memory, pulled []string) {
	heard, err := m.Source().HeardOf(ctx, pulled, heardArrived)
	if err != nil || heard.Withheld == 0 {
		return
	}
	if heard.Unknown == heard.Withheld {
		e.say("hint", "of what came "+withheld(heard)+" of authors "+unknown+
			", so that agents are not shown them automatically: "+learning)
		return
	}
	mend := "git ltm verify, then git ltm trust add ID"
	if heard.Unsigned == heard.Withheld {
		mend = "nobody signed them; 'git ltm verify' says what changes that"
	}
	e.say("hint", "of what came "+withheld(heard)+
		" not trusted, so that agents are not shown them automatically: "+mend)
}

// unknown is what is said of authors whose unsigned records are not shown, and learning what lets a clone
// know who has committed.
const (
	unknown  = "not known to have committed to the default branch"
	learning = "git fetch, then git ltm sync"
)

// withheld says how many records are withheld, of those that were looked at, and begins a sentence about
// them.
func withheld(h replay.Heard) string {
	switch {
	case h.More:
		return fmt.Sprintf("%d or more records are", h.Withheld)
	case h.Withheld == 1:
		return "1 record is"
	default:
		return fmt.Sprintf("%d records are", h.Withheld)
	}
}

// unheard is the line for a session to which nothing could be shown of all the records that are here, or
// nothing.
func unheard(heard replay.Heard) string {
	if heard.Told > 0 || heard.Withheld == 0 {
		return ""
	}
	return fmt.Sprintf(briefing.NothingTrusted, withheld(heard))
}

// shownLine says how much of the memory agents are shown automatically.
func shownLine(h replay.Heard) string {
	of := fmt.Sprintf("%d of %d records", h.Told, h.All())
	if h.More {
		of = fmt.Sprintf("%d of the newest %d records", h.Told, h.All())
	}
	if h.Hidden > 0 {
		of += fmt.Sprintf("; retracted, hidden or over: %d", h.Hidden)
	}
	switch {
	case h.Withheld > 0 && h.Unknown == h.Withheld:
		of += fmt.Sprintf("; of authors %s: %d, %s", unknown, h.Withheld, learning)
	case h.Withheld > 0:
		of += fmt.Sprintf("; not trusted: %d, 'git ltm verify' says why", h.Withheld)
	}
	return of
}
