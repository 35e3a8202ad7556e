package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/aymanbagabas/go-osc52/v2"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clipboard"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
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
func (o recallOptions) outOfBounds() (wrong refusals) {
	wrong.when(o.Limit < 1, "--limit takes a number above 0")
	wrong.when(o.Budget < 0, "--budget takes a number of characters, 0 for no bound")
	return wrong
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
	if text := answer.SpellingText(); text != "" && !e.asJSON {
		e.hint(text)
	}
	switch {
	case e.asJSON:
		err = e.writeOut(told.JSON())
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
		e.hintf("'git ltm ls --path %s' lists records that name it", reply.Word(path))
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
	cite := command.ParseCite(o.Path)
	if beyond := reply.BeyondEnd(m.Repo(), m.Repo().PathIn(cite.Path), cite.Line, cite.EndLine); beyond != "" {
		e.warnf("there is no %s", beyond)
	}
	return answerQuestion(ctx, e, m, r, o, "is about it", args[0])
}

type resumeOptions struct {
	contextOptions
	Copy, Latest, NoThread bool
}

func (o resumeOptions) check() error {
	var wrong refusals
	wrong.when(o.Budget < -1, "--budget takes a number of characters, 0 for no bound")
	wrong.when(!slices.Contains([]string{"md", "json", "dsl"}, o.Format), "--format is md, json or dsl")
	return usage(wrong)
}

func runResume(ctx context.Context, e *env, m *memory.Memory, o resumeOptions, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	var chosen replay.Choice
	var of *memory.Memory
	picked, err := false, errNoPick
	if len(args) == 0 && !o.Latest && e.canAsk() && !e.isGiven("format") { // A format is for a program.
		chosen.Entry, picked, err = pickPacket(ctx, e, m)
		if of = m.User(ctx); of == nil || chosen.Entry.Store != replay.OfUser {
			of = m
		}
	}
	switch {
	case !errors.Is(err, errNoPick):
		if err != nil || !picked {
			return err
		}
	case len(args) > 0:
		chosen.Entry, of, err = m.FindWide(ctx, args[0])
	default:
		chosen, of, err = m.ChooseWide(ctx, o.reading())
	}
	if errors.Is(err, replay.ErrNotFound) && len(args) == 0 { // It is no error to begin.
		e.hint("there is nothing to resume yet; 'git ltm save' stores where you are, and 'git ltm sync' " +
			"brings what a remote holds")
		known, err := reply.List(ctx, m, []replay.Query{{Kind: packet.KindNote}, {Kind: packet.KindSkip}},
			replay.Asked, 1)
		if err == nil && len(known) > 0 {
			e.hint("there are notes, skips or tasks: 'git ltm context' shows them")
		}
		if e.asJSON {
			_, err = io.WriteString(e.stdout, "null\n")
		}
		return err
	}
	if err != nil {
		return err
	}
	entry := chosen.Entry
	e.fromUser(m, of, entry)
	if who := reply.Whose(ctx, m, replay.Choice{Entry: chosen.Newer}, e.now()); who != "" {
		e.hintf("this thread is yours; there is a newer one of this branch %s: git ltm resume %s", who,
			chosen.Newer.ID)
	}
	if chosen.Beside.ID != "" {
		e.hintf("another thread of yours is open on this branch: git ltm resume %s", briefing.ShortID(chosen.Beside.ID))
	}
	if n := chosen.PassedOver; n > 0 && !o.Trusted {
		e.hintf("%d that are withheld were passed over: 'git ltm verify' says why", n)
	}
	b, err := makeBriefing(ctx, e, of, o, entry)
	if err != nil {
		return err
	}
	if o.Copy {
		block, err := writeBriefing(e, b, o.Format)
		if err != nil {
			return err
		}
		copyBlock(ctx, e, block, entry)
	} else if picked {
		defer e.hint("to put the block for the next session on the clipboard: git ltm resume " +
			briefing.ShortID(entry.ID) + " --copy")
	}
	return printBriefing(ctx, e, of, b, o.Format)
}

// printBriefing prints a briefing, for a person in the form for people.
func printBriefing(ctx context.Context, e *env, m *memory.Memory, b briefing.Briefing, format string) error {
	if format == "md" && e.forPerson() {
		p := e.newPage(ctx, m)
		b.Person(p)
		defer e.hint("'git ltm context' shows the notes, skips and tasks, too")
		return e.showPage(ctx, p)
	}
	block, err := writeBriefing(e, b, format)
	return e.writeOut([]byte(block), err)
}

// makeBriefing is the briefing of a packet, unless its signature or policy forbids.
func makeBriefing(ctx context.Context, e *env, m *memory.Memory, o resumeOptions,
	entry replay.Entry,
) (briefing.Briefing, error) {
	budget := sync.OnceValues(func() (int, error) { return briefingBudget(ctx, m, o.contextOptions) })
	go func() { _, _ = budget() }() // Git answers while the thread is read.
	b, err := recall.Brief(ctx, m, entry,
		recall.BriefOptions{Reading: o.reading(), Alone: o.NoThread, Now: e.now()})
	if err != nil {
		return b, err
	}
	if entry.Life.Retracted {
		e.warnf("packet %s was retracted; 'git ltm show --events %s' says why", entry.ID, entry.ID)
	}
	if entry.Conflict {
		e.warnf("a remote holds another record under the id %s; this is the one of this clone", entry.ID)
	}
	if b.Nonce, err = briefing.Nonce(e.entropy); err != nil {
		return b, err
	}
	if b.Budget, err = budget(); err != nil {
		return b, err
	}
	recall.Used(m, e.now(), entry.ID)
	return b, nil
}

// writable is what has three forms.
type writable interface {
	JSON() ([]byte, error)
	DSL() string
	Markdown() string
}

// writeAs is the form of a briefing or a context that was asked for.
func writeAs(v writable, format string) (string, error) {
	switch format {
	case "json":
		data, err := v.JSON()
		return string(data), err
	case "dsl":
		return v.DSL(), nil
	default:
		return v.Markdown(), nil
	}
}

// writeBriefing refuses a bound on the command line that even the least there is to say does not keep.
func writeBriefing(e *env, b briefing.Briefing, format string) (string, error) {
	text, err := writeAs(b, format)
	if n := utf8.RuneCountInString(text); err == nil && e.isGiven("budget") && b.Budget > 0 && n > b.Budget {
		err = &usageError{
			fmt.Errorf("--budget: the least to say of this packet has %d characters, more than %d", n, b.Budget),
			fmt.Sprintf("'git ltm context --budget %d' prints what fits of all that is known", b.Budget),
		}
	}
	return text, err
}

// briefingBudget is the bound of the flag, of ltm.budget, or the default.
func briefingBudget(ctx context.Context, m *memory.Memory, o contextOptions) (int, error) {
	if o.Budget >= 0 {
		return o.Budget, nil
	}
	return command.Budget(ctx, m)
}

type contextOptions struct {
	Budget  int
	Format  string
	Trusted bool
}

// reading is why records are read.
func (o contextOptions) reading() replay.Reading {
	return command.Question{Trusted: o.Trusted}.Reading()
}

func runContext(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall,
	o contextOptions, _ []string,
) error {
	if err := (resumeOptions{contextOptions: o}).check(); err != nil {
		return err
	}
	c, err := r.Context(ctx, o.reading())
	if err != nil {
		return err
	}
	if c.Nonce, err = briefing.Nonce(e.entropy); err != nil {
		return err
	}
	if c.Budget, err = briefingBudget(ctx, m, o); err != nil {
		return err
	}
	if o.Format == "md" && e.forPerson() && !e.isGiven("budget") && len(c.Known) > 0 {
		p := e.newPage(ctx, m)
		c.Person(p)
		return e.showPage(ctx, p)
	}
	text, err := writeAs(c, o.Format)
	if err != nil {
		return err
	}
	skips := func(all []briefing.Known) (n int) {
		for _, k := range all {
			if k.Kind == string(packet.KindSkip) {
				n++
			}
		}
		return n
	}
	switch {
	case text != "":
		if left := skips(c.Known) - skips(c.Fit().Known); left > 0 && o.Format == "md" {
			e.hintf("%s did not fit into %d characters; --budget allows more",
				command.Counted(left, "\"do not\""), c.Budget)
		}
	case len(c.Known) > 0:
		e.hintf("nothing of what is known fits into %d characters; --budget allows more", c.Budget)
	default:
		if o.Trusted && tellUntrusted(ctx, e, r) {
			break
		}
		e.hint("nothing is known here yet; 'git ltm note' and 'git ltm save' write something down")
	}
	_, err = io.WriteString(e.stdout, text)
	return err
}

// maxOSC52 is the number of bytes that common terminals take in one sequence.
const maxOSC52 = 74994

// copyBlock puts a block on the clipboard, or asks the terminal to, and says so.
func copyBlock(ctx context.Context, e *env, block string, entry replay.Entry) {
	err := clipboard.Copy(ctx, block, e.vars, e.getenv)
	if err == nil {
		e.hint("the resume block of " + string(entry.ID) +
			" is on the clipboard; paste it into the next session")
		return
	}
	if !errors.Is(err, clipboard.ErrNone) {
		e.warnf("%v", err)
	}
	prints := "'git ltm resume " + string(entry.ID) + " --agent' prints the block to copy"
	name, _ := e.getenv("TERM")
	if !e.isTerminal(e.stderr) || name == "" || name == "dumb" || len(block) > maxOSC52 {
		e.warnf("there is no clipboard here")
		if e.forPerson() {
			e.hint(prints)
		}
		return
	}
	sequence := osc52.New(block)
	if _, tmux := e.getenv("TMUX"); tmux {
		sequence = sequence.Tmux()
	}
	if _, err := io.WriteString(e.stderr, sequence.String()); err == nil {
		e.hint("the terminal was asked to copy the block of " + string(entry.ID) + "; if it did not, " + prints)
	}
}
