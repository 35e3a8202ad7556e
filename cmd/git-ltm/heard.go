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

// tellUnheard says how much of what is here is withheld where nobody asked. That nothing is known would not be true.
func (e *env) tellUnheard(ctx context.Context, r *recall.Recall) (told bool) {
	heard, err := r.Heard(ctx)
	if err != nil || heard.Withheld == 0 {
		return false
	}
	e.say("hint", notShown(heard))
	return true
}

// tellArrived says, after an exchange, how much of what came is not shown to agents. What cannot be counted is no fault of it.
func (e *env) tellArrived(ctx context.Context, m *memory.Memory, pulled []string) {
	heard, err := m.Source().HeardOf(ctx, pulled, heardArrived)
	if err == nil && heard.Withheld > 0 {
		e.say("hint", notShown(heard))
	}
}

// notShown says how many records are not shown to agents automatically, why, and what changes that.
func notShown(h replay.Heard) string {
	text := counted(h.Withheld, "record")
	if h.More {
		text = strconv.Itoa(h.Withheld) + " records or more"
	}
	if h.Unknown == h.Withheld {
		return text + " not shown to agents automatically, as nobody of the author's name is known to have committed to the default branch: " + learning
	}
	return text + " not shown to agents automatically, as not trusted here: git ltm verify says what changes that"
}

// learning is what lets a clone know who has committed.
const learning = "git fetch, then git ltm sync"

// unheard is the line for a session to which nothing could be shown of all the records that are here, or nothing.
func unheard(heard replay.Heard) string {
	if heard.Told > 0 || heard.Withheld == 0 {
		return ""
	}
	return "git ltm: " + notShown(heard) + "\n"
}

// unaskedLine says how much of the memory is shown to agents automatically.
func unaskedLine(h replay.Heard) string {
	of := fmt.Sprintf("%d of %d records", h.Told, h.All())
	if h.More {
		of = fmt.Sprintf("%d of the newest %d records", h.Told, h.All())
	}
	switch {
	case h.Withheld > 0 && h.Unknown == h.Withheld:
		of += fmt.Sprintf("; %d of authors not known to have committed to the default branch: %s", h.Withheld, learning)
	case h.Withheld > 0:
		of += fmt.Sprintf("; %d not trusted here: git ltm verify", h.Withheld)
	}
	return of
}
