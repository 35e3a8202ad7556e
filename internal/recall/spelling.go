package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/words"
)

// respell says which words of a question of which nothing was found no record has, and which words of what may
// be read are near to them. Where each has exactly one, that question is answered instead.
func (r *Recall) respell(ctx context.Context, q Query, answer Answer) (Answer, error) {
	const most = 8 // words that are looked at
	var instead strings.Builder
	sure := true
	for chunk, rest := words.Next(q.Text); chunk != ""; chunk, rest = words.Next(rest) {
		word := words.Read(chunk)
		near := []string{chunk}
		if !word.IsStop() && len(word.Parts) == 1 && len(answer.Unknown) < most {
			keys, err := r.index.Near(ctx, word.Shown)
			if err != nil {
				return answer, err
			}
			if near, err = r.nearWords(ctx, q, word.Shown, keys); err != nil {
				return answer, err
			}
			if len(near) > 0 {
				answer.Unknown = append(answer.Unknown, briefing.Spelling{Word: word.Shown, Near: near})
			} else {
				near = []string{chunk}
			}
		}
		sure = sure && len(near) == 1
		instead.WriteString(near[0] + " ")
	}
	if !sure || len(answer.Unknown) == 0 {
		return answer, nil
	}
	unknown := answer.Unknown
	q.Text = strings.TrimSpace(instead.String())
	found, err := r.Find(ctx, q)
	if found.Unknown = unknown; len(found.Found) > 0 {
		found.Instead = q.Text
	}
	return found, err
}

// nearWords are the words of what may be read that have one of some keys and are nearest to a word.
func (r *Recall) nearWords(ctx context.Context, q Query, word string,
	keys []string,
) (near []string, err error) {
	least := index.MostEdits(word)
	for _, key := range keys {
		asked := q
		asked.Text, asked.Limit = key, 3
		answer, err := r.Find(ctx, asked)
		if err != nil {
			return nil, err
		}
		for _, f := range answer.Found {
			for w := range words.All(f.Item.Text + "\n" + f.Item.Why) {
				if !slices.Contains(w.Parts, key) || len(w.Shown) > len(word)+least || slices.Contains(near, w.Shown) {
					continue
				}
				edits := words.CountEdits(word, w.Shown)
				if edits > least {
					continue
				}
				if edits < least {
					least, near = edits, nil
				}
				near = append(near, w.Shown)
			}
		}
	}
	slices.Sort(near)
	return near[:min(len(near), 3)], nil
}

// SpellingText says which words no record has and what is near to them; "" where nothing is to be said.
func (a Answer) SpellingText() string {
	var all []string
	for _, s := range a.Unknown {
		text := fmt.Sprintf("no record has %q", s.Word)
		if a.Instead == "" {
			text += fmt.Sprintf("; did you mean %q?", strings.Join(s.Near, `" or "`))
		}
		all = append(all, text)
	}
	text := strings.ReplaceAll(strings.Join(all, ", and "), `\"`, `"`)
	if a.Instead != "" {
		text += fmt.Sprintf(": this answers %q", a.Instead)
	}
	return text
}
