package main

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/trust"
)

func newTrustMute(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "mute NAME...",
		Short: "Show nothing automatically of what a name says unsigned",
		Long: "Where the remote of the memory is trusted (ltm.trust = remote), what it delivers unsigned is shown to agents automatically,\n" +
			"labelled, in the name of people who have committed to its default branch. Mute keeps out what stands there in a NAME, or\n" +
			"one that looks like it, and unsigned events in it have no effect. It holds in this clone. What is signed with a trusted key\n" +
			"is shown all the same, and everything is found on request.\n\n" + exitCodes,
		Example: "  git ltm trust mute 'Bob Builder'\n  git ltm trust unmute 'Bob Builder'",
		Args:    arguments(cobra.MinimumNArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return e.mute(cmd.Context(), args, true) },
	}
}

func newTrustUnmute(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "unmute NAME...",
		Short: "Take back 'git ltm trust mute'",
		Long:  "Unmute lets what a name says unsigned be shown automatically again, as far as it was before.\n\n" + exitCodes,
		Args:  arguments(cobra.MinimumNArgs(1)),
		RunE:  func(cmd *cobra.Command, args []string) error { return e.mute(cmd.Context(), args, false) },
	}
}

// mute keeps names from being heard, or lets them.
func (e *env) mute(ctx context.Context, names []string, muted bool) error {
	if slices.ContainsFunc(names, func(name string) bool { return strings.TrimSpace(name) == "" }) {
		return usagef("there is no name")
	}
	return e.use(ctx, func(m *memory.Memory) error {
		for _, name := range names {
			changed, err := trust.Mute(m.Repo(), name, muted)
			if err != nil {
				return err
			}
			known, err := m.Judge().IsAuthor(name)
			if err != nil {
				return err
			}
			if !changed {
				e.say("hint", "there is nothing to do")
			} else if muted && !known {
				e.warnf("nobody whose name looks like %s has committed to the default branch of the "+
					"remote, as far as this clone knows; it is muted all the same",
					e.printable(strconv.Quote(name)))
			}
		}
		return nil
	})
}

// mutedNames are the names that are muted in this clone, in order.
func (e *env) mutedNames(m *memory.Memory) ([]string, error) {
	names, err := trust.Muted(m.Repo())
	slices.Sort(names)
	return e.listed(names), err
}
