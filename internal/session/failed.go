package session

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/transcript"
	"github.com/git-ltm/git-ltm/internal/words"
)

// The bounds of what is kept of commands that failed.
const (
	mostFailures = 40
	mostCommand  = 600 // characters
	mostReason   = 700
)

// exitLine is how hosts say with which code a command ended.
var exitLine = words.Compiled(`(?im)^\s*(?:process exited with|exit) code:? (\d{1,3})\b`)

// Failed keeps that a command failed, for the draft at the end of the session: as a transcript would say it,
// without what must not travel. A tool that a person ended did not fail, our own commands tell of themselves,
// and what fails on a file alone is a matter of the client's own tool.
func (s *Session) Failed(ctx context.Context) error {
	m := s.moment
	if transcript.HeldBack(m.Error) {
		return nil
	}
	if err := s.state.noteEnded(sumOf(quiet.Action(s.memory.Repo(), m.Call)), outcomeFailed); err != nil {
		return err
	}
	if m.Error == "" || m.Stopped || clean.Line(m.Call.Command) == "" ||
		transcript.IsOwn(m.Call.Tool, m.Call.Command) {
		return nil
	}
	s.state.loadFile()
	if len(s.state.failures) >= mostFailures {
		return nil
	}
	failed, why := transcript.Command{Failed: true, Text: clean.Text(m.Call.Command)}, m.Error
	if at := exitLine().FindStringSubmatchIndex(why); at != nil {
		failed.Exit, _ = strconv.Atoi(why[at[2]:at[3]])
		why = why[:at[0]] + strings.TrimLeft(why[at[1]:], ": \n")
	}
	failed.Output = clean.Text(why)
	// What is cut is masked before, since a part of a secret looks like none, and after it, since a cut may
	// make one. The masks are those of a draft, so that a command is the same there.
	failed, _, err := maskValue(ctx, s.memory, failed)
	if err != nil {
		return err
	}
	failed.Text, failed.Output = cutText(failed.Text, mostCommand), cutText(failed.Output, mostReason)
	_, line, err := maskValue(ctx, s.memory, failed)
	if err != nil {
		return err
	}
	return s.state.appendLines("failed - " + string(line) + "\n")
}

// Failures are the commands of the session that failed.
func (s *Session) Failures() []transcript.Command {
	s.state.loadFile()
	return s.state.failures
}

// cutText leaves out the end of a long text.
func cutText(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}
