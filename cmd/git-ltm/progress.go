package main

import (
	"fmt"
	"strings"
	"time"
)

// A command that takes longer than patience tells how far it is, and no more
// often than each beat.
const (
	patience = 500 * time.Millisecond
	beat     = 100 * time.Millisecond
)

// progress is a line on a terminal that says how far a command is. Elsewhere it
// is nothing.
type progress struct {
	env   *env
	what  string // what was counted, such as "records checked"
	next  time.Time
	count int
	drawn int // columns of the line that stands there
}

// progress begins to count.
func (e *env) progress(what string) *progress {
	p := &progress{env: e, what: what}
	if e.terminal(e.stderr) {
		p.next = e.now().Add(patience)
	}
	return p
}

// step counts one.
func (p *progress) step() {
	p.count++
	if p.next.IsZero() {
		return
	}
	now := p.env.now()
	if now.Before(p.next) {
		return
	}
	p.next = now.Add(beat)
	line := fmt.Sprintf("%d %s", p.count, p.what)
	p.drawn = len(line)
	_, _ = fmt.Fprint(p.env.stderr, "\r"+line) // It is no result.
}

// stage shows what is under way, of how many.
func (p *progress) stage(stage string, done, of int) {
	p.what, p.count = fmt.Sprintf("of %d (%s)", of, stage), done-1
	p.step()
}

// end takes the line away.
func (p *progress) end() {
	if p.drawn > 0 {
		_, _ = fmt.Fprint(p.env.stderr, "\r"+strings.Repeat(" ", p.drawn)+"\r")
		p.drawn = 0
	}
}
