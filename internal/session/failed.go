package session

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// The bounds of what is kept of commands that failed.
const (
	mostFailures = 40
	mostCommand  = 600 // characters
	mostReason   = 700
)

// exitLine is how hosts say with which code a command ended.
var exitLine = regexp.MustCompile(`(?im)^\s*(?:process exited with|exit) code:? (\d{1,3})\b`)

// Failed keeps that a command failed, for the draft at the end of the session: as a transcript would say it, without what must not
// travel. A tool that a person ended did not fail, our own commands tell of themselves, and what fails on a file alone is a matter
// of the client's own tool.
func (s *Session) Failed(ctx context.Context) error {
	m := s.moment
	if transcript.HeldBack(m.Error) {
		return nil
	}
	if err := s.state.ended(s.now(), sumOf(quiet.Action(s.memory.Repo(), m.Call)), false); err != nil {
		return err
	}
	if m.Error == "" || m.Stopped || clean.Line(m.Call.Command) == "" || transcript.IsOwn(m.Call.Tool, m.Call.Command) {
		return nil
	}
	rules, err := s.memory.Rules(ctx)
	if err != nil {
		return fmt.Errorf("keep that a tool failed: %w", err)
	}
	s.state.load()
	if len(s.state.failures) >= mostFailures {
		return nil
	}
	// What is cut is masked before, since a part of a secret looks like none, and after it, since a cut may make one.
	masked := func(text string, most int) string { return rules.Public(cut(rules.Public(text), most)) }
	failed, why := transcript.Command{Failed: true}, m.Error
	if at := exitLine.FindStringSubmatchIndex(why); at != nil {
		failed.Exit, _ = strconv.Atoi(why[at[2]:at[3]])
		why = why[:at[0]] + strings.TrimLeft(why[at[1]:], ": \n")
	}
	failed.Text, failed.Output = masked(clean.Text(m.Call.Command), mostCommand), masked(clean.Text(why), mostReason)
	line, err := json.Marshal(failed)
	if err != nil {
		return fmt.Errorf("keep that a tool failed: %w", err)
	}
	return s.state.append("failed - " + string(line) + "\n")
}

// Failures are the commands of the session that failed.
func (s *Session) Failures() []transcript.Command {
	s.state.load()
	return s.state.failures
}

// cut leaves out the end of a long text.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most]) + "…"
}
