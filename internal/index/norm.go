package index

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"math"
	"math/bits"
	"slices"
	"time"
)

// Of each item two bytes are kept apart from everything else, so that many candidates can be compared without a look at
// their rows: how long it is, roughly, and a part of a sum that puts equal ones into an order of their own.
const (
	normBytes = 2
	normBlock = 8192 // normBlock is how many items share a row.
)

// norms reads and changes those bytes block by block.
type norms struct {
	db      querier
	blocks  map[int64][]byte
	changed map[int64]bool
}

// quantise makes one byte of a length: three bits below the highest one.
func quantise(length int) byte {
	if length < 8 {
		return byte(max(length, 0))
	}
	high := bits.Len(uint(length)) - 4
	return byte(min(high*8+length>>high, math.MaxUint8)) //nolint:gosec // It is bounded.
}

// lengthOf returns about the length that a byte stands for.
func lengthOf(b byte) int {
	if b < 16 {
		return int(b)
	}
	return int(b%8+8) << (b/8 - 1)
}

// block returns one block. The bytes may be changed by the caller.
func (m *norms) block(ctx context.Context, number int64) ([]byte, error) {
	if b := m.blocks[number]; b != nil {
		return b, nil
	}
	b := make([]byte, normBytes*normBlock)
	err := each(ctx, m.db, func(scan func(...any) error) error {
		var raw sql.RawBytes
		if err := scan(&raw); err != nil {
			return err
		}
		if len(raw) != len(b) {
			return errDecode
		}
		copy(b, raw)
		return nil
	}, "SELECT data FROM norm WHERE block = ?", number)
	if m.blocks == nil {
		m.blocks = map[int64][]byte{}
	}
	m.blocks[number] = b
	return b, err
}

// at returns the two bytes of an item.
func (m *norms) at(ctx context.Context, n int64) (length, tie byte, err error) {
	b, err := m.block(ctx, n/normBlock)
	at := n % normBlock * normBytes
	return b[at], b[at+1], err
}

// set changes the bytes of the items from n on.
func (m *norms) set(ctx context.Context, n int64, data []byte) error {
	if m.changed == nil {
		m.changed = map[int64]bool{}
	}
	for i := 0; i+1 < len(data); i += normBytes {
		b, err := m.block(ctx, n/normBlock)
		if err != nil {
			return err
		}
		copy(b[n%normBlock*normBytes:], data[i:i+normBytes])
		m.changed[n/normBlock] = true
		n++
	}
	return nil
}

// flush writes the blocks that were changed.
func (m *norms) flush(ctx context.Context, w *writer) error {
	var all error
	for _, number := range slices.Sorted(maps.Keys(m.changed)) {
		all = errors.Join(all, w.exec(ctx, "INSERT OR REPLACE INTO norm VALUES (?, ?)", number, m.blocks[number]))
	}
	clear(m.changed)
	clear(m.blocks)
	return all
}

// millis is a time as a number; the zero time is the earliest.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixMilli()
}
