package session

import (
	"errors"
	"slices"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// The characters of what is told. Agents read it at every start, prompt and call, beside all else that they
// are told.
const (
	startBudget   = 3000
	promptBudget  = 1500
	warningBudget = 900
	leastBudget   = 300 // below it nothing is told
)

// told is something to be told, made of things that each have a key.
type told interface {
	Markdown() string
	keys() []string
	within(budget int) told                 // what of it fits some characters
	only(wanted func(key string) bool) told // some of its things
}

// fitted writes what fits the host, and notes that it is told. Of processes that tell the same at once, one
// does. Where nothing can be noted, a start is told all the same, which comes once; what comes at every
// prompt and call is not.
func (s *Session) fitted(all told) ([]byte, error) {
	t, err := s.fit(all)
	if err != nil || t == nil {
		return nil, err
	}
	mine, err := s.state.claim(t.keys(), s.draw)
	if err != nil && s.moment.Event == agent.SessionStart {
		mine, err = t.keys(), nil
	}
	if err != nil || len(mine) == 0 {
		return nil, err
	}
	return s.write(t.only(func(key string) bool { return slices.Contains(mine, key) }))
}

// fit leaves out what the host would cut; nil where nothing fits.
func (s *Session) fit(all told) (told, error) {
	for budget := s.budget(); budget >= leastBudget; budget /= 2 {
		t := all.within(budget)
		_, err := s.write(t)
		if errors.Is(err, agent.ErrTooLong) {
			continue
		}
		if err != nil || len(t.keys()) == 0 {
			return nil, err
		}
		return t, nil
	}
	return nil, nil
}

func (s *Session) write(t told) ([]byte, error) {
	return s.moment.Host.Answer(s.moment.Event, t.Markdown()+s.also)
}

// budget is how many characters this moment is told at most.
func (s *Session) budget() int {
	switch s.moment.Event {
	case agent.SessionStart:
		return startBudget
	case agent.Prompt:
		return promptBudget
	default:
		return warningBudget
	}
}
