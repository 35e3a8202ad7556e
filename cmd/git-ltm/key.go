package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/signing"
)

func newKey(e *env) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Make a key that signs memory alone",
		Long: "An agent that signs with your own key can sign whatever it was talked into. With a key of its own its packets say that\n" +
			"an agent stored them, and you can take that key back without touching yours.\n\n" + exitCodes,
		Args: noCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newKeyInit(e))
	return cmd
}

type keyInitOptions struct {
	name           string
	global, dryRun bool
}

func newKeyInit(e *env) *cobra.Command {
	var o keyInitOptions
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make an ed25519 key for an agent, and sign memory with it here",
		Long: "Key init makes a key of SSH without a passphrase in ltm/agent_ed25519 of your configuration folder, sets ltm.signingKey\n" +
			"and ltm.sign in this repository, and prints the line by which others can trust it: they add it to their allowed signers,\n" +
			"or to .ltm/allowed_signers of the team. A key that is there is taken, and never overwritten. Commits are signed as before.\n\n" + exitCodes,
		Example: "  git ltm key init\n  git ltm key init --as agent+ada@example.com",
		Args:    arguments(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return e.keyInit(cmd.Context(), o) },
	}
	f := cmd.Flags()
	f.StringVar(&o.name, "as", "",
		"name the holder of the key `PRINCIPAL` (default: agent+ and your mail address)")
	f.BoolVar(&o.global, "global", false, "set the keys for all your repositories")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "only print what would be done")
	return cmd
}

func (e *env) keyInit(ctx context.Context, o keyInitOptions) error {
	return e.use(ctx, func(m *memory.Memory) error {
		made, err := m.Signer().InitKey(ctx,
			signing.KeyRequest{Principal: o.name, Global: o.global, DryRun: o.dryRun})
		if err != nil {
			return err
		}
		if made.Known {
			e.say("hint", "the key "+made.File+" is there already")
		}
		for _, s := range made.Settings {
			e.say("hint", "set "+s)
		}
		if o.dryRun {
			e.say("hint", "this was a dry run, nothing was made")
		}
		if made.Line == "" {
			return nil
		}
		e.say("hint", "this line lets others trust it; to trust it here: git ltm trust add "+made.File+
			".pub --as "+made.Principal)
		_, err = fmt.Fprintln(e.stdout, strings.TrimSpace(made.Line))
		return err
	})
}
