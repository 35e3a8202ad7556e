package session

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// maxState is the bytes of one session; a longer file is not believed.
const maxState = 1 << 20

// state is what one session was told and what it ran into: lines of a file, which processes only ever append
// to. The first line that names a thing says who tells it, so that of processes which append at once, one
// does. It is a help and no record: a file that is damaged or gone lets something be told twice.
type state struct {
	file local.File
	read bool
	said map[string]string // who tells a thing, by its key

	opened   opening
	failures []transcript.Command
	held     map[string]time.Time // when calls were held back first, by the key of the dead end
	went     map[string]string    // the calls that went on, by the same
	outcomes *journal.File        // what became of them in any session of the clone, by the same
	saved    time.Time            // how far the draft told that became a packet
	thread   packet.ID            // the last packet that was saved in it
	asked    asking
	since    time.Time // when it was last told what is here; zero where nothing arrives by itself
}

// openState returns what is kept about the session of a moment. Nothing is read yet.
func openState(dir *local.Dir, m agent.Moment) *state {
	sum := sha256.Sum256([]byte(string(m.Host) + "\x00" + m.Session))
	return &state{
		file:     dir.Own("sessions").File(hex.EncodeToString(sum[:8])),
		outcomes: journal.Open(dir.OwnFile("outcomes")),
	}
}

// wasTold tells whether the session was told a thing.
func (s *state) wasTold(key string) bool {
	s.loadFile()
	_, told := s.said[key]
	return told
}

// claimKeys says that this process tells some things, and returns those that no other said so of before.
func (s *state) claimKeys(keys []string, draw io.Reader) ([]string, error) {
	me, err := s.claimLines(draw, func(me string) string {
		var lines strings.Builder
		for _, key := range keys {
			fmt.Fprintf(&lines, "shown %s %s\n", me, key)
		}
		return lines.String()
	})
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return s.said[key] != me }), nil
}

// claimLines appends lines under a name that tells this process from others of the session, and reads what all of them
// wrote.
func (s *state) claimLines(draw io.Reader, lines func(me string) string) (me string, err error) {
	var b [6]byte
	if _, err := io.ReadFull(draw, b[:]); err != nil {
		return "", fmt.Errorf("draw a number: %w", err)
	}
	me = hex.EncodeToString(b[:])
	if err = s.appendLines(lines(me)); err == nil {
		s.loadFile()
	}
	return me, err
}

// appendLines adds lines with one write, and makes the file where it is missing. It never follows a link.
func (s *state) appendLines(lines string) (err error) {
	s.read = false
	if info, err := os.Lstat(s.file.Path()); err == nil &&
		(!info.Mode().IsRegular() || info.Size() > maxState) {
		_ = s.file.Remove() // It is no longer believed, and nothing depends on it.
	}
	f, err := s.file.Open(os.O_APPEND | os.O_CREATE | os.O_RDWR)
	if err != nil {
		return fmt.Errorf("keep what the session was shown: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	last := []byte{'\n'} // A line that was cut would swallow the next one.
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		_, _ = f.ReadAt(last, info.Size()-1)
	}
	if last[0] != '\n' {
		lines = "\n" + lines
	}
	if _, err := f.WriteString(lines); err != nil {
		return fmt.Errorf("keep what the session was shown: %w", err)
	}
	return nil
}

// loadFile reads the file, unless it was read since the last change of this process.
func (s *state) loadFile() {
	if s.read {
		return
	}
	s.read = true
	s.said, s.opened, s.failures = map[string]string{}, opening{}, nil
	s.held, s.went = map[string]time.Time{}, map[string]string{}
	s.saved, s.since, s.asked, s.thread = time.Time{}, time.Time{}, asking{}, ""
	data, err := s.file.Read(maxState)
	if err != nil {
		return
	}
	for line := range bytes.Lines(data) {
		if whole, ok := strings.CutSuffix(string(line), "\n"); ok {
			s.takeLine(whole)
		}
	}
}

// takeLine reads one line. What is damaged says nothing.
func (s *state) takeLine(line string) {
	word, rest, _ := strings.Cut(line, " ")
	who, rest, _ := strings.Cut(rest, " ")
	switch word {
	case "shown":
		if _, ok := s.said[rest]; !ok {
			s.said[rest] = who
		}
	case "start":
		s.takeStart(who, rest)
	case "saved":
		if at, err := strconv.ParseInt(rest, 10, 64); err == nil {
			s.saved = time.UnixMilli(at)
		}
	case "since":
		if at, err := strconv.ParseInt(who, 10, 64); err == nil {
			s.since = time.UnixMilli(at)
		}
	case "held":
		if at, err := strconv.ParseInt(who, 10, 64); err == nil && s.held[rest].IsZero() {
			s.held[rest] = time.UnixMilli(at)
		}
	case "ran":
		s.went[rest] = who
	case "thread":
		if id, err := packet.ParseID(rest); err == nil {
			s.thread = id
		}
	case "asked":
		s.takeAsked(who, rest)
	case "failed":
		var failed transcript.Command
		if json.Unmarshal([]byte(rest), &failed) == nil {
			s.failures = append(s.failures, failed)
		}
	}
}
