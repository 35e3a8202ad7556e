package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type recallOptions struct {
	command.Question

	WhyNot  string
	Explain bool
}

// outOfBounds says which bounds of an answer are none.
func (o recallOptions) outOfBounds() (problems []error) {
	if o.Limit < 1 {
		problems = append(problems, errors.New("--limit takes a number above 0"))
	}
	if o.Budget < 0 {
		problems = append(problems, errors.New("--budget takes a number of characters, 0 for no bound"))
	}
	return problems
}

func runRecall(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall,
	o recallOptions, args []string,
) error {
	if len(args) == 0 && o.Path != "" && !o.Narrows() && o.WhyNot == "" {
		return runWhy(ctx, e, m, r, o, []string{o.Path})
	}
	if len(args) == 0 {
		return usagef("git ltm recall needs QUERY..., or --path PATH alone")
	}
	o.Query = strings.Join(args, " ")
	q, err := o.Words(e.now())
	if err := usage(append(wrongInput(e, err), o.outOfBounds()...)); err != nil {
		return err
	}
	if o.WhyNot != "" {
		q.Path = m.Repo().PathIn(q.Path)
		return explainMisses(ctx, e, m, r, q, o.WhyNot)
	}
	return answerQuestion(ctx, e, m, r, o, "meets the words", "")
}

// answerQuestion prints what is known, about a place or what was asked. What nearly answered is said where nothing
// does.
func answerQuestion(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall, o recallOptions,
	nearly, about string,
) error {
	answer, err := o.Find(ctx, m, r, e.now())
	if wrong := wrongInput(e, err); wrong != nil {
		return usage(wrong)
	}
	if err != nil {
		return err
	}
	told := r.Tell(answer, replay.Asked)
	if told.Nonce, err = briefing.Nonce(e.entropy); err != nil {
		return err
	}
	told.Budget, told.Explain = o.Budget, o.Explain
	switch {
	case e.asJSON:
		var data []byte
		if data, err = told.JSON(); err == nil {
			_, err = e.stdout.Write(data)
		}
	case len(told.Known) == 0:
	case e.forPerson() && !e.isGiven("budget"): // A budget counts the form of agents.
		p := e.newPage(ctx, m)
		told.Person(p)
		err = e.showPage(ctx, p)
	default:
		text := told.Markdown()
		if text == "" {
			e.hintf("nothing of the %d answers fits into %d characters; --budget allows more",
				len(told.Known), o.Budget)
		}
		_, err = io.WriteString(e.stdout, text)
	}
	if err != nil || len(answer.Found) > 0 {
		return err
	}
	if o.Trusted {
		tellUntrusted(ctx, e, r)
	}
	const most = 3
	for _, out := range answer.Out[:min(len(answer.Out), most)] {
		e.hintf("%s %s and is no answer: %s", out.Hit.ID, nearly, out.Why)
	}
	if o.Query == "" { // A packet that only names it says nothing about it.
		path, _, _ := strings.Cut(o.Path, ":")
		e.hintf("'git ltm ls --path %[1]s' lists records that name it, and 'git ltm recall %[1]s' those that speak of it",
			reply.Word(path))
	}
	if about = e.printable(about); about == "" {
		return fmt.Errorf("nothing known about that: %w", replay.ErrNotFound)
	}
	return fmt.Errorf("nothing known about %q: %w", about, replay.ErrNotFound)
}

// askMemory opens the memory and makes it ready for questions.
func (e *env) askMemory(ctx context.Context, do func(*memory.Memory, *recall.Recall) error) error {
	return e.useMemory(ctx, func(m *memory.Memory) (err error) {
		r := recall.Open(ctx, m, recall.Options{Now: e.now})
		defer func() { err = errors.Join(err, r.Close()) }()
		if err = do(m, r); r.Slow() != "" {
			e.warnf("there is no index to keep, so that every record was read: %s", r.Slow())
		}
		return err
	})
}

// explainMisses says of each item of a record what keeps it from the answers.
func explainMisses(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall, q recall.Query,
	spec string,
) error {
	entry, of, err := m.FindAnyWide(ctx, spec)
	if err != nil {
		return err
	}
	e.fromUser(m, of, entry)
	reasons, err := r.WhyNot(ctx, q, entry.ID)
	if err != nil {
		return err
	}
	for _, reason := range reasons {
		place := string(entry.ID)
		if reason.Place != "" {
			place += " " + reason.Place
		}
		e.printf("%s: %s\n", place, e.printable(reason.Why))
	}
	return nil
}

func runWhy(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall,
	o recallOptions, args []string,
) error {
	if err := usage(o.outOfBounds()); err != nil {
		return err
	}
	o.Path = filepath.ToSlash(args[0])
	return answerQuestion(ctx, e, m, r, o, "is about it", args[0])
}
