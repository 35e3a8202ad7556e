package session

import (
	"context"
	_ "embed"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/words"
)

// mostHits is how much is told at a prompt.
const mostHits = 3

// How much evidence is enough at a prompt, by what it asks for; of a question [recall.Sure].
const (
	enoughOfWork = 0.85
	// Of texts, looks and order there is seldom something to say; what was pasted meets much by chance.
	enoughOfChore = 1.05
)

// tellPrompt tells what is known about what a person asked for and pasted with it: the best that the
// session was not told yet. Of a question more is wanted, since most that is told of one is beside it.
func (s *Session) tellPrompt(ctx context.Context) ([]byte, error) {
	if strings.HasPrefix(s.moment.Prompt, briefing.Said) {
		return nil, nil // Hosts hand what a hook of a stop said to the hook of a prompt.
	}
	asked, pasted := splitPasted(s.moment.Prompt)
	least := enoughFor(asked)
	if pasted != "" {
		least = max(least, enoughOfChore)
	}
	found, err := s.findKnown(ctx, asked+" "+tellingWords(pasted), least)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	a := s.recall.Tell(recall.Answer{Found: found}, replay.Unasked)
	if a.Nonce, err = briefing.Nonce(s.draw); err != nil {
		return nil, err
	}
	return telling[briefing.Ranked]{
		a.Known, func(k briefing.Ranked) string { return keyOf(k.Known) },
		func(some []briefing.Ranked, budget int) ([]briefing.Ranked, string) {
			a.Known, a.Budget = some, budget
			fit := a.Fit()
			fit.More = 0 // Nobody asked for more.
			return fit.Known, fit.Markdown()
		},
	}.answerOnce(s)
}

// findKnown returns what is known about some words and was not told yet, where any of it has enough evidence:
// beside that one, what is near costs little.
func (s *Session) findKnown(ctx context.Context, text string, least float64) ([]recall.Found, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	enough := func(h index.Hit) bool { return h.Evidence > least || h.Full && h.Evidence > recall.Likely }
	answer, err := s.recall.Find(ctx, recall.Query{
		Query: index.Query{Text: text, Limit: mostHits}, Reading: replay.Unasked, One: enough,
		Only: func(h index.Hit) bool {
			return h.Evidence > recall.Nearby && recall.Informs(h.Kind) &&
				!s.state.wasTold(keyAt(h.ID, h.Place))
		},
	})
	if !slices.ContainsFunc(answer.Found, func(f recall.Found) bool { return enough(f.Hit) }) {
		return nil, err
	}
	return answer.WithoutEchoes().Found, err
}

// promptTable is the words by which [enoughFor] tells prompts apart.
//
//go:embed prompts.txt
var promptTable string

// enoughFor is how much evidence is enough for what is asked. What asks for an answer is as likely met by what
// is beside it; who asks why wants it mended.
func enoughFor(asked string) float64 {
	lists := words.NewTable(promptTable)
	asked = strings.ReplaceAll(strings.ToLower(asked), "’", "'")
	first := strings.FieldsFunc(asked+" ", func(c rune) bool { return c == ' ' || c == '\'' })
	asks := lists.Has("interrogatives", strings.Join(first[:min(1, len(first))], ""))
	last := strings.TrimSpace(asked[1+strings.LastIndexAny(strings.TrimRight(asked, ".!?"), ".!?\n"):])
	if !strings.HasPrefix(last, "why ") &&
		(asks || strings.HasSuffix(asked, "?") && !strings.Contains(last, " you ")) {
		return recall.Sure
	}
	chores := map[string]bool{}
	for _, word := range lists.List("chores") {
		chores[words.Key(word)] = true
	}
	for word := range words.All(asked) {
		if chores[words.Key(word.Shown)] {
			return enoughOfChore
		}
	}
	return enoughOfWork
}

// isCommand tells a command of the host, such as /compact, from a prompt that begins with a path.
func isCommand(prompt string) bool {
	name, found := strings.CutPrefix(strings.TrimSpace(prompt), "/")
	first, _, _ := strings.Cut(name, " ")
	return found && !strings.Contains(first, "/")
}
