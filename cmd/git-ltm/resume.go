package main

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/aymanbagabas/go-osc52/v2"
	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clipboard"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type resumeOptions struct {
	copy, noCopy, latest, noThread bool
	trusted                        onlyTrusted
	budget                         int
	format                         string
}

func newResume(e *env) *cobra.Command {
	var o resumeOptions
	cmd := &cobra.Command{
		Use:   "resume [ID]",
		Short: "Print what the next session should read",
		Long: "Resume prints one packet as a block for the next session: the goal, what is settled, what failed, and the first\n" +
			"action, with the locked decisions and failed attempts of the packets it continues.\n\n" +
			"Without ID it takes your own newest packet of this branch, else the newest there, else the one saved nearest in this\n" +
			"history, else the newest. Open threads come before closed ones. A hint names a newer one of somebody else.\n" +
			"On a terminal it lets you pick one, prints it for people, and puts the block for the next session on the clipboard;\n" +
			"--agent prints that block.\n\n" +
			"An ID is a ULID, a unique part of one from its start or end, the id that a packet brought along, @ for the newest\n" +
			"of this branch, or @{N} for the Nth before it.\n\n" +
			"A packet that is not trusted here is labelled UNVERIFIED. With ltm.requireSigned = true it is withheld, and a bad\n" +
			"or revoked signature withholds it always: see 'git ltm verify'. A hook that nobody asked takes --trusted.",
		Example: "  git ltm resume\n  git ltm resume @{1}\n  git ltm resume 01JDMB4W --format json",
		RunE:    func(cmd *cobra.Command, args []string) error { return runResume(cmd.Context(), e, o, args) },
	}
	f := cmd.Flags()
	f.BoolVar(&o.copy, "copy", false, "put the block on the clipboard too")
	f.BoolVar(&o.noCopy, "no-copy", false, "print the block after picking, and leave the clipboard alone")
	f.BoolVar(&o.latest, "latest", false, "take the best packet without asking")
	f.BoolVar((*bool)(&o.trusted), "trusted", false,
		"only what this clone made or a trusted key signed, for hooks that nobody asked")
	e.agentFlag(f)
	f.BoolVar(&o.noThread, "no-thread", false, "leave out what earlier packets of the thread settled")
	f.IntVar(&o.budget, "budget", -1, "at most `N` characters; 0 is no bound (default: ltm.budget, or 8000)")
	f.StringVar(&o.format, "format", "md", "`FORMAT`: md, json or dsl")
	return cmd
}

func (o resumeOptions) check() error {
	var problems []error
	if o.copy && o.noCopy {
		problems = append(problems, errors.New("--copy and --no-copy exclude each other"))
	}
	if o.budget < -1 {
		problems = append(problems, errors.New("--budget takes a number of characters, 0 for no bound"))
	}
	switch o.format {
	case "md", "json", "dsl":
	default:
		problems = append(problems, errors.New("--format is md, json or dsl"))
	}
	return usage(problems)
}

func runResume(ctx context.Context, e *env, o resumeOptions, args []string) error {
	if err := o.check(); err != nil {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error {
		if len(args) == 0 && !o.latest && e.interactive() {
			return resumePicked(ctx, e, m, o)
		}
		chosen, of, err := selectPacket(ctx, e, m, o, args)
		if err != nil {
			return err
		}
		entry := chosen.Entry
		e.fromUser(m, of, entry)
		if who := reply.Whose(ctx, m, replay.Choice{Entry: chosen.Newer}, e.now()); who != "" {
			e.hintf("this thread is yours; there is a newer one of this branch %s: git ltm resume %s", who,
				chosen.Newer.ID)
		}
		if n := chosen.PassedOver; n > 0 && !o.trusted {
			e.hintf("%d that are withheld were passed over: 'git ltm verify' says why", n)
		}
		b, err := makeBriefing(ctx, e, of, o, entry)
		if err != nil {
			return err
		}
		if o.copy {
			block, err := write(b, o.format)
			if err != nil {
				return err
			}
			copyBlock(ctx, e, block, entry)
		}
		return printBriefing(ctx, e, of, b, o.format)
	})
}

// selectPacket returns the packet that was asked for, or the best, and the memory that it is of.
func selectPacket(ctx context.Context, e *env, m *memory.Memory, o resumeOptions,
	args []string,
) (c replay.Choice, of *memory.Memory, err error) {
	if len(args) > 0 {
		c.Entry, of, err = m.FindWide(ctx, args[0])
		return c, of, err
	}
	return m.ChooseWide(ctx, o.trusted.reading())
}

// resumePicked lets the person pick, and copies what was picked.
func resumePicked(ctx context.Context, e *env, m *memory.Memory, o resumeOptions) error {
	entry, ok, err := pickPacket(ctx, e, m)
	if err != nil || !ok {
		return err
	}
	if user := m.User(ctx); user != nil && entry.Store == replay.OfUser {
		m = user
	}
	b, err := makeBriefing(ctx, e, m, o, entry)
	if err != nil {
		return err
	}
	block, err := write(b, o.format)
	if err != nil {
		return err
	}
	if !o.noCopy && copyBlock(ctx, e, block, entry) && !e.forPerson() {
		return nil
	}
	return printBriefing(ctx, e, m, b, o.format)
}

// printBriefing prints a briefing, for a person in the form for people.
func printBriefing(ctx context.Context, e *env, m *memory.Memory, b briefing.Briefing, format string) error {
	if format == "md" && e.forPerson() {
		p := e.sheet(ctx, m)
		b.Person(p)
		return e.showPage(ctx, p)
	}
	block, err := write(b, format)
	if err == nil {
		_, err = io.WriteString(e.stdout, block)
	}
	return err
}

// makeBriefing is the briefing of a packet, unless its signature or policy forbids.
func makeBriefing(ctx context.Context, e *env, m *memory.Memory, o resumeOptions,
	entry replay.Entry,
) (briefing.Briefing, error) {
	budget := sync.OnceValues(func() (int, error) { return briefingBudget(ctx, e, m, o) })
	go func() { _, _ = budget() }() // Git answers while the thread is read.
	b, err := recall.Brief(ctx, m, entry,
		recall.BriefOptions{Reading: o.trusted.reading(), Alone: o.noThread, Now: e.now()})
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

func write(b briefing.Briefing, format string) (string, error) {
	switch format {
	case "json":
		data, err := b.JSON()
		return string(data), err
	case "dsl":
		return b.DSL(), nil
	default:
		return b.Markdown(), nil
	}
}

// briefingBudget is the bound of the flag, of ltm.budget, or the default.
func briefingBudget(ctx context.Context, e *env, m *memory.Memory, o resumeOptions) (int, error) {
	if o.budget >= 0 {
		return o.budget, nil
	}
	return command.Budget(ctx, m)
}

type contextOptions struct {
	budget  int
	format  string
	trusted onlyTrusted
}

func newContext(e *env) *cobra.Command {
	var o contextOptions
	cmd := &cobra.Command{
		Use:   "context",
		Short: "Print what a session should know now",
		Long: "Context prints what counts here and now, out of all records: skips that have not expired, open tasks, where the\n" +
			"thread of this branch stands, locked decisions, failed attempts, pitfalls, preferences and the rest. It takes what is\n" +
			"worth most for each character until the budget is spent, and counts its own marks and headings. Nothing is cut in\n" +
			"the middle, nothing is said twice.\n\n" +
			"What was retracted, archived, superseded, consolidated or closed, and what has expired, is left out. A place in the\n" +
			"code that has changed since is marked, and what cites it counts less.",
		Example: "  git ltm context\n  git ltm context --budget 3000 --format dsl\n  git ltm context --trusted",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runContext(cmd.Context(), e, o) },
	}
	f := cmd.Flags()
	f.IntVar(&o.budget, "budget", -1, "at most `N` characters; 0 is no bound (default: ltm.budget, or 8000)")
	f.StringVar(&o.format, "format", "md", "`FORMAT`: md, json or dsl")
	f.BoolVar((*bool)(&o.trusted), "trusted", false,
		"only what this clone made or a trusted key signed, for hooks that nobody asked")
	e.agentFlag(f)
	return cmd
}

func runContext(ctx context.Context, e *env, o contextOptions) error {
	if err := (resumeOptions{budget: o.budget, format: o.format}).check(); err != nil {
		return err
	}
	return e.ask(ctx, func(m *memory.Memory, r *recall.Recall) error {
		c, err := r.Context(ctx, o.trusted.reading())
		if err != nil {
			return err
		}
		if c.Nonce, err = briefing.Nonce(e.entropy); err != nil {
			return err
		}
		if c.Budget, err = briefingBudget(ctx, e, m, resumeOptions{budget: o.budget}); err != nil {
			return err
		}
		if o.format == "md" && e.forPerson() && len(c.Known) > 0 {
			p := e.sheet(ctx, m)
			c.Person(p)
			return e.showPage(ctx, p)
		}
		text, err := contextAs(c, o.format)
		if err != nil {
			return err
		}
		switch {
		case text != "":
		case len(c.Known) > 0:
			e.hintf("nothing of what is known fits into %d characters; --budget allows more", c.Budget)
		default:
			if bool(o.trusted) && tellUntrusted(ctx, e, r) {
				break
			}
			e.hint("nothing is known here yet; 'git ltm note' and 'git ltm save' write something down")
		}
		_, err = io.WriteString(e.stdout, text)
		return err
	})
}

func contextAs(c briefing.Context, format string) (string, error) {
	switch format {
	case "json":
		data, err := c.JSON()
		return string(data), err
	case "dsl":
		return c.DSL(), nil
	default:
		return c.Markdown(), nil
	}
}

// maxOSC52 is the number of bytes that common terminals take in one sequence.
const maxOSC52 = 74994

// copyBlock puts a block on the clipboard, or asks the terminal to. It tells
// whether it did; if not, the block is to be printed.
func copyBlock(ctx context.Context, e *env, block string, entry replay.Entry) bool {
	err := clipboard.Copy(ctx, block, e.getenv)
	if err == nil {
		e.hint("the resume block of " + string(entry.ID) +
			" is on the clipboard; paste it into the next session")
		return true
	}
	if !errors.Is(err, clipboard.ErrNone) {
		e.warnf("%v", err)
	}
	name, _ := e.getenv("TERM")
	if !e.terminal(e.stderr) || name == "" || name == "dumb" || len(block) > maxOSC52 {
		e.warnf("there is no clipboard here")
		if e.forPerson() {
			e.hint("'git ltm resume " + string(entry.ID) + " --agent' prints the block to copy")
		}
		return false
	}
	sequence := osc52.New(block)
	if _, tmux := e.getenv("TMUX"); tmux {
		sequence = sequence.Tmux()
	}
	if _, err := io.WriteString(e.stderr, sequence.String()); err != nil {
		return false
	}
	e.hint("the terminal was asked to copy the block of " + string(entry.ID) +
		"; if it did not: git-ltm resume " + string(entry.ID))
	return true
}
