package main

import (
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// verb is a command and what makes it.
type verb struct {
	group string // under which help lists it; none for the rest
	name  string
	make  func(*env) *cobra.Command
}

// The groups of commands.
const (
	finding    = "finding"
	working    = "working"
	changing   = "changing"
	exchanging = "exchanging"
	keeping    = "keeping"
	more       = "more"
	tending    = "tending"
	events     = "events"
	plumbing   = "plumbing"
)

// verbs lists the commands in the order of the help.
func verbs() []verb {
	return slices.Concat([]verb{
		{finding, "save", newSave},
		{finding, "note", newNote},
		{finding, "recall", newRecall},
		{finding, "ls", newList},
		{finding, "show", newShow},
		{finding, "log", newLog},
		{finding, "web", newWeb},
		{working, "resume", newResume},
		{working, "status", newStatus},
		{working, "task", newTask},
		{working, "skip", newSkip},
		{changing, "edit", newEdit},
		{changing, "undo", newUndo},
		{exchanging, "sync", newSync},
		{exchanging, "export", newExport},
		{exchanging, "import", newImport},
		{keeping, "setup", newSetup},
		{keeping, "doctor", newDoctor},
		{keeping, "check", newCheck},
		{keeping, "trust", newTrust},
		{more, "context", newContext},
		{more, "why", newWhy},
		{more, "graph", newGraph},
		{more, "stats", newStats},
		{more, "identity", newIdentity},
		{more, "achievements", newAchievements},
		{more, "demo", newDemo},
		{more, "example", newExample},
		{tending, "distill", newDistill},
		{tending, "consolidate", newConsolidate},
		{tending, "lint", newLint},
		{tending, "compact", newCompact},
		{tending, "purge", newPurge},
	}, eventVerbs(), []verb{
		{plumbing, "init", newInit},
		{plumbing, "push", newPush},
		{plumbing, "pull", newPull},
		{plumbing, "scan", newScan},
		{plumbing, "allow", newAllow},
		{plumbing, "verify", newVerify},
		{plumbing, "sign", newSign},
		{plumbing, "key", newKey},
		{plumbing, "hook", newHook},
		{plumbing, "mcp", newMCP},
		{plumbing, "completion", newCompletion},
		{plumbing, "version", newVersion},
	})
}

// called makes the command that the first word names, or all of them where it
// names none. Agents pay for start-up at every tool call.
func called(e *env, args []string) []*cobra.Command {
	list := verbs()
	if len(args) > 0 && args[0] != "completion" {
		for _, v := range list {
			if v.name == args[0] {
				return []*cobra.Command{v.command(e)}
			}
		}
	}
	all := make([]*cobra.Command, 0, len(list))
	for _, v := range list {
		all = append(all, v.command(e))
	}
	return all
}

func (v verb) command(e *env) *cobra.Command {
	cmd := v.make(e)
	cmd.GroupID = v.group
	if v.name != "purge" { // Its reason is one of four words.
		cmd.SetGlobalNormalizationFunc(renamed)
	}
	if f := cmd.Flags(); f.Lookup("format") != nil && f.Lookup("json") == nil && v.name != "export" {
		asJSON := f.Bool("json", false, "print JSON, as --format json does")
		cmd.PreRunE = func(*cobra.Command, []string) error {
			if !*asJSON {
				return nil
			}
			return f.Set("format", "json")
		}
	}
	return cmd
}

// renamed lets flags be given by the names that they once had: one thing has one name in every command.
func renamed(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "expires":
		name = "until"
	case "reason":
		name = "why"
	case "out":
		name = "output"
	}
	return pflag.NormalizedName(name)
}
