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
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

func newSkip(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skip",
		Short: "Record what to avoid until a date",
		Long: "A skip says what is not to be done or brought up until a day: a library that fails on this machine, a test that is\n" +
			"broken upstream. It always ends, because what is forgotten in such a list does harm. What holds for good is a note of\n" +
			"the kind pitfall.",
		Example: "  git ltm skip add 'The nightly benchmark' --why 'The runner is down' --until 3d --command 'make bench'\n" +
			"  git ltm skip ls",
	}
	cmd.AddCommand(newSkipAdd(e), newSkipList(e), newSkipCheck(e), newSkipRemove(e))
	return cmd
}

func newSkipAdd(e *env) *cobra.Command {
	o := noteFlags{Note: command.Note{Kind: string(packet.KindSkip)}}
	cmd := &cobra.Command{
		Use:   "add ITEM",
		Short: "Store one thing not to do",
		Long: "Add stores what not to do, why, and until when, and prints its id alone on standard output. What is about to be done\n" +
			"is held against it by a command, a glob of paths, a text or package that is added, or --words, and without these by ITEM.\n\n" +
			"An end is a length such as 3d or 2w, a date, which lasts to its end here, tomorrow, or a time; at most 365 days ahead.\n" +
			"It is stored as a time, never as a word.\n\n" +
			"--json prints an object with id, ref, bytes, known, signed, dry_run and findings, and of a dry run duplicates where\n" +
			"other skips say the same.",
		Example:     "  git ltm skip add 'Upgrade to Go 1.27' --why 'The linter does not read it yet' --until 2w",
		Annotations: map[string]string{makesStore: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.check(e, cmd, args); err != nil {
				return err
			}
			return e.use(cmd.Context(), func(m *memory.Memory) error {
				return saveNote(cmd.Context(), e, m, o, args[0])
			})
		},
	}
	f := cmd.Flags()
	o.warns(f)
	o.about(f)
	return cmd
}

func newSkipList(e *env) *cobra.Command {
	o := listOptions{filterFlags: filterFlags{command.Question{Kinds: []string{string(packet.KindSkip)}}}}
	cmd := &cobra.Command{
		Use:   "ls",
		Short: "List what not to do, newest first",
		Long: "Ls lists the skips that hold, newest first, with their end. It prints what 'git ltm ls --kind skip' prints, in each\n" +
			"form.",
		Example: "  git ltm skip ls --all --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runList(cmd.Context(), e, o) },
	}
	f := cmd.Flags()
	f.BoolVarP(&o.all, "all", "a", false, "also what has ended or was taken back")
	return cmd
}

func newSkipRemove(e *env) *cobra.Command {
	var o eventOptions
	cmd := &cobra.Command{
		Use:     "rm ID...",
		Short:   "Take skips back before they end",
		Long:    "Rm retracts skips, as 'git ltm rm' does, and takes nothing but skips. 'git ltm restore' brings them back.",
		Example: "  git ltm skip rm F3A2H5P9 --why 'The runner is back'",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			return e.use(ctx, func(m *memory.Memory) error {
				isSkip := func(entry replay.Entry) bool { return entry.Kind() == packet.KindSkip }
				if _, err := findOnly(ctx, e, m, "skip", args, isSkip); err != nil {
					return err
				}
				c, err := storeEvent(ctx, e, m, gate.Happen{Event: "retract", Targets: args, Why: o.why})
				return tellChange(e, o, c, err, "retracted", "retracted already")
			})
		},
	}
	o.common(cmd.Flags())
	return cmd
}

// findOnly finds records, and refuses those that are not what a command is made for.
func findOnly(ctx context.Context, e *env, m *memory.Memory, what string, specs []string,
	is func(replay.Entry) bool,
) ([]replay.Entry, error) {
	var all []replay.Entry
	var wrong []error
	for _, spec := range specs {
		entry, _, err := m.FindAnyWide(ctx, spec)
		if err == nil && !is(entry) {
			err = fmt.Errorf("record %s is no %s: %w", entry.ID, what, command.ErrKind)
		}
		if err != nil {
			wrong = append(wrong, err)
		}
		all = append(all, entry)
	}
	return all, errors.Join(wrong...)
}

type skipCheckOptions struct {
	command  string
	paths    []string
	exitCode bool
	trusted  onlyTrusted
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
			"of what is trusted. A person is never held back: the exit code is 0, with --exit-code 1 where something is met.",
		Example: "  git ltm skip check --command 'npm install --force'\n  git ltm skip check --path src/gen/api.pb.go\n" +
			"  git ltm skip check raise the pool size to 100",
		RunE: func(cmd *cobra.Command, args []string) error { return runSkipCheck(cmd.Context(), e, o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.command, "command", "", "the command line `COMMAND` that is about to run")
	f.StringArrayVar(&o.paths, "path", nil, "a `PATH`, from here or absolute, that is about to change")
	f.BoolVar((*bool)(&o.trusted), "trusted", false, "only what this clone made or a trusted key signed")
	f.BoolVar(&o.exitCode, "exit-code", false, "exit with 1 where something is met")
	return cmd
}

func runSkipCheck(ctx context.Context, e *env, o skipCheckOptions, args []string) error {
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
		if err := printDeadEnds(e, o, ends); err != nil {
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

func printDeadEnds(e *env, o skipCheckOptions, ends []recall.DeadEnd) error {
	list := []reply.DeadEnd{}
	for _, end := range ends {
		list = append(list, reply.DeadEndOf(end, o.trusted.reading()))
	}
	if e.asJSON {
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
