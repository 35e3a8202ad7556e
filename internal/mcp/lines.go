package mcp

import (
	"bufio"
	"errors"
	"io"
)

// maxLine is the number of bytes of the longest line that is read as a message. The largest packet
// is a hundredth of it.
const maxLine = 4 << 20

// line is one line of the input, or how it ended.
type line struct {
	data []byte
	long bool // it is longer than maxLine, and its data is left out
	err  error
}

// readLines hands on the lines of the input until it ends, or nobody takes them any more.
func readLines(in io.Reader, lines chan<- line, done <-chan struct{}) {
	from := bufio.NewReaderSize(in, 64<<10)
	for {
		l := nextLine(from)
		select {
		case lines <- l:
		case <-done:
			return
		}
		if l.err != nil {
			return
		}
	}
}

// nextLine reads one line, of whatever length, in bounded memory. A last line without an end is one too.
func nextLine(in *bufio.Reader) line {
	var l line
	for {
		part, err := in.ReadSlice('\n')
		if len(l.data)+len(part) > maxLine {
			l.long, l.data = true, nil
		}
		if !l.long {
			l.data = append(l.data, part...)
		}
		switch {
		case err == nil:
			return l
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && (len(l.data) > 0 || l.long):
			return l
		case errors.Is(err, io.EOF):
			return line{err: io.EOF}
		default:
			return line{err: err}
		}
	}
}
