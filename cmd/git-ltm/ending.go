package main

import (
	"time"

	"github.com/git-ltm/git-ltm/internal/replay"
)

// ending says until when a record holds, for a list; nothing where it does not say.
func ending(entry replay.Entry, now time.Time) string {
	at := entry.ExpiresAt()
	if at.IsZero() || entry.Life.Expired {
		return ""
	}
	return "until " + at.In(now.Location()).Format("2006-01-02 15:04")
}
