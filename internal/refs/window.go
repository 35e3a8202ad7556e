package refs

import (
	"bytes"
	"errors"
	"io"
)

const (
	windowSize = 4 * 1024
	maxLine    = 64 * 1024 // maxLine is longer than any line of a packed-refs file that git wrote.
)

var errLine = errors.New("a line does not end")

// window reads the lines of a file of any size, in both directions, and holds one small part of it.
type window struct {
	file  io.ReaderAt
	size  int64
	start int64 // start is where data begins in the file.
	data  []byte
}

// fill makes the window begin at start and hold up to length bytes.
func (w *window) fill(start, length int64) error {
	length = min(length, w.size-start)
	if int64(cap(w.data)) < length {
		w.data = make([]byte, length)
	}
	w.data, w.start = w.data[:length], start
	if n, err := w.file.ReadAt(w.data, start); int64(n) < length {
		w.data = w.data[:0]
		return errors.Join(io.ErrUnexpectedEOF, err)
	}
	return nil
}

// line returns the line that begins at an offset, without its end, and where the next one begins. The bytes are
// valid until the next call.
func (w *window) line(at int64) (line []byte, next int64, err error) {
	for length := int64(windowSize); ; length *= 2 {
		if at >= w.start && at < w.start+int64(len(w.data)) {
			rest := w.data[at-w.start:]
			if end := bytes.IndexByte(rest, '\n'); end >= 0 {
				return rest[:end], at + int64(end) + 1, nil
			}
		}
		if length > maxLine {
			return nil, 0, errLine
		}
		if err := w.fill(at, length); err != nil {
			return nil, 0, err
		}
	}
}

// first returns the byte at an offset, which is below the size.
func (w *window) first(at int64) (byte, error) {
	if at < w.start || at >= w.start+int64(len(w.data)) {
		if err := w.fill(at, windowSize); err != nil {
			return 0, err
		}
	}
	return w.data[at-w.start], nil
}

// begin returns where the line that holds the byte before at begins; at is above floor.
func (w *window) begin(at, floor int64) (int64, error) {
	for length := int64(windowSize); ; length *= 2 {
		if at-1 > w.start && at <= w.start+int64(len(w.data)) {
			if end := bytes.LastIndexByte(w.data[:at-1-w.start], '\n'); end >= 0 {
				return w.start + int64(end) + 1, nil
			}
		}
		if w.start <= floor && at <= w.start+int64(len(w.data)) {
			return floor, nil
		}
		if length > 2*maxLine {
			return 0, errLine
		}
		from := max(floor, at-length)
		if err := w.fill(from, at-from); err != nil {
			return 0, err
		}
	}
}
