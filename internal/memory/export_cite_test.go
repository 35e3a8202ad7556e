package memory

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// FillCites notes with cited places what they are in HEAD.
func (m *Memory) FillCites(ctx context.Context, rec *packet.Record) error {
	return m.fillCites(ctx, rec)
}

// RefillCites takes from a stored record what filling added.
func RefillCites(rec, from *packet.Record) { refillCites(rec, from) }

// FindLines says where some lines of old, counted from 1, stand in now; 0 is nowhere.
func FindLines(old, now string, from, to int) int {
	at, ok := span{from: from - 1, to: to}.find(textLines([]byte(old)), textLines([]byte(now)))
	if !ok {
		return 0
	}
	return at + 1
}
