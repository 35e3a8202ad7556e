package web

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// The bounds of a question.
const (
	mostAsked   = 400 // characters of it
	mostAnswers = 25
	mostOut     = 5 // of what a gate kept out
)

// answer is a page of what is known about some words.
type answer struct {
	Asked   bool
	Results []result
	More    int
	Out     []out
}

// A result is one thing that a record says, and why it is an answer.
type result struct {
	card
	What  string // the kind of the thing: decision, attempt, pitfall, ...
	Why   string
	Met   string // the words of the question that it meets
	Score int    // of 100
}

// An out is a record that nearly was an answer.
type out struct{ Short, Href, Why string }

func (s *shelf) recallView(ctx context.Context, question string) (view, error) {
	question = cut(question, mostAsked)
	v := view{template: "recall", title: "Recall", tab: recallName, question: question}
	if !strings.ContainsFunc(question, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }) {
		v.body = answer{}
		return v, nil
	}
	a, err := s.ask(ctx, question)
	v.body = a
	return v, err
}

// ask asks the memory. A page counts no use of what it shows: only who reads a record to work with it uses it.
func (s *shelf) ask(ctx context.Context, question string) (a answer, err error) {
	r, err := recall.Open(ctx, s.memory, recall.Options{Now: func() time.Time { return s.now }})
	if err != nil {
		return answer{}, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	found, err := r.Find(ctx, recall.Query{Text: question, Limit: mostAnswers})
	if err != nil {
		return answer{}, err
	}
	told := r.Tell(found, replay.Asked)
	a = answer{Asked: true, More: told.More}
	for i, k := range told.Known {
		a.Results = append(a.Results, s.result(k, found.Found[i]))
	}
	for _, o := range found.Out[:min(len(found.Out), mostOut)] {
		id := packet.ID(o.Hit.ID)
		a.Out = append(a.Out, out{short(id), s.href(id), s.public(o.Why)})
	}
	return a, nil
}

// result is one answer as the page shows it.
func (s *shelf) result(k briefing.Ranked, f recall.Found) result {
	x := exhibit{Shown: f.Entry, content: f.Entry.Content(), cites: f.Cites}
	text, _ := k.Text.For(replay.Asked)
	why, _ := k.Why.For(replay.Asked)
	r := result{
		card: s.card(x), What: strings.ReplaceAll(clean.Line(k.Kind), "_", " "), Why: cut(strings.ReplaceAll(why, "\n", " · "), titleColumns+secondColumns),
		Score: min(100, int(k.Score*100+0.5)),
	}
	r.Title = cut(text, titleColumns+secondColumns)
	var met []string
	for _, word := range k.Met {
		met = append(met, clean.Line(word))
	}
	slices.Sort(met)
	r.Met = strings.Join(slices.Compact(met), ", ")
	if f.Item.Locked {
		r.Marks = append([]mark{{plain, "locked", "it is not to be reopened"}}, r.Marks...)
	}
	if f.Item.Failed {
		r.Marks = append([]mark{{bad, "did not work", ""}}, r.Marks...)
	}
	return r
}
