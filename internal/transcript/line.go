package transcript

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
)

// mostLine is how long a line or a value may be that is read. Longer ones, which hold pictures or whole files, are skipped.
const mostLine = 4 << 20

// lines yields the lines of a reader. One that is too long is passed over in bounded memory; the last one may be cut. A line is
// valid until the next one is asked for.
func lines(r io.Reader) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReaderSize(r, 64<<10)
		var line []byte
		tooLong := false
		for {
			part, err := in.ReadSlice('\n')
			if tooLong = tooLong || len(line)+len(part) > mostLine; !tooLong {
				line = append(line, part...)
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(nil, fmt.Errorf("read transcript: %w", err))
				return
			}
			if !tooLong && len(line) > 0 && !yield(line, nil) || err != nil {
				return
			}
			line, tooLong = line[:0], false
		}
	}
}
