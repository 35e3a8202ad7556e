package session

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// The bounds of what is kept of tools that failed.
const (
	mostFailures = 40
	mostCommand  = 300 // characters
	mostReason   = 700
)

// Failed keeps that a tool failed, for the draft at the end of the session. A tool that a person ended did not fail, and our own
// commands tell of themselves.
func (s *Session) Failed(ctx context.Context) error {
	m := s.moment
	if transcript.HeldBack(m.Error) {
		return nil
	}
	if err := s.state.didNotWork(s.now(), sumOf(quiet.Action(s.memory.Repo(), m.Call))); err != nil {
		return err
	}
	what := strings.Join(append([]string{m.Call.Command}, m.Call.Paths...), " ")
	if m.Error == "" || m.Stopped || strings.TrimSpace(what) == "" || transcript.IsOwn(m.Call.Tool, m.Call.Command) {
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
	kept := cut(clean.Line(rules.Public(what)), mostCommand) + " :: " + cut(clean.Line(rules.Public(strings.ReplaceAll(m.Error, "\n", "; "))), mostReason)
	return s.state.append("failed - " + strconv.Quote(rules.Public(kept)) + "\n")
}

// Failures are the tools of the session that failed: what was done, and why it did not work, with " :: " between them.
func (s *Session) Failures() []string {
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
