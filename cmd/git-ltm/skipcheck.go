package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type skipCheckOptions struct {
	command        string
	paths          []string
	json, exitCode bool
	trusted        onlyTrusted
}

func newSkipCheck(e *env) *cobra.Command {
	var o skipCheckOptions
	cmd := &cobra.Command{
		Use:   "check [TEXT...]",
		Short: "Say whether something is known not to work",
		Long: "Check compares what somebody is about to do with the skips that have not expired, and with the failed attempts of all\n" +
			"packets and of your drafts here. TEXT is what is asked for, in words; --command is a command line, and --path a file that\n" +
			"is about to change.\n\n" +
			"Each line says which skip or attempt is met, by which words, path or beginning of a command, and how sure that is. Certain\n" +
			"is what holds an agent back once that is about to do it, or asks its person, as ltm.deadEnd says: the very command or file\n" +
			"of what is trusted. A person is never held back: the exit code is 0, with --exit-code 1 where something is met.\n\n" + exitCodes,
		Example: "  git ltm skip check --command 'npm install --force'\n  git ltm skip check --path src/gen/api.pb.go\n" +
			"  git ltm skip check raise the pool size to 100",
		Args: arguments(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, args []string) error { return e.skipCheck(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.command, "command", "", "the command line `COMMAND` that is about to run")
	f.StringArrayVar(&o.paths, "path", nil, "a `PATH`, from here or absolute, that is about to change")
	f.BoolVar((*bool)(&o.trusted), "trusted", false, "only what this clone made or a trusted key signed")
	f.BoolVar(&o.exitCode, "exit-code", false, "exit with 1 where something is met")
	f.BoolVar(&o.json, "json", false, "print a JSON array")
	return cmd
}

func (e *env) skipCheck(ctx context.Context, o skipCheckOptions, args []string) error {
	does := agent.Call{Command: o.command, Paths: o.paths}
	plan := strings.Join(args, " ")
	if does.Command+plan == "" && len(does.Paths) == 0 {
		return usagef("name what is about to be done: TEXT, --command or --path")
	}
	return e.ask(ctx, func(m *memory.Memory, r *recall.Recall) error {
		ends, err := command.DeadEnds(ctx, m, r, does, plan, o.trusted.reading())
		if err != nil {
			return err
		}
		if err := e.printDeadEnds(o, ends); err != nil {
			return err
		}
		if len(ends) > 0 && o.exitCode {
			return fmt.Errorf("%s: %w", counted(len(ends), "known dead end"), errMet)
		}
		return nil
	})
}

// errMet says that an action meets a known dead end.
var errMet = errors.New("this did not work before")

func (e *env) printDeadEnds(o skipCheckOptions, ends []recall.DeadEnd) error {
	list := []reply.DeadEnd{}
	for _, end := range ends {
		list = append(list, reply.DeadEndOf(end, o.trusted.reading()))
	}
	if o.json {
		return e.printJSON(list)
	}
	for i, d := range list {
		sure := d.Sure
		if d.Certain {
			sure += ", certain"
		}
		about := []string{
			d.ID, strings.ReplaceAll(d.Author, ",", ";"),
			briefing.Age(ends[i].Known.Created, e.now()), d.Standing,
		}
		if d.Draft {
			about[3] = "draft, not reviewed"
		}
		if d.Store != "" {
			about = append(about, d.Store)
		}
		_, err := fmt.Fprintf(e.stdout, "%s: %s%s\n  reason: %s\n  met by %s: %s (%s)\n  (%s)\n", d.Kind,
			ends[i].Known.Text.Origin().Doubt(), d.Text, d.Reason,
			d.By, strings.Join(d.On, " "), sure, strings.Join(about, ", "))
		if err != nil {
			return err
		}
	}
	return nil
}
