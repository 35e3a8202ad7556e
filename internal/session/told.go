package session

import (
	"cmp"
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

// telling is what may be told at a moment: some things, each with a key.
type telling[T any] struct {
	all []T
	key func(T) string
	// writes those of some things that fit some characters, and says which these are
	write func(some []T, budget int) (kept []T, text string)
}

// answerOnce writes what fits the host, and notes that it is told. Of processes that tell the same at once,
// one does. Where nothing can be noted, as on a full disk, what came of words of a prompt is not told, since it
// would come again with each; a start is, and what a call is about to run into.
func (t telling[T]) answerOnce(s *Session) ([]byte, error) {
	budget := map[agent.Event]int{agent.SessionStart: startBudget, agent.Prompt: promptBudget}[s.moment.Event]
	for budget = cmp.Or(budget, warningBudget); budget >= leastBudget && len(t.all) > 0; budget /= 2 {
		kept, text := t.write(t.all, budget)
		answer, err := s.encodeAnswer(text)
		if errors.Is(err, agent.ErrTooLong) {
			continue // The host would cut it.
		}
		if err != nil || len(kept) == 0 {
			return nil, err
		}
		mine, err := t.claim(s, kept)
		switch {
		case err != nil && s.moment.Event != agent.Prompt, len(mine) == len(kept):
			return answer, nil
		case err != nil || len(mine) == 0:
			return nil, err
		}
		_, text = t.write(mine, budget)
		return s.encodeAnswer(text)
	}
	return nil, nil
}

// claim notes that this process tells some things, and returns those that no other tells.
func (t telling[T]) claim(s *Session, some []T) ([]T, error) {
	keys := make([]string, len(some))
	for i, one := range some {
		keys[i] = t.key(one)
	}
	mine, err := s.state.claimKeys(keys, s.draw)
	return filterItems(some, func(one T) bool { return slices.Contains(mine, t.key(one)) }), err
}

func (s *Session) encodeAnswer(text string) ([]byte, error) {
	return s.moment.Host.Answer(s.moment.Event, text+s.also)
}
