package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
)

type signOptions struct{ json bool }

func newSign(e *env) *cobra.Command {
	var o signOptions
	cmd := &cobra.Command{
		Use:   "sign ID...",
		Short: "Vouch for records that are stored already",
		Long: "Sign adds your signature to packets and events that are stored: your own that were saved unsigned, or those of\n" +
			"somebody else that you read and vouch for. Nothing is rewritten: each signature is a ref of its own beside the record,\n" +
			"refs/ltm/endorse/ID/KEY, and travels with the others. It is made by your own program with the key that git signs with,\n" +
			"or the one that ltm.signingKey names.\n\n" + exitCodes,
		Example: "  git ltm sign @\n  git ltm sign 01JDMB4W && git push origin 'refs/ltm/*'",
		Args:    arguments(cobra.MinimumNArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return e.sign(cmd.Context(), o, args) },
	}
	cmd.Flags().BoolVar(&o.json, "json", false, "print a JSON array")
	return cmd
}

// endorsed is the JSON shape of a signature that was added.
type endorsed struct {
	ID    string `json:"id"`
	Ref   string `json:"ref"`
	Key   string `json:"key"`
	Known bool   `json:"known"`
}

func (e *env) sign(ctx context.Context, o signOptions, specs []string) error {
	return e.use(ctx, func(m *memory.Memory) error {
		done, err := m.Endorse(ctx, specs)
		list := []endorsed{}
		for _, d := range done {
			list = append(list, endorsed{string(d.ID), d.Ref, e.printable(d.Key), d.Known})
			if d.Known {
				e.say("hint", fmt.Sprintf("%s was signed with this key before, nothing changed", d.ID))
			}
			if o.json {
				continue
			}
			if _, err := fmt.Fprintln(e.stdout, d.Ref); err != nil {
				return err
			}
		}
		if o.json && err == nil {
			return e.printJSON(list)
		}
		return err
	})
}
