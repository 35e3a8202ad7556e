package main

import "github.com/spf13/cobra"

// verb is a command and what makes it.
type verb struct {
	name string
	make func(*env) *cobra.Command
}

// verbs lists the commands in the order of a first day.
func verbs() []verb {
	return []verb{
		{"save", newSave},
		{"resume", newResume},
		{"ls", newList},
		{"show", newShow},
		{"rm", newRemove},
		{"restore", newRestore},
		{"purge", newPurge},
		{"log", newLog},
		{"sync", newSync},
		{"push", newPush},
		{"pull", newPull},
		{"status", newStatus},
		{"init", newInit},
		{"compact", newCompact},
		{"export", newExport},
		{"import", newImport},
		{"doctor", newDoctor},
		{"check", newCheck},
		{"scan", newScan},
		{"allow", newAllow},
		{"verify", newVerify},
		{"sign", newSign},
		{"key", newKey},
		{"trust", newTrust},
		{"hook", newHook},
		{"example", newExample},
		{"demo", newDemo},
		{"version", newVersion},
		{"completion", newCompletion},
	}
}

// called makes the command that the first word names, or all of them where it
// names none. Agents pay for start-up at every tool call.
func called(e *env, args []string) []*cobra.Command {
	list := verbs()
	if len(args) > 0 && args[0] != "completion" {
		for _, v := range list {
			if v.name == args[0] {
				return []*cobra.Command{v.make(e)}
			}
		}
	}
	all := make([]*cobra.Command, 0, len(list))
	for _, v := range list {
		all = append(all, v.make(e))
	}
	return all
}
