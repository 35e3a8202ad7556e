package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
)

func newRemove(e *env) *cobra.Command {
	var why string
	cmd := &cobra.Command{
		Use:   "rm ID...",
		Short: "Retract packets",
		Long: "Rm takes packets out of every list and every resume, here and in each clone that receives the event. The bytes stay\n" +
			"and 'git ltm restore' takes it back. A secret is not gone by this: take it for known, and change it.\n\n" + exitCodes,
		Example: "  git ltm rm @ --why 'wrong branch'",
		Args:    arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.use(cmd.Context(), func(m *memory.Memory) error {
				return e.changeWide(cmd.Context(), m, "retracted", func(of *memory.Memory) changer { return of.Retract }, args, why)
			})
		},
	}
	cmd.Flags().StringVar(&why, "why", "", "the reason, kept in the event: `TEXT`")
	return cmd
}

func newRestore(e *env) *cobra.Command {
	var why string
	cmd := &cobra.Command{
		Use:     "restore ID...",
		Short:   "Take a retraction back",
		Long:    "Restore brings retracted packets back into lists and resumes.\n\n" + exitCodes,
		Example: "  git ltm restore 01JDMB4W1YNJZQR7K8F3A2H5P9",
		Args:    arguments(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return e.use(cmd.Context(), func(m *memory.Memory) error {
				return e.changeWide(cmd.Context(), m, "restored", func(of *memory.Memory) changer { return of.Restore }, args, why)
			})
		},
	}
	cmd.Flags().StringVar(&why, "why", "", "the reason, kept in the event: `TEXT`")
	return cmd
}

// changer stores an event about packets.
type changer func(ctx context.Context, specs []string, why string) (memory.Change, error)

func (e *env) changed(ctx context.Context, did string, change changer, specs []string, why string) error {
	c, err := change(ctx, specs, why)
	if err != nil {
		return err
	}
	for _, id := range c.Already {
		e.warnf("packet %s is not changed: it is %s", id, map[string]string{"retracted": "retracted already", "restored": "not retracted"}[did])
	}
	for _, id := range c.Changed {
		if _, err := fmt.Fprintf(e.stdout, "%s %s\n", did, id); err != nil {
			return err
		}
	}
	return nil
}
