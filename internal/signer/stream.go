package signer

import (
	"bytes"

	"github.com/git-ltm/git-ltm/internal/program"
)

const (
	messageLimit = 8 << 10
	createdLine  = statusPrefix + "SIG_CREATED "
)

// messages keeps the end of what a program says, and notes on the way whether gpg reports a signature: a program may
// say much after that.
type messages struct {
	program.Tail

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
	return m.Tail.Write(p)
}
