package view

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

// ErrOrder says that keys did not come in rising order.
var ErrOrder = errors.New("keys are not in rising order")

// Writer writes a table.
type Writer struct {
	out    io.Writer
	offset uint64
	levels []level // levels are the blocks that are being filled, the lowest first.
}

// level is a block that is being filled.
type level struct {
	data, last []byte
}

// NewWriter returns a writer of a table. What lies around out is the caller's: a buffer, a file.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Add adds a key that is greater than those before.
func (w *Writer) Add(key string, value []byte) error {
	if len(w.levels) > 0 && key <= string(w.levels[0].last) {
		return fmt.Errorf("add %q after %q: %w", key, w.levels[0].last, ErrOrder)
	}
	return w.addAt(0, key, value)
}

func (w *Writer) addAt(height int, key string, value []byte) error {
	if height == len(w.levels) {
		w.levels = append(w.levels, level{})
	}
	at := &w.levels[height]
	most := blockBytes
	if height > 0 {
		most = innerBytes
	}
	if len(at.data) > 0 && len(at.data)+len(key)+len(value) > most {
		if err := w.flushLevel(height); err != nil {
			return err
		}
		at = &w.levels[height]
	}
	same := 0
	if len(at.data) > 0 {
		for same < len(key) && same < len(at.last) && key[same] == at.last[same] {
			same++
		}
	}
	for _, n := range []int{same, len(key) - same, len(value)} {
		at.data = binary.AppendUvarint(at.data, uint64(n)) //nolint:gosec // A length.
	}
	at.data = append(append(at.data, key[same:]...), value...)
	at.last = append(at.last[:0], key...)
	return nil
}

// writeBlock writes the block of a level.
func (w *Writer) writeBlock(height int) (place, error) {
	at := &w.levels[height]
	p := place{w.offset, uint64(len(at.data)), crc32.ChecksumIEEE(at.data)}
	if _, err := w.out.Write(at.data); err != nil {
		return p, err
	}
	w.offset += p.length
	at.data = at.data[:0]
	return p, nil
}

// flushLevel writes the block of a level, and notes it in the level above.
func (w *Writer) flushLevel(height int) error {
	p, err := w.writeBlock(height)
	if err != nil {
		return err
	}
	return w.addAt(height+1, string(w.levels[height].last), p.appendTo(nil))
}

// Close writes what is left, and returns the root. It does not close out.
func (w *Writer) Close() (Root, error) {
	for height := 0; height < len(w.levels); height++ {
		if height < len(w.levels)-1 {
			if err := w.flushLevel(height); err != nil {
				return Root{}, err
			}
			continue
		}
		p, err := w.writeBlock(height)
		return Root{p, byte(height)}, err //nolint:gosec // No table is that high.
	}
	return Root{}, nil
}
