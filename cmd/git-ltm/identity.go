package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

func newIdentity(e *env) *cobra.Command {
	show := newIdentityShow(e)
	cmd := &cobra.Command{
		Use:   "identity",
		Short: "Keep who you are for those who work with you",
		Long: "An identity is a note that says how you work and what you care about. Nothing is overwritten: the newest one under\n" +
			"your name (user.name of git) counts, the older ones are its history. It is private to this clone unless --shared is\n" +
			"given; with --user it is kept once for all your repositories, and one of a repository goes before that.\n\n" +
			"Only what this clone made, or what a trusted key signed, is yours: anybody can write your name.\n" +
			"Without a subcommand it shows the newest.\n\n" + exitCodes,
		Example: "  git ltm --user identity set 'I want small functions, and tests that can fail'\n  git " +
			"ltm identity",
		Args: noCommand,
		RunE: show.RunE,
	}
	cmd.Flags().AddFlagSet(show.Flags())
	cmd.AddCommand(show, newIdentitySet(e), newIdentityHistory(e))
	return cmd
}

func newIdentityShow(e *env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "show",
		Short:   "Print the newest identity",
		Long:    "Show prints the text of your newest identity. --json prints the object that 'git ltm ls --kind identity --json' has.\n\n" + exitCodes,
		Example: "  git ltm identity show",
		Args:    arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.withIdentities(cmd.Context(), false, func(_ *memory.Memory, all []replay.Shown) error {
				if len(all) == 0 {
					return fmt.Errorf("identity under your name: %w", errNoIdentity)
				}
				if asJSON {
					return e.printJSON(reply.ListedOf(all[0]))
				}
				_, err := fmt.Fprintln(e.stdout, clean.Text(all[0].Note().Text))
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object")
	return cmd
}

func newIdentityHistory(e *env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "history",
		Short: "List every identity of yours, newest first",
		Long: "History lists the identities under your name, as 'git ltm ls' lists notes, with those that were retracted, superseded\n" +
			"or expired. --json prints an array.\n\n" + exitCodes,
		Example: "  git ltm identity history",
		Args:    arguments(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return e.withIdentities(cmd.Context(), true, func(m *memory.Memory, all []replay.Shown) error {
				return e.printList(cmd.Context(), m, all,
					listOptions{filterFlags: filterFlags{command.Question{Kinds: []string{packet.NoteIdentity}}}, json: asJSON})
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

// withIdentities calls do with the identities of the person at the terminal, newest first.
func (e *env) withIdentities(ctx context.Context, hidden bool,
	do func(*memory.Memory, []replay.Shown) error,
) error {
	return e.use(ctx, func(m *memory.Memory) error {
		me, err := m.Author(ctx)
		if err != nil {
			return err
		}
		q := replay.Query{Kind: packet.KindNote, Notes: []string{packet.NoteIdentity}, Hidden: hidden}
		found, err := reply.List(ctx, m, []replay.Query{q}, replay.Inspected, 0)
		if err != nil {
			return err
		}
		foreign := 0
		found = slices.DeleteFunc(found, func(entry replay.Shown) bool {
			if entry.Note().Provenance.AuthorHuman != me {
				return true
			}
			if !entry.Verdict.Standing.Vouched() {
				foreign++
				return true
			}
			return false
		})
		if foreign > 0 {
			e.warnf("left out %d under your name that are not trusted; 'git ltm ls --kind identity' lists them", foreign)
		}
		return do(m, found)
	})
}

func newIdentitySet(e *env) *cobra.Command {
	o := noteFlags{Note: command.Note{Kind: packet.NoteIdentity}}
	cmd := &cobra.Command{
		Use:   "set [TEXT]",
		Short: "Say anew who you are",
		Long: "Set stores an identity and prints its id alone on standard output. The text is the argument, or standard input, or on\n" +
			"a terminal what you write in your editor.\n\n" +
			"--json prints an object with id, ref, bytes, known, signed, dry_run and findings.\n\n" +
			exitCodes,
		Example:     "  git ltm identity set 'I review on Mondays; ask before you touch the build'",
		Args:        arguments(cobra.MaximumNArgs(1)),
		Annotations: map[string]string{makesStore: ""},
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.shared && o.private {
				return usagef("--shared and --private exclude each other")
			}
			if err := o.check(e, cmd, args); err != nil {
				return err
			}
			return e.withText(cmd.Context(), args, func(m *memory.Memory, text string) error {
				return e.keepNote(cmd.Context(), m, o, text)
			})
		},
	}
	cmd.Flags().BoolVar(&o.shared, "shared", false, "let it travel to remotes as other records do")
	o.smallFlags.flags(cmd.Flags())
	return cmd
}
