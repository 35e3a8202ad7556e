package main

import (
	"context"
	"os"
	"time"
)

// How long a transcript is looked at, and how often. Copilot CLI was seen to write its own a tenth of a second after the hooks of
// its last answer, and nothing of it before.
const (
	settleLook  = 250 * time.Millisecond
	settleLooks = 12
)

// settle waits, and not for long, until a transcript is there and does not grow: agents may write theirs after they call hooks.
func settle(ctx context.Context, transcript string) {
	if transcript == "" {
		return
	}
	before := int64(0)
	for range settleLooks {
		if info, err := os.Stat(transcript); err == nil {
			if info.Size() > 0 && info.Size() == before {
				return
			}
			before = info.Size()
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(settleLook):
		}
	}
}
