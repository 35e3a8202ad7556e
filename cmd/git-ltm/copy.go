package main

import (
	"context"
	"errors"
	"io"

	"github.com/aymanbagabas/go-osc52/v2"

	"github.com/git-ltm/git-ltm/internal/clipboard"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// maxOSC52 is the number of bytes that common terminals take in one sequence.
const maxOSC52 = 74994

// copyBlock puts a block on the clipboard, or asks the terminal to. It tells
// whether it did; if not, the block is to be printed.
func (e *env) copyBlock(ctx context.Context, block string, entry replay.Entry) bool {
	err := clipboard.Copy(ctx, block, e.getenv)
	if err == nil {
		e.say("hint", "the resume block of "+string(entry.ID)+
			" is on the clipboard; paste it into the next session")
		return true
	}
	if !errors.Is(err, clipboard.ErrNone) {
		e.warnf("%v", err)
	}
	name, _ := e.getenv("TERM")
	if !e.terminal(e.stderr) || name == "" || name == "dumb" || len(block) > maxOSC52 {
		e.warnf("there is no clipboard here")
		if e.forPerson() {
			e.say("hint", "'git ltm resume "+string(entry.ID)+" --agent' prints the block to copy")
		}
		return false
	}
	sequence := osc52.New(block)
	if _, tmux := e.getenv("TMUX"); tmux {
		sequence = sequence.Tmux()
	}
	if _, err := io.WriteString(e.stderr, sequence.String()); err != nil {
		return false
	}
	e.say("hint", "the terminal was asked to copy the block of "+string(entry.ID)+
		"; if it did not: git-ltm resume "+string(entry.ID))
	return true
}
