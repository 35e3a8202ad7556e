package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/reply"
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
