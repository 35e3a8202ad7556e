package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// heardArrived is how many records are looked at that came, to say how many of them reach a session.
const heardArrived = 64

// tellUnheard tells how much of what is here is withheld where nobody asked. That nothing is known would not be true.
func (e *env) tellUnheard(ctx context.Context, r *recall.Recall) (told bool) {
	heard, err := r.Heard(ctx)
	if err != nil || heard.Withheld == 0 {
		return false
	}
	e.say("hint", withheld(heard)+" record(s) are here that nobody in this clone vouches for, so that no session is told of them unasked: "+vouching)
	return true
}

// vouching says what makes a record count.
const vouching = "'git ltm verify' says why, 'git ltm trust add ID' lets the key count that signed one"

// tellArrived tells, after an exchange, how much of what came reaches no session. What cannot be told is no fault of it.
func (e *env) tellArrived(ctx context.Context, m *memory.Memory, pulled []string) {
	heard, err := m.Source().HeardOf(ctx, pulled, heardArrived)
	if err != nil || heard.Withheld == 0 {
		return
	}
	e.say("hint", withheld(heard)+" of them reach no session unasked, nobody here vouches for them: git ltm verify, then git ltm trust add ID")
}

// withheld is how many records are withheld, of those that were looked at.
func withheld(h replay.Heard) string {
	if h.More {
		return strconv.Itoa(h.Withheld) + " or more"
	}
	return strconv.Itoa(h.Withheld)
}

// unheard is the line for a session to which nothing could be told of all the records that are here, or nothing.
func unheard(heard replay.Heard) string {
	if heard.Told > 0 || heard.Withheld == 0 {
		return ""
	}
	return fmt.Sprintf("git ltm: %s record(s) are here that nobody in this clone vouches for, so none is told; a person can look with: git ltm verify\n",
		withheld(heard))
}

// unaskedLine says how much of the memory reaches a session that nobody asked for it.
func unaskedLine(h replay.Heard) string {
	of := fmt.Sprintf("%d of %d records", h.Told, h.All())
	if h.More {
		of = fmt.Sprintf("%d of the newest %d records", h.Told, h.All())
	}
	if h.Withheld > 0 {
		of += fmt.Sprintf("; nobody here vouches for %d: git ltm verify", h.Withheld)
	}
	return of
}
