package signer

import (
	"bytes"
	"io"
)

// bounded keeps what is written to it until it is too much, and then takes no more.
type bounded struct {
	limit int
	data  []byte
	over  bool
}

// Write refuses what would go over the limit.
func (b *bounded) Write(p []byte) (int, error) {
	if len(b.data)+len(p) > b.limit {
		b.over = true
		return 0, io.ErrShortWrite
	}
	b.data = append(b.data, p...)
	return len(p), nil
}

const (
	messageLimit = 8 << 10
	createdLine  = statusPrefix + "SIG_CREATED "
)

// messages keeps the end of what a program says, and notes on the way whether gpg reports a signature: a program may
// say much after that.
type messages struct {
	data    []byte
	begin   []byte // begin is the first part of the line that is being written.
	created bool
}

// Write never fails.
func (m *messages) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		if room := len(createdLine) - len(m.begin); room > 0 {
			m.begin = append(m.begin, line[:min(room, len(line))]...)
		}
		m.created = m.created || string(m.begin) == createdLine
		if bytes.HasSuffix(line, []byte("\n")) {
			m.begin = m.begin[:0]
		}
	}
	m.data = append(m.data, p...)
	if over := len(m.data) - messageLimit; over > 0 {
		m.data = append(m.data[:0], m.data[over:]...)
	}
	return len(p), nil
}

// String returns what was kept.
func (m *messages) String() string {
	return string(m.data)
}
