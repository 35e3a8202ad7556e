package session

import (
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// mostHits is how much is told at a prompt.
const mostHits = 3

// prompt tells what is surely known about what a person asked for, and about what was pasted with it: the best that the session was
// not told yet.
func (s *Session) prompt(ctx context.Context) (told, error) {
	if isCommand(s.moment.Prompt) || strings.HasPrefix(s.moment.Prompt, briefing.Said) {
		return nil, nil // Hosts hand what a hook of a stop said to the hook of a prompt.
	}
	asked, pasted := apart(s.moment.Prompt)
	found, err := s.known(ctx, asked, nil)
	if err == nil && len(found) < mostHits {
		found, err = s.known(ctx, namesFirst(pasted), found)
	}
	if err != nil || len(found) == 0 {
		return nil, err
	}
	told := s.recall.Tell(recall.Answer{Found: found[:min(mostHits, len(found))]}, replay.Unasked)
	told.Nonce, err = briefing.Nonce(s.draw)
	return hits{told}, err
}

// known adds what is known about some words, and was not told yet, to what was found already.
func (s *Session) known(ctx context.Context, text string, found []recall.Found) ([]recall.Found, error) {
	if text == "" {
		return found, nil
	}
	answer, err := s.recall.Find(ctx, recall.Query{
		Text: text, Plain: true, Limit: mostHits, Reading: replay.Unasked,
		Only: func(h index.Hit) bool {
			again := func(other recall.Found) bool { return other.Hit.ID == h.ID && other.Hit.Place == h.Place }
			return recall.IsSure(h) && recall.Informs(h.Kind) && !s.state.told(key(h.ID, h.Place)) && !slices.ContainsFunc(found, again)
		},
	})
	return append(found, answer.Found...), err
}

// isCommand tells a command of the host, such as /compact, from a prompt that begins with a path.
func isCommand(prompt string) bool {
	name, found := strings.CutPrefix(strings.TrimSpace(prompt), "/")
	first, _, _ := strings.Cut(name, " ")
	return found && !strings.Contains(first, "/")
}

// hits are answers to be told.
type hits struct{ briefing.Answer }

func (h hits) within(budget int) told {
	h.Budget = budget
	h.Answer = h.Fit()
	h.More = 0 // Nobody asked for more.
	return h
}

func (h hits) keys() []string {
	return keysOf(h.Known, func(k briefing.Ranked) string { return keyOf(k.Known) })
}

func (h hits) only(wanted func(string) bool) told {
	h.Known = filtered(h.Known, func(k briefing.Ranked) bool { return wanted(keyOf(k.Known)) })
	return h
}
