package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// usageError is a command line that cannot be meant.
type usageError struct {
	err  error
	hint string // what to type instead; empty for the help of the command
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{err: fmt.Errorf(format, args...)} }

// habits are commands of git and of other tools for memory, and what does the same here.
var habits = map[string]string{
	"add": "note", "remember": "note", "please-remember": "note", "memo": "note", "store": "note",
	"write":  "note",
	"remind": "task", "todo": "task", "avoid": "skip", "commit": "save", "handoff": "save",
	"checkpoint": "save",
	"continue":   "resume", "load": "resume", "start": "resume", "checkout": "resume",
	"search": "recall", "find": "recall", "grep": "recall", "query": "recall", "ask": "recall",
	"blame": "why",
	"list":  "ls", "memories": "ls", "all": "ls", "cat": "show", "get": "show", "read": "show",
	"view":    "show",
	"history": "log", "audit": "log", "reflog": "log", "info": "status", "whoami": "status",
	"health": "doctor",
	"delete": "rm", "remove": "rm", "forget": "rm", "retract": "rm", "erase": "purge", "wipe": "purge",
	"update": "edit", "amend": "edit", "change": "edit", "modify": "edit", "set": "edit",
	"hide":   "edit ID --hide",
	"revert": "undo", "reset": "undo", "unrm": "undo", "fetch": "pull", "merge": "sync", "send": "sync",
	"upload": "sync", "download": "pull", "install": "setup", "uninstall": "setup --undo", "agents": "setup",
	"configure": "setup",
	"serve":     "web", "dashboard": "web", "ui": "web", "browse": "web", "validate": "check",
	"gc":     "compact",
	"remote": "setup --remote NAME", "auth": "setup", "login": "setup",
	"summary": "context", "briefing": "context", "man": "help",
}

// flagHabits are flags that other tools have, and what is called so here.
var flagHabits = map[string]string{
	"message": "why", "because": "why", "m": "why", "expire": "until", "ttl": "until",
	"file": "output", "count": "limit", "max": "limit", "quiet": "json", "after": "since",
	"local": "private", "tags": "tag", "type": "kind", "porcelain": "json", "dry": "dry-run",
	"yaml":      "format",
	"next-step": "next", "nextstep": "next", "failed": "attempt", "tried": "attempt",
}

// noCommand refuses a word that is no command, and says which one may be meant.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	wrong := &usageError{err: fmt.Errorf("there is no command %q", reply.Word(args[0]))}
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	meant := command.Nearest(args[0], names)
	if habit, ok := habits[strings.ToLower(args[0])]; ok && !cmd.HasParent() {
		meant = []string{habit}
	}
	switch {
	case args[0] == "config" && !cmd.HasParent():
		wrong.hint = "its settings are git's: 'git config ltm.KEY VALUE'"
	case len(meant) > 0:
		wrong.hint = "did you mean " + eitherOf(meant, "'"+displayed(cmd)+" ", "'") + "?"
	case !cmd.HasParent():
		wrong.hint = "'git ltm -h' lists the commands you need most, 'git ltm help -a' all of them"
	}
	return wrong
}

// habitHint says what does here what a command of the same name does in other tools: there push
// takes a file, and pull an id.
func habitHint(cmd *cobra.Command, otherwise string) string {
	args := cmd.Flags().Args()
	switch {
	case len(args) == 0:
	case cmd.Name() == "push" && strings.HasSuffix(args[0], ".json"):
		return "'git ltm save FILE' stores a packet, and 'git ltm sync' sends it"
	case cmd.Name() == "pull" && len(args[0]) >= 8:
		return "'git ltm sync' fetches what is new, and 'git ltm show ID' prints one record; 'git remote " +
			"-v' lists the remotes"
	}
	return otherwise
}

// noFlag turns the complaint about a flag into one that says what to type.
func noFlag(cmd *cobra.Command, err error) error {
	wrong := &usageError{err: err}
	if none, ok := errors.AsType[*pflag.NotExistError](err); ok {
		name := none.GetSpecifiedName()
		dashes := "--"
		if none.GetSpecifiedShortnames() != "" {
			dashes = "-"
		}
		wrong.err = fmt.Errorf("there is no flag %s%s", dashes, name)
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		var meant []string
		if habit := flagHabits[name]; slices.Contains(names, habit) {
			meant = []string{habit}
		} else if dashes == "--" {
			meant = command.Nearest(name, names)
		}
		if len(meant) > 0 {
			wrong.hint = "did you mean " + eitherOf(meant, "--", "") + "?"
		}
	}
	if none, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		f := none.GetFlag()
		value, _ := pflag.UnquoteUsage(f)
		wrong.err = fmt.Errorf("--%s needs a value: --%s %s", f.Name, f.Name, cmp.Or(value, "VALUE"))
	}
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		f := bad.GetFlag()
		wrong.err = fmt.Errorf("--%s: %q is not %s", f.Name, reply.Word(bad.GetValue()), valueOf(f))
	}
	return wrong
}

// valueOf says what a flag takes.
func valueOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64", "uint", "uint64", "count":
		return "a number"
	case "float64":
		return "a number such as 0.5"
	case "bool":
		return "true or false"
	case "duration":
		return "a length of time such as 30s"
	}
	return "what it takes"
}

// arguments turns cobra's complaint about a number of arguments into one that says what the command takes.
func arguments(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		err := check(cmd, args)
		if err == nil {
			return nil
		}
		_, takes, _ := strings.Cut(cmd.Use, " ")
		if takes == "" {
			takes = "no argument"
		}
		for n := len(args) - 1; n >= 0; n-- {
			if check(cmd, args[:n]) == nil {
				return usagef("%q is too much: %s takes %s", reply.Word(args[n]), displayed(cmd), takes)
			}
		}
		return usagef("%s needs %s", displayed(cmd), takes)
	}
}

// displayed is the name of a command as people type it.
func displayed(cmd *cobra.Command) string {
	return "git ltm" + strings.TrimPrefix(cmd.CommandPath(), "git ltm")
}

func eitherOf(names []string, before, after string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = before + name + after
	}
	return strings.Join(all, " or ")
}
