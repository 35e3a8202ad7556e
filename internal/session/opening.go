package session

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const (
	keptFor = 30 * 24 * time.Hour // keptFor is how long the file of a session stays after its last moment.
	// Two starts of one session that are no further apart are one: two settings named the hook.
	atOnce = 5 * time.Second
)

// opening is the last beginning of a session.
type opening struct {
	source string // as the host says it
	at     time.Time
	teller string // who answers it
}

// resumed is the source of a session that begins with its context. Others were told nothing.
const resumed = "resume"

// claimStart notes that the session begins, and reports whether this process is the one to answer.
func (s *state) claimStart(source string, now time.Time, draw io.Reader) (bool, error) {
	s.removeOldFiles(now)
	me, err := s.claimLines(draw, func(me string) string {
		return fmt.Sprintf("start %s %d %s\n", me, now.Unix(), strconv.Quote(source))
	})
	return err == nil && s.opened.teller == me, err
}

// takeStart takes the line of a beginning. Two of one source at once are one.
func (s *state) takeStart(who, rest string) {
	seconds, source, _ := strings.Cut(rest, " ")
	at, err := strconv.ParseInt(seconds, 10, 64)
	next := opening{source, time.Unix(at, 0), who}
	if err != nil || source == s.opened.source && next.at.Sub(s.opened.at).Abs() <= atOnce {
		return
	}
	s.opened = next
	if source != strconv.Quote(resumed) {
		clear(s.said)
	}
}

// removeOldFiles removes the files of sessions that have been over for long, of those whose names begin as
// that of this session: names are hashes, so that each start looks at a sixteenth of all.
func (s *state) removeOldFiles(now time.Time) {
	list, err := os.ReadDir(filepath.Dir(s.file.Path()))
	if err != nil {
		return
	}
	for _, e := range list {
		if e.Name()[0] != filepath.Base(s.file.Path())[0] {
			continue
		}
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > keptFor {
			// Another start does it, if not this one.
			_ = os.Remove(filepath.Join(filepath.Dir(s.file.Path()), e.Name()))
		}
	}
}
