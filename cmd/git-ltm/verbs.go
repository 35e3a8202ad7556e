package main

import (
	"slices"

	"github.com/spf13/cobra"
)

// verb is a command and what makes it.
type verb struct {
	group string // under which help lists it; none for the rest
	name  string
	make  func(*env) *cobra.Command
}

// The groups of commands.
const (
	working    = "working"
	changing   = "changing"
	tending    = "tending"
	exchanging = "exchanging"
	guarding   = "guarding"
)

// groups are the headings of the help, in their order.
func groups() []*cobra.Group {
	return []*cobra.Group{
		{ID: working, Title: "Write it down, and read it again:"},
		{ID: changing, Title: "Say what became of it:"},
		{ID: tending, Title: "Tend it:"},
		{ID: exchanging, Title: "Exchange it:"},
		{ID: guarding, Title: "Guard it:"},
	}
}

// verbs lists the commands in the order of a first day.
func verbs() []verb {
	return slices.Concat([]verb{
		{working, "save", newSave},
		{working, "distill", newDistill},
		{working, "resume", newResume},
		{working, "note", newNote},
		{working, "skip", newSkip},
		{working, "task", newTask},
		{working, "identity", newIdentity},
		{working, "ls", newList},
		{working, "show", newShow},
		{working, "recall", newRecall},
		{working, "context", newContext},
		{working, "why", newWhy},
		{working, "log", newLog},
		{working, "graph", newGraph},
		{working, "stats", newStats},
		{working, "web", newWeb},
		{working, "status", newStatus},
		{working, "setup", newSetup},
	}, eventVerbs(), []verb{
		{changing, "purge", newPurge},
		{tending, "consolidate", newConsolidate},
		{tending, "lint", newLint},
		{tending, "achievements", newAchievements},
		{exchanging, "init", newInit},
		{exchanging, "sync", newSync},
		{exchanging, "push", newPush},
		{exchanging, "pull", newPull},
		{exchanging, "compact", newCompact},
		{exchanging, "export", newExport},
		{exchanging, "import", newImport},
		{exchanging, "mcp", newMCP},
		{guarding, "check", newCheck},
		{guarding, "scan", newScan},
		{guarding, "allow", newAllow},
		{guarding, "verify", newVerify},
		{guarding, "sign", newSign},
		{guarding, "key", newKey},
		{guarding, "trust", newTrust},
		{guarding, "hook", newHook},
		{guarding, "doctor", newDoctor},
		{"", "example", newExample},
		{"", "demo", newDemo},
		{"", "version", newVersion},
		{"", "completion", newCompletion},
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
	return cmd
}
