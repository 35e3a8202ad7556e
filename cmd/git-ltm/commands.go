package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// A description is what is known of a command beside its words and flags: help, manual pages, completion, --json
// and its schema follow from it.
type description struct {
	group  string // under which help lists it; none for a part of a command
	name   string // as people type it
	needs  need
	prints any                       // with --json: a value of its type, [jsonPerLine], or [noJSON]
	make   func(*env) *cobra.Command // nil for a part, which the command before it makes
}

// need is what must be there before a command does anything.
type need int

const (
	nothing need = iota
	repository
	network // beside a repository
)

// jsonPerLine is an object a line.
type jsonPerLine struct{ of any }

// noJSON is why a command has no --json.
type noJSON string

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

// descriptions are those of all commands, in the order of the help.
func descriptions() []description {
	listed, changed, saved := []reply.Listed{}, reply.Changed{}, reply.Saved{}
	exchanged := []command.Exchanged{}
	parts := noJSON("it has parts")
	return slices.Concat([]description{
		{finding, "save", repository, saved, newSave},
		{finding, "note", repository, saved, newNote},
		{finding, "recall", repository, briefing.AnswerJSON{}, newRecall},
		{finding, "ls", repository, listed, newList},
		{finding, "show", repository, reply.Whole{}, newShow},
		{finding, "log", repository, jsonPerLine{command.Happening{}}, newLog},
		{finding, "web", repository, noJSON("it serves pages"), newWeb},
		{working, "resume", repository, briefing.PacketJSON{}, newResume},
		{working, "status", repository, command.Status{}, newStatus},
		{working, "task", nothing, parts, newTask},
		{"", "task add", repository, saved, nil},
		{"", "task ls", repository, listed, nil},
		{"", "task set", repository, changed, nil},
		{"", "task done", repository, changed, nil},
		{"", "task reopen", repository, changed, nil},
		{working, "skip", nothing, parts, newSkip},
		{"", "skip add", repository, saved, nil},
		{"", "skip ls", repository, listed, nil},
		{"", "skip check", repository, []reply.DeadEnd{}, nil},
		{"", "skip rm", repository, changed, nil},
		{changing, "edit", repository, changed, newEdit},
		{changing, "undo", repository, changed, newUndo},
		{exchanging, "sync", network, exchanged, newSync},
		{exchanging, "export", repository, noJSON("it prints records, in the form of --format"), newExport},
		{exchanging, "import", repository, command.Imported{}, newImport},
		{keeping, "setup", nothing, command.Setup{}, newSetup},
		{keeping, "doctor", repository, []remote.Finding{}, newDoctor},
		{keeping, "check", repository, command.Report{}, newCheck},
		{keeping, "trust", nothing, parts, newTrust},
		{"", "trust init", repository, command.TrustProposal{}, nil},
		{"", "trust update", repository, command.TrustProposal{}, nil},
		{"", "trust add", repository, command.TrustEdit{}, nil},
		{"", "trust revoke", repository, command.TrustEdit{}, nil},
		{"", "trust ls", repository, command.TrustState{}, nil},
		{"", "trust why", repository, command.TrustReasons{}, nil},
		{"", "trust accept", repository, command.TrustAnswer{}, nil},
		{"", "trust refuse", repository, command.TrustAnswer{}, nil},
		{"", "trust mute", repository, []command.MutedName{}, nil},
		{"", "trust unmute", repository, []command.MutedName{}, nil},
		{more, "context", repository, briefing.ContextJSON{}, newContext},
		{more, "why", repository, briefing.AnswerJSON{}, newWhy},
		{more, "graph", repository, command.Picture{}, newGraph},
		{more, "stats", repository, command.Figures{}, newStats},
		{more, "identity", repository, reply.Listed{}, newIdentity},
		{"", "identity show", repository, reply.Listed{}, nil},
		{"", "identity set", repository, saved, nil},
		{"", "identity history", repository, listed, nil},
		{more, "achievements", repository, []command.Achievement{}, newAchievements},
		{more, "demo", nothing, noJSON("it plays a story"), newDemo},
		{more, "example", nothing, noJSON("it prints a packet, which is JSON"), newExample},
		{tending, "distill", repository, []command.Draft{}, newDistill},
		{tending, "consolidate", repository, []command.Group{}, newConsolidate},
		{tending, "lint", repository, []command.Advice{}, newLint},
		{tending, "compact", network, command.Compaction{}, newCompact},
		{tending, "purge", network, command.Purged{}, newPurge},
	}, eventVerbs(), []description{
		{plumbing, "init", repository, command.Init{}, newInit},
		{plumbing, "push", network, exchanged, newPush},
		{plumbing, "pull", network, exchanged, newPull},
		{plumbing, "scan", nothing, command.Report{}, newScan},
		{plumbing, "allow", repository, []command.Allowance{}, newAllow},
		{plumbing, "verify", repository, []command.Testimony{}, newVerify},
		{plumbing, "sign", repository, []command.Signed{}, newSign},
		{plumbing, "key", nothing, parts, newKey},
		{"", "key init", repository, command.KeyMade{}, nil},
		{plumbing, "hook", nothing, noJSON("it answers agents in their own forms"), newHook},
		{"", "hook pre-push", repository, noJSON("git reads its exit code"), nil},
		{"", "hook pre-receive", repository, noJSON("git reads its exit code"), nil},
		{"", "hook install", repository, command.HookFile{}, nil},
		{"", "hook uninstall", repository, command.HookFile{}, nil},
		{plumbing, "mcp", nothing, noJSON("it speaks a protocol"), newMCP},
		{plumbing, "completion", nothing, noJSON("it prints a script"), newCompletion},
		{plumbing, "version", nothing, command.Version{}, newVersion},
	})
}

// makeCommands makes the command that the first word names, or all of them where it names none. Agents pay for
// start-up at every tool call.
func makeCommands(e *env, args []string) (all []*cobra.Command) {
	list := descriptions()
	named := func(d description) bool { return len(args) > 0 && d.make != nil && d.name == args[0] }
	one := slices.ContainsFunc(list, named) && args[0] != "completion"
	for _, d := range list {
		if d.make == nil || one && !named(d) {
			continue
		}
		cmd := d.make(e)
		cmd.GroupID = d.group
		if d.name != "purge" { // Its reason is one of four words.
			cmd.SetGlobalNormalizationFunc(renamed)
		}
		e.complement(cmd, d.name, list)
		all = append(all, cmd)
	}
	return all
}

// complement gives a command and its parts what follows from their descriptions.
func (e *env) complement(cmd *cobra.Command, name string, list []description) {
	for _, part := range cmd.Commands() {
		e.complement(part, name+" "+part.Name(), list)
	}
	if cmd.HasSubCommands() && cmd.Args == nil {
		cmd.Args = noCommand
	}
	if cmd.HasSubCommands() && cmd.RunE == nil {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	if cmd.Args == nil {
		cmd.Args = arguments(argumentCount(cmd.Use))
	}
	if !strings.Contains(cmd.Long, "xit code") {
		cmd.Long += "\n\n" + exitCodes
	}
	i := slices.IndexFunc(list, func(d description) bool { return d.name == name })
	shape := "print a JSON object"
	switch prints := list[i].prints.(type) {
	case noJSON:
		return
	case jsonPerLine:
		shape = "print a JSON object a line"
	default:
		if reflect.TypeOf(prints).Kind() == reflect.Slice {
			shape += " with the list of its items"
		}
	}
	f := cmd.Flags()
	if f.Lookup("json") == nil { // Else it has that of a part.
		f.BoolVar(&e.asJSON, "json", false, shape)
	}
	if format := f.Lookup("format"); format != nil && strings.Contains(format.Usage, " json") && name != "import" {
		cmd.PreRunE = func(*cobra.Command, []string) error {
			if e.asJSON {
				return f.Set("format", "json")
			}
			return nil
		}
	}
}

// argumentCount checks how many arguments there are against the use of a command: words in brackets can be left
// out, and dots stand for any number.
func argumentCount(use string) cobra.PositionalArgs {
	least, most, depth := 0, 0, 0
	for _, word := range strings.Fields(use)[1:] {
		depth += strings.Count(word, "[")
		if most++; depth == 0 || !strings.HasPrefix(word, "[") && depth == strings.Count(word, "[") {
			least++
		}
		depth -= strings.Count(word, "]")
	}
	if strings.Contains(use, "...") {
		return cobra.MinimumNArgs(least)
	}
	return cobra.RangeArgs(least, most)
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
		for _, d := range descriptions() {
			if cmd, _, err := root.Find([]string{d.name}); err == nil && d.group == g.ID {
				fmt.Fprintf(&text, "  %-12s %s\n", d.name, cmd.Short)
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
	"create":    "note", "ready": "ls --kind task", "prime": "context",
	"explain": "why", "publish": "sync", "serve": "web", "dashboard": "web", "platform": "web", "ui": "web", "browse": "web", "validate": "check",
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
	case cmd.Name() == "push" && (args[0] == standardInput || strings.HasSuffix(args[0], ".json")):
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
