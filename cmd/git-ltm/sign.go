package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/sign"
)

type signOptions struct {
	key  string
	json bool
}

func newSign(e *env) *cobra.Command {
	var o signOptions
	cmd := &cobra.Command{
		Use:   "sign ID...",
		Short: "Sign records that are stored already",
		Long: "Sign adds your signature to packets and events that are stored: your own that were saved unsigned, or those of\n" +
			"somebody else that you have read. Nothing is rewritten: each signature is a ref of its own beside the record,\n" +
			"refs/ltm/endorse/ID/KEY, and travels with the others. It is made by your own program with the key that git signs with,\n" +
			"or the one that ltm.signingKey names.\n\n" + exitCodes,
		Example: "  git ltm sign @\n  git ltm sign 01JDMB4W && git ltm sync",
		Args:    arguments(cobra.MinimumNArgs(1)),
		RunE:    func(cmd *cobra.Command, args []string) error { return e.sign(cmd.Context(), o, args) },
	}
	cmd.Flags().StringVar(&o.key, "key", "",
		"sign with `KEY`, a file or a literal key of SSH or a key of gpg (default: ltm.signingKey, else "+
			"user.signingKey)")
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
		done, err := m.Endorse(ctx, specs, o.key)
		list := []endorsed{}
		for _, d := range done {
			list = append(list, endorsed{string(d.ID), d.Ref, e.printable(d.Key), d.Known})
			if d.Known {
				e.say("hint", fmt.Sprintf("%s was signed with this key before, nothing changed", d.ID))
			}
			e.explainEndorsed(d)
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

// explainEndorsed tells where a signature is worth less than somebody may think.
func (e *env) explainEndorsed(d memory.Endorsed) {
	switch {
	case d.Own:
		e.say("hint", fmt.Sprintf(
			"%s is stored behind a signature of the same key, so it has no second signer; --key names another", d.ID))
	case d.Verdict.Standing != sign.Good:
		e.say("hint", fmt.Sprintf("the signature of %s is %s here: %s", d.ID, d.Verdict.Standing,
			e.printable(d.Verdict.Why)))
	}
}
