package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// helpHead and helpFoot stand around the list of commands.
const (
	helpHead = "git ltm remembers what you and your agents learned while working on a project:\n" +
		"goals, decisions, what failed and the next step, in the repository's own refs.\n\n" +
		"Usage: git ltm [-C DIR] [--user] COMMAND; --user is your memory of all projects\n"
	helpFoot = "\n'git ltm help COMMAND' explains one, 'git ltm help -a' lists all of them.\n" +
		"'GIT_LTM_DISABLE=1 claude' starts an agent once without git ltm.\n"
)

// groups are the headings of the help, in their order. Those behind plumbing are listed with -a only.
func groups() []*cobra.Group {
	return []*cobra.Group{
		{ID: finding, Title: "Save and find:"},
		{ID: working, Title: "Work:"},
		{ID: changing, Title: "Change:"},
		{ID: exchanging, Title: "Share:"},
		{ID: keeping, Title: "Set up and check:"},
		{ID: more, Title: "More to look at:"},
		{ID: tending, Title: "Tidy up:"},
		{ID: events, Title: "What 'git ltm edit' does, one command each:"},
		{ID: plumbing, Title: "For scripts, keys and agents:"},
	}
}

// everyday are the groups that the help lists without -a.
const everyday = 5

// printHelp lists the commands.
func printHelp(root *cobra.Command, out io.Writer, all bool) error {
	var text strings.Builder
	text.WriteString(helpHead)
	for i, g := range groups() {
		if i == everyday && !all {
			break
		}
		text.WriteString("\n" + g.Title + "\n")
		for _, v := range verbs() {
			if cmd, _, err := root.Find([]string{v.name}); err == nil && v.group == g.ID {
				fmt.Fprintf(&text, "  %-12s %s\n", v.name, cmd.Short)
			}
		}
	}
	if !all {
		text.WriteString(helpFoot)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// addHelp gives the root its page of help, and the command that explains the others.
func addHelp(root *cobra.Command) {
	explain := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd != root {
			explain(cmd, args)
			return
		}
		_ = printHelp(root, cmd.OutOrStdout(), false) // There is nobody left to tell.
	})
	var all bool
	help := &cobra.Command{Use: "help [COMMAND]", Short: "Explain a command", Hidden: true}
	help.RunE = func(cmd *cobra.Command, args []string) error {
		if all {
			return printHelp(root, cmd.OutOrStdout(), true)
		}
		about, rest, err := root.Find(args)
		if err != nil {
			return &usageError{err: err}
		}
		if len(rest) > 0 {
			return noCommand(about, rest)
		}
		about.InitDefaultHelpFlag()
		return about.Help()
	}
	help.Flags().BoolVarP(&all, "all", "a", false, "list every command")
	root.SetHelpCommand(help)
}
