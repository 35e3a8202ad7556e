package index

import (
	"math"
	"math/bits"
	"time"
)

// quantiseLength makes one byte of a length: three bits below the highest one.
func quantiseLength(length int) byte {
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

// unixMillis is a time as a number; the zero time is the earliest.
func unixMillis(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixMilli()
}
