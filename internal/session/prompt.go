package session

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// The bounds of a prompt and of its answer.
const (
	mostHits   = 3
	lookedAt   = 12  // hits, of which some were told before
	leastWords = 2   // of a prompt that is answered
	mostWords  = 40  // of a prompt that are asked for
	leastMet   = 2   // words that a hit has to meet
	leastMeant = 0.5 // of the relevance of a hit
)

// prompt tells what is known about what a person asked for: the best that the session was not told yet.
func (s *Session) prompt(ctx context.Context) (told, error) {
	words := asked(s.moment.Prompt)
	if len(words) < leastWords && !slices.ContainsFunc(words, isName) {
		return nil, nil
	}
	answer, err := s.recall.Find(ctx, recall.Query{Text: strings.Join(words, " "), Limit: lookedAt, Reading: replay.Unasked, OnlyKnown: true})
	if err != nil {
		return nil, err
	}
	found := unsaid(s, filtered(answer.Found, plain), func(f recall.Found) string { return key(string(f.Entry.ID), f.Item.Place) })
	if len(found) == 0 {
		return nil, nil
	}
	told := s.recall.Tell(recall.Answer{Found: found[:min(mostHits, len(found))]}, replay.Unasked)
	told.Nonce, err = briefing.Nonce(s.draw)
	return hits{told}, err
}

// asked are the words of a prompt that say something. A command of the host asks for nothing.
func asked(prompt string) []string {
	if isCommand(prompt) {
		return nil
	}
	var words []string
	for _, word := range deadend.Keywords(prompt) {
		// A question knows signs that a prompt does not mean.
		if word = strings.Trim(word, `-":`); word != "" && !strings.Contains(word, ":") && len(words) < mostWords {
			words = append(words, word)
		}
	}
	return words
}

// isCommand tells a command of the host, such as /compact, from a prompt that begins with a path.
func isCommand(prompt string) bool {
	name, found := strings.CutPrefix(strings.TrimSpace(prompt), "/")
	first, _, _ := strings.Cut(name, " ")
	return found && !strings.Contains(first, "/")
}

// plain tells a hit that is worth telling somebody who did not ask for it: one word of a prompt may be there by chance, unless it
// is a name.
func plain(f recall.Found) bool {
	return f.Hit.Relevance >= leastMeant && (len(f.Hit.Matched) >= leastMet || slices.ContainsFunc(f.Hit.Matched, isName))
}

// isName tells a word of programs, such as ERR_SOCKET, sync.Pool or utf8, from one of a language and from a number.
func isName(word string) bool {
	signs := strings.ContainsAny(word, "_./0123456789") || strings.ContainsFunc(word[min(1, len(word)):], unicode.IsUpper)
	return signs && strings.ContainsFunc(word, unicode.IsLetter)
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
