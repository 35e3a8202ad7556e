package main

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/hook"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/plot"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/transcript"
)

// A description is what is known of a command beside its words and flags, which commands.txt has:
// help, manual
// pages, completion, --json and its schema follow from both.
type description struct {
	group  string // under which help lists it; none for a part of a command
	name   string // as people type it
	needs  need
	prints any // with --json: a value of its type, [jsonPerLine], or [noJSON]
	begin  starter
}

// A starter binds the flags of a command to a new input, and returns what works with it and the arguments.
type starter func(e *env, bind func(input any)) func(context.Context, []string) error

// startWith starts a command whose flags fill an input that has these defaults.
func startWith[O any](run func(context.Context, *env, O, []string) error, defaults O) starter {
	return func(e *env, bind func(any)) func(context.Context, []string) error {
		input := defaults
		bind(&input)
		return func(ctx context.Context, args []string) error { return run(ctx, e, input, args) }
	}
}

// startAlone starts a command that has no flags of its own.
func startAlone(run func(context.Context, *env, []string) error) starter {
	return startWith(func(ctx context.Context, e *env, _ struct{}, args []string) error { return run(ctx, e, args) },
		struct{}{})
}

// inMemory starts such a command in the memory of the repository, and asks one with what answers questions.
func inMemory[O any](run func(context.Context, *env, *memory.Memory, O, []string) error, defaults O) starter {
	return startWith(func(ctx context.Context, e *env, input O, args []string) error {
		return e.useMemory(ctx, func(m *memory.Memory) error { return run(ctx, e, m, input, args) })
	}, defaults)
}

func withRecall[O any](run func(context.Context, *env, *memory.Memory, *recall.Recall, O, []string) error,
	defaults O,
) starter {
	return startWith(func(ctx context.Context, e *env, input O, args []string) error {
		return e.askMemory(ctx, func(m *memory.Memory, r *recall.Recall) error {
			return run(ctx, e, m, r, input, args)
		})
	}, defaults)
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

// The groups of commands, by their headings in the help.
const (
	finding    = "Save and find:"
	working    = "Work:"
	changing   = "Change:"
	exchanging = "Share:"
	keeping    = "Set up and check:"
	more       = "More to look at:"
	tending    = "Tidy up:"
	plumbing   = "For scripts, keys and agents:"
)

// descriptions are those of all commands, in the order of the help.
func descriptions() []description {
	listed, changed, saved := []reply.Listed{}, reply.Changed{}, reply.Saved{}
	exchanged, parts := []command.Exchanged{}, noJSON("it has parts")
	guards, proposed := noJSON("git reads its exit code"), command.TrustProposal{}
	answers := recallOptions{Question: command.Question{Limit: 10}}
	whole := contextOptions{Budget: -1, Format: "md"}
	text := checkOptions{reportOptions: reportOptions{Format: string(report.Text)}}
	asKind := func(kind string) noteFlags { return noteFlags{Note: command.Note{Kind: kind}} }
	return []description{
		{finding, "save", repository, saved, startWith(runSave, saveOptions{})},
		{finding, "note", repository, saved, startWith(runNote, asKind("fact"))},
		{finding, "recall", repository, briefing.AnswerJSON{}, withRecall(runRecall, answers)},
		{finding, "ls", repository, listed, inMemory(runList,
			listOptions{Question: command.Question{Limit: 50}})},
		{finding, "show", repository, reply.Whole{}, inMemory(runShow, showOptions{})},
		{finding, "log", repository, jsonPerLine{reply.Happening{}}, inMemory(runLog, logOptions{Limit: 50})},
		{finding, "web", repository, noJSON("it serves pages"), startWith(runWeb, webOptions{})},
		{working, "resume", repository, briefing.PacketJSON{}, inMemory(runResume,
			resumeOptions{contextOptions: whole})},
		{working, "status", repository, command.Status{}, withRecall(runStatus, struct{}{})},
		{working, "task", repository, listed, nil},
		{"", "task add", repository, saved, startWith(runNote, asKind(packet.NoteTask))},
		{"", "task ls", repository, listed, inMemory(listTasks, taskListOptions{})},
		{"", "task set", repository, changed, inMemory(setTasks, taskFields{})},
		{"", "task take", repository, changed, inMemory(takeTasks, eventOptions{})},
		{"", "task done", repository, changed, inMemory(endTasks("close", "done", "done already"),
			eventOptions{})},
		{"", "task reopen", repository, changed, inMemory(endTasks("reopen", "reopened", "open already"),
			eventOptions{})},
		{working, "skip", repository, listed, nil},
		{"", "skip add", repository, saved, startWith(runNote, asKind(string(packet.KindSkip)))},
		{"", "skip ls", repository, listed, inMemory(runList,
			listOptions{Question: command.Question{Kinds: []string{"skip"}, Limit: 50}})},
		{"", "skip check", repository, []reply.DeadEnd{}, withRecall(runSkipCheck, skipCheckOptions{})},
		{"", "skip rm", repository, changed, inMemory(runRemove, eventOptions{})},
		{changing, "edit", repository, changed, inMemory(runEdit, editOptions{})},
		{changing, "undo", repository, changed, inMemory(runUndo, eventOptions{})},
		{changing, "rm", repository, changed, inMemory(runRemove, eventOptions{})},
		{exchanging, "sync", network, exchanged, startWith(runExchange, syncOptions{way: remote.Both})},
		{
			exchanging, "export", repository, noJSON("it writes records, each with a schema of its own"),
			inMemory(runExport, exportOptions{}),
		},
		{exchanging, "import", repository, command.Imported{}, startWith(runImport, importOptions{})},
		{keeping, "setup", nothing, command.Setup{}, startWith(runSetup, setupOptions{})},
		{keeping, "doctor", repository, []remote.Finding{}, inMemory(runDoctor, doctorOptions{})},
		{keeping, "check", repository, command.Report{}, startWith(runCheck, text)},
		{keeping, "trust", repository, command.TrustState{}, nil},
		{"", "trust init", repository, proposed, startWith(proposeList, trustInitOptions{})},
		{"", "trust update", repository, proposed, startWith(proposeList, trustInitOptions{update: true})},
		{"", "trust add", repository, command.TrustEdit{}, inMemory(addKeys, trustAddOptions{})},
		{"", "trust revoke", repository, command.TrustEdit{}, inMemory(revokeKey, trustAddOptions{})},
		{"", "trust ls", repository, command.TrustState{}, inMemory(listTrust, struct{}{})},
		{"", "trust why", repository, []command.Testimony{}, inMemory(runVerify, verifyOptions{why: true})},
		{"", "trust accept", repository, command.TrustAnswer{}, inMemory(acceptRecords, trustAnswerOptions{})},
		{"", "trust refuse", repository, command.TrustAnswer{}, inMemory(refuseEvents, trustAnswerOptions{})},
		{"", "trust mute", repository, []command.MutedName{}, inMemory(muteNames, muteOptions{muted: true})},
		{"", "trust unmute", repository, []command.MutedName{}, inMemory(muteNames, muteOptions{})},
		{more, "context", repository, briefing.ContextJSON{}, withRecall(runContext, whole)},
		{more, "why", repository, briefing.AnswerJSON{}, withRecall(runWhy, answers)},
		{more, "graph", repository, command.Picture{}, inMemory(runGraph,
			pictureOptions{Format: "text", Depth: 2, Limit: 200})},
		{more, "stats", repository, recall.Figures{}, withRecall(runStats, struct{}{})},
		{more, "identity", repository, reply.Listed{}, inMemory(showIdentity, struct{}{})},
		{more, "achievements", repository, []command.Achievement{}, inMemory(runAchievements,
			achievementOptions{})},
		{more, "demo", nothing, noJSON("it plays a story"), startAlone(runDemo)},
		{more, "example", nothing, noJSON("it prints a packet, which is JSON"), startAlone(runExample)},
		{tending, "distill", repository, []command.Draft{}, inMemory(runDistill, distillOptions{})},
		{tending, "consolidate", repository, []command.Group{}, inMemory(runConsolidate, consolidateOptions{})},
		{tending, "lint", repository, []command.Advice{}, inMemory(runLint, lintOptions{})},
		{tending, "compact", network, command.Compaction{}, inMemory(runCompact,
			compactOptions{OlderThan: "30d", Keep: memory.CompactKeep})},
		{tending, "purge", network, command.Purged{}, inMemory(runPurge,
			purgeOptions{Reason: replay.ReasonOther})},
		{plumbing, "init", repository, command.Init{}, startWith(runInit, initOptions{})},
		{plumbing, "push", network, exchanged, startWith(runExchange, syncOptions{way: remote.Push})},
		{plumbing, "pull", network, exchanged, startWith(runExchange, syncOptions{way: remote.Pull})},
		{plumbing, "scan", nothing, command.Report{}, startWith(runScan, text)},
		{plumbing, "allow", repository, []command.Allowance{}, inMemory(runAllow, allowOptions{})},
		{plumbing, "verify", repository, []command.Testimony{}, inMemory(runVerify, verifyOptions{})},
		{plumbing, "sign", repository, []memory.Endorsed{}, inMemory(runSign, signOptions{})},
		{plumbing, "key", nothing, parts, nil},
		{"", "key init", repository, command.KeyMade{}, inMemory(runKeyInit, keyInitOptions{})},
		{plumbing, "hook", nothing, noJSON("it answers agents in their own forms"), startAlone(answerAgent)},
		{"", "hook pre-push", repository, guards, startAlone(guardPush(hook.PrePush))},
		{"", "hook pre-receive", repository, guards, startAlone(guardPush(hook.PreReceive))},
		{"", "hook install", repository, command.HookFile{}, startAlone(placeHook(hook.Name.Install,
			(*env).tellLines, "it is installed already"))},
		{"", "hook uninstall", repository, command.HookFile{}, startAlone(placeHook(hook.Name.Uninstall,
			(*env).tellOwnLine, "there is no such hook"))},
		{plumbing, "mcp", nothing, noJSON("it speaks a protocol"), startAlone(runMCP)},
		{plumbing, "completion", nothing, noJSON("it prints a script"), startAlone(runCompletion)},
		{plumbing, "version", nothing, command.Version{}, startAlone(printVersion)},
	}
}

// isPart tells a command that stands behind the word of another one.
func (d description) isPart() bool { return strings.Contains(d.name, " ") }

//go:embed commands.txt
var commandWords string

// words are what people read of a command.
type words struct {
	use, short, long, examples string
	flags                      []string // a line each: -s --name: help
}

// wordsOf finds the words of a command, of which the first line is its use behind an equals sign.
// What stands in
// braces is a list that the program knows.
func wordsOf(name string) (w words) {
	_, rest, found := strings.Cut(commandWords, "\n= "+name)
	if !found {
		return w
	}
	section, _, _ := strings.Cut(rest, "\n= ")
	for name, list := range wordLists() {
		if mark := "{{" + name + "}}"; strings.Contains(section, mark) {
			section = strings.ReplaceAll(section, mark, list())
		}
	}
	section, flags, _ := strings.Cut(section, "\n- Flags\n")
	section, w.examples, _ = strings.Cut(section, "\n- Examples\n")
	takes, about, _ := strings.Cut(section, "\n")
	w.short, w.long, _ = strings.Cut(about, "\n\n")
	w.use, w.flags = name[strings.LastIndexByte(name, ' ')+1:]+takes,
		slices.Collect(strings.SplitSeq(flags, "\n"))
	return w
}

// wordLists are the lists in the words of commands.
func wordLists() map[string]func() string {
	return map[string]func() string{
		"agents": command.AgentList, "hosts": hostWords, "events": joinWords(agent.Events),
		"formats": func() string { return importFormats }, "pushed": func() string { return remote.PushSpec },
		"kinds": joinWords(packet.NoteKinds), "categories": joinWords(packet.TaskCategories),
		"clients":  joinWords(transcript.Formats),
		"statuses": joinWords(packet.TaskStatuses), "reasons": joinWords(replay.Reasons),
		"reports":     joinWords(report.Formats),
		"exchange":    func() string { return wordsOf("{exchange}").long },
		"check-codes": func() string { return wordsOf("{check-codes}").long },
	}
}

// joinWords writes words with commas between them.
func joinWords[T ~string](words func() []T) func() string {
	return func() (text string) {
		for i, word := range words() {
			if i > 0 {
				text += ", "
			}
			text += string(word)
		}
		return text
	}
}

// bindFlags lets flags fill the fields of an input that have their names, or those with an s behind them.
func (w words) bindFlags(e *env, f *pflag.FlagSet, input any) {
	fields := reflect.ValueOf(input).Elem()
	for _, line := range w.flags {
		names, help, ok := strings.Cut(line, ": ")
		if !ok {
			continue
		}
		short, name, _ := strings.Cut(names, "--")
		short = strings.Trim(short, "- ")
		help, hidden := strings.CutPrefix(help, "(hidden) ")
		var field reflect.Value
		for _, plural := range []string{"", "s"} {
			if plain := strings.ReplaceAll(name, "-", "") + plural; !field.IsValid() {
				field = fields.FieldByNameFunc(func(field string) bool {
					return field[0] < 'a' && strings.EqualFold(field, plain)
				})
			}
		}
		var into any = &e.asAgent
		if name != "agent" {
			if !field.IsValid() {
				panic(fmt.Sprintf("commands.txt has --%s, and %T has no field for it", name, input))
			}
			into = field.Addr().Interface()
		}
		switch into := into.(type) {
		case *bool:
			f.BoolVarP(into, name, short, *into, help)
		case *int:
			f.IntVarP(into, name, short, *into, help)
			if strings.Contains(help, "(default: ") { // It says more than a number.
				f.Lookup(name).DefValue = "0"
			}
		case *string:
			f.StringVarP(into, name, short, *into, help)
		case *[]string:
			f.StringArrayVarP(into, name, short, nil, help)
		}
		f.Lookup(name).Hidden = hidden
	}
}

// makeCommands makes the command that the first word names, or all of them where it names none.
// Agents pay for start-up at every tool call.
func makeCommands(e *env, args []string) (all []*cobra.Command) {
	list := descriptions()
	named := func(d description) bool { return len(args) > 0 && !d.isPart() && d.name == args[0] }
	one := slices.ContainsFunc(list, named) && args[0] != "completion"
	for i, d := range list {
		if d.isPart() || one && !named(d) {
			continue
		}
		cmd := d.makeCommand(e)
		for _, part := range list[i+1:] {
			if !strings.HasPrefix(part.name, d.name+" ") {
				break
			}
			sub := part.makeCommand(e)
			if cmd.AddCommand(sub); part.name == d.name+" ls" {
				cmd.RunE, cmd.PreRunE = sub.RunE, sub.PreRunE
				cmd.Flags().AddFlagSet(sub.Flags())
			}
		}
		all = append(all, cmd)
	}
	return all
}

// makeCommand makes a command out of its description and its words.
func (d description) makeCommand(e *env) *cobra.Command {
	w := wordsOf(d.name)
	cmd := &cobra.Command{Use: w.use, Short: w.short, Long: w.long, Example: w.examples}
	if !strings.Contains(cmd.Long, "xit code") {
		cmd.Long += "\n\n" + exitCodes
	}
	cmd.Args = checkArguments
	f := cmd.Flags()
	if d.begin == nil {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		return cmd
	}
	run := d.begin(e, func(input any) { w.bindFlags(e, f, input) })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		e.line = cmd
		if err := checkExclusive(f); err != nil {
			return err
		}
		err := run(cmd.Context(), args)
		if dry, _ := f.GetBool("dry-run"); dry && err == nil {
			did := "changed"
			if _, saves := d.prints.(reply.Saved); saves || d.name == "consolidate" {
				did = "stored"
			}
			e.hint("this was a dry run, nothing was " + did)
		}
		return err
	}
	shape := "print a JSON object"
	switch prints := d.prints.(type) {
	case noJSON:
		return cmd
	case jsonPerLine:
		shape = "print a JSON object a line"
	default:
		if reflect.TypeOf(prints).Kind() == reflect.Slice {
			shape += " with the list of its items"
		}
	}
	f.BoolVar(&e.asJSON, "json", false, shape)
	if format := f.Lookup("format"); format != nil && strings.Contains(format.Usage, " json") &&
		d.name != "import" {
		cmd.PreRunE = func(*cobra.Command, []string) error {
			if e.asJSON {
				return f.Set("format", "json")
			}
			return nil
		}
	}
	return cmd
}

// exclusive are flags of which a command line has one.
var exclusive = [][]string{
	{"redact", "allow-unredacted"},
	{"redact", "allow"},
	{"continue", "root"},
	{"sign", "no-sign"},
	{"private", "share"},
	{"json", "raw", "as"},
	{"revoke", "until"},
	{"show", "list", "drop"},
}

// checkExclusive refuses flags that exclude each other.
func checkExclusive(f *pflag.FlagSet) error {
	var wrong []error
	for _, names := range exclusive {
		given := 0
		for _, name := range names {
			if f.Changed(name) {
				given++
			}
		}
		if last := len(names) - 1; given > 1 {
			wrong = append(wrong, fmt.Errorf("--%s and --%s exclude each other",
				strings.Join(names[:last], ", --"), names[last]))
		}
	}
	return usage(wrong)
}

// checkArguments checks how many arguments there are against the use of a command: words in brackets can be
// left out, dots stand for any number, and braces hold alternatives. Of a command with parts, a single word that
// it does not take is meant as one of them.
func checkArguments(cmd *cobra.Command, args []string) error {
	_, takes, _ := strings.Cut(cmd.Use, " ")
	least, most := len(takes), 0
	for one := range strings.SplitSeq(strings.Trim(takes, "{}"), " | ") {
		needed, all, depth := 0, 0, 0
		for word := range strings.FieldsSeq(one) {
			if strings.HasPrefix(word, "--") {
				continue
			}
			if all++; depth == 0 && !strings.HasPrefix(word, "[") {
				needed++
			}
			depth += strings.Count(word, "[") - strings.Count(word, "]")
		}
		least, most = min(least, needed), max(most, all)
	}
	if strings.Contains(takes, "...") {
		most = len(args)
	}
	switch given := len(args); {
	case given >= least && given <= most:
		return nil
	case given > 0 && cmd.HasSubCommands():
		return noCommand(cmd, args)
	case given < least:
		wrong := &usageError{err: fmt.Errorf("%s needs %s", typedName(cmd), takes)}
		if strings.HasPrefix(takes, "ID") {
			wrong.hint = idHint
		}
		return wrong
	}
	if takes == "[TEXT]" || takes == "TITLE" || takes == "ITEM" {
		return &usageError{
			err:  fmt.Errorf("%q is too much: %s takes %s", reply.Word(args[most]), typedName(cmd), takes),
			hint: "quote the text: " + typedName(cmd) + " " + quoteText(args...),
		}
	}
	wrong := &usageError{err: fmt.Errorf("%q is too much: %s takes %s", reply.Word(args[most]), typedName(cmd),
		cmp.Or(takes, "no argument"))}
	switch word := args[most]; {
	case cmd.Flags().Lookup("path") == nil:
	case strings.ContainsAny(word, "./"):
		wrong.hint = typedName(cmd) + " --path " + reply.Word(word)
	case word == string(packet.KindPacket) || slices.Contains(packet.NoteKinds(), word):
		wrong.hint = typedName(cmd) + " --kind " + word
	default:
		wrong.hint = "to search: git ltm recall " + quoteText(args...)
	}
	return wrong
}

// quoteText is a text of several words as one argument.
func quoteText(words ...string) string { return clean.ShellWord(reply.Word(strings.Join(words, " "))) }

// idHint says where the id of a record stands.
const idHint = "'git ltm ls' lists records with their IDs, and 'git ltm recall WORDS' finds some"

// withPart is a command line in which skip or task with a text, or with flags that only add has, means that
// something is added.
func withPart(args []string) []string {
	for i, word := range args {
		if strings.HasPrefix(word, "-") || i > 0 && (args[i-1] == "-C" || args[i-1] == "--directory") {
			continue
		}
		isPart := func(d description) bool { return len(args) > i+1 && d.name == word+" "+args[i+1] }
		if !takesText(word) || slices.ContainsFunc(descriptions(), isPart) {
			break
		}
		lists := flagsOf(word + " ls")
		adds := slices.DeleteFunc(flagsOf(word+" add"), func(flag string) bool {
			return slices.Contains(lists, flag)
		})
		rest := args[i+1:]
		isFlag := func(at int) bool { return len(rest) <= at || strings.HasPrefix(rest[at], "-") }
		hasOf := func(flags []string) bool {
			return slices.ContainsFunc(rest, func(arg string) bool {
				name, _, _ := strings.Cut(arg, "=")
				return slices.Contains(flags, name)
			})
		}
		if slices.ContainsFunc(rest, func(arg string) bool { return strings.Contains(arg, " ") }) ||
			(isFlag(0) || isFlag(1)) && hasOf(adds) {
			return slices.Insert(slices.Clone(args), i+1, "add")
		}
		break
	}
	return args
}

// takesText tells a command of which a text that names no part is something to add.
func takesText(name string) bool { return name == "skip" || name == "task" }

// flagsOf are the flags that a command has words for, with their dashes, also the short ones.
func flagsOf(name string) (flags []string) {
	for _, line := range wordsOf(name).flags {
		names, _, _ := strings.Cut(line, ":")
		flags = append(flags, strings.Fields(names)...)
	}
	return flags
}

// helpHead and helpFoot stand around the list of commands.
const (
	helpHead = "git ltm remembers what you and your agents learned while working on a project:\n" +
		"goals, decisions, what failed and the next step, in the repository's own refs.\n\n" +
		"Usage: git ltm [-C DIR] [--user] COMMAND; --user is your memory of all projects\n"
	helpFoot = "\n'git ltm context' prints a short summary of what counts now, for an agent.\n" +
		"'git ltm help COMMAND' explains one, 'git ltm help -a' lists all of them.\n" +
		"'GIT_LTM_DISABLE=1 claude' starts an agent once without git ltm.\n"
)

// printHelp lists the commands.
func printHelp(root *cobra.Command, out io.Writer, all bool) error {
	var text strings.Builder
	text.WriteString(helpHead)
	for _, group := range []string{finding, working, changing, exchanging, keeping, more, tending, plumbing} {
		if group == more && !all {
			break
		}
		text.WriteString("\n" + group + "\n")
		for _, d := range descriptions() {
			if cmd, _, err := root.Find([]string{d.name}); err == nil && d.group == group {
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
func addHelp(e *env, root *cobra.Command) {
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		if cmd == root {
			_ = printHelp(root, cmd.OutOrStdout(), false) // There is nobody left to tell.
			return
		}
		columns, _ := e.width(e.stdout)
		page := &plot.Page{}
		page.WriteString(fitHelp(cmd, columns))
		_ = e.showPage(root.Context(), page)
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

// fitHelp is the help of a command for so many columns; 0 are any. Lines that stand in are kept as they are.
func fitHelp(cmd *cobra.Command, columns int) string {
	var text strings.Builder
	for part := range strings.SplitSeq(cmp.Or(cmd.Long, cmd.Short), "\n\n") {
		if columns > 0 && !strings.HasPrefix(part, " ") && !strings.Contains(part, "\n ") {
			part = strings.Join(plot.WrapText(part, columns), "\n")
		}
		text.WriteString(part + "\n\n")
	}
	// Cobra's own way is a template, which would keep the linker from leaving out methods that nobody calls: 3 MB.
	text.WriteString("Usage:\n  " + cmd.UseLine() + "\n")
	if cmd.HasExample() {
		text.WriteString("\nExamples:\n" + cmd.Example + "\n")
	}
	if cmd.HasSubCommands() {
		text.WriteString("\nAvailable Commands:\n")
	}
	for _, sub := range cmd.Commands() {
		_, _ = fmt.Fprintf(&text, "  %-12s %s\n", sub.Name(), sub.Short) // A Builder does not fail.
	}
	if cmd.HasAvailableLocalFlags() {
		text.WriteString("\nFlags:\n" + cmd.LocalFlags().FlagUsagesWrapped(columns))
	}
	if cmd.HasAvailableInheritedFlags() {
		text.WriteString("\nGlobal Flags:\n" + cmd.InheritedFlags().FlagUsagesWrapped(columns))
	}
	return text.String()
}

// usageError is a command line that cannot be meant.
type usageError struct {
	err  error
	hint string // what to type instead; empty for the help of the command
}

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{err: fmt.Errorf(format, args...)} }

// habits are commands of git and of other tools for memory, and what does the same here; of a part of task, the part
// that does.
var habits = map[string]string{
	"add": "note", "remember": "note", "please-remember": "note", "memo": "note", "store": "note",
	"write":  "note",
	"remind": "task", "todo": "task", "done": "task done", "finish": "task done", "take": "task take",
	"assign": "task take", "avoid": "skip", "commit": "save", "handoff": "save", "checkpoint": "save",
	"continue": "resume", "load": "resume", "start": "resume", "checkout": "resume",
	"search": "recall", "find": "recall", "grep": "recall", "query": "recall", "ask": "recall",
	"blame": "why",
	"list":  "ls", "memories": "ls", "all": "ls", "cat": "show", "get": "show", "read": "show",
	"view":    "show",
	"history": "log", "audit": "log", "reflog": "log", "info": "status", "whoami": "status",
	"health": "doctor",
	"delete": "rm", "remove": "rm", "forget": "rm", "retract": "rm", "erase": "purge", "wipe": "purge",
	"update": "edit", "amend": "edit", "change": "edit", "modify": "edit", "set": "edit",
	"unhide": "edit ID --restore", "unarchive": "edit ID --restore", "undelete": "edit ID --restore",
	"hide": "edit ID --hide", "archive": "edit ID --hide", "close": "edit ID --close",
	"reopen": "edit ID --reopen", "restore": "edit ID --restore", "confirm": "edit ID --confirm",
	"contradict": "edit ID --wrong", "impact": "edit ID --impact LEVEL", "digest": "edit ID --digest TEXT",
	"supersede": "edit OLD --superseded-by NEW", "link": "edit ID --link ID", "expire": "edit ID --until now",
	"revert": "undo", "reset": "undo", "unrm": "undo", "fetch": "pull", "merge": "sync", "send": "sync",
	"share": "sync", "backup": "export", "dump": "export",
	"upload": "sync", "download": "pull", "install": "setup", "uninstall": "setup --undo", "agents": "setup",
	"configure": "setup",
	"create":    "note", "ready": "ls --kind task", "prime": "context",
	"explain": "why", "publish": "sync", "serve": "web", "dashboard": "web", "platform": "web", "ui": "web",
	"browse": "web", "validate": "check",
	"gc":     "compact",
	"remote": "setup --remote NAME", "auth": "setup", "login": "setup",
	"summary": "context", "briefing": "context", "man": "help",
	"task finish": "done", "task close": "done", "task complete": "done", "task start": "take",
}

// flagHabits are flags that other tools have, and what is called so here.
var flagHabits = map[string]string{
	"message": "why", "because": "why", "m": "why", "reason": "why",
	"expire": "until", "expires": "until", "ttl": "until", "after": "since",
	"file": "output", "out": "output", "tokens": "budget", "size": "budget", "count": "limit", "max": "limit",
	"quiet": "json", "porcelain": "json", "yaml": "format", "dry": "dry-run",
	"local": "private", "tags": "tag", "type": "kind",
	"unhide": "restore", "unarchive": "restore", "undelete": "restore", "unretract": "restore",
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
	said := strings.ToLower(args[0])
	if cmd.HasParent() {
		said = cmd.Name() + " " + said
	}
	if habit, ok := habits[said]; ok {
		meant = []string{habit}
	}
	switch {
	case args[0] == "config" && !cmd.HasParent():
		wrong.hint = "its settings are git's: 'git config ltm.KEY VALUE'"
	case cmd.Name() == "trust" && (args[0] == "remote" || args[0] == "signed"):
		wrong.hint = "git ltm setup --trust " + args[0]
	case len(meant) > 0:
		wrong.hint = "did you mean " + eitherOf(meant, "'"+typedName(cmd)+" ", "'") + "?"
		if takesText(cmd.Name()) && !slices.Contains(meant, "add") {
			wrong.hint += " Else: " + addHint(cmd, args)
		}
	case takesText(cmd.Name()):
		wrong.hint = addHint(cmd, args)
	case !cmd.HasParent():
		wrong.hint = "'git ltm -h' lists the commands you need most, 'git ltm help -a' all of them"
	}
	return wrong
}

// addHint says how a text is added that was taken for a part of skip or task.
func addHint(cmd *cobra.Command, args []string) string {
	hint := typedName(cmd) + " add " + quoteText(args...)
	if cmd.Name() == "skip" {
		hint += " --why WHY --until 3d"
	}
	return hint + " stores it"
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
		} else if most := cmd.Flags().ShorthandLookup("n"); most != nil && strings.Trim(name, "0123456789") == "" {
			wrong.hint = "did you mean -n " + name + "?"
		}
		if len(meant) > 0 {
			wrong.hint = "did you mean " + eitherOf(meant, "--", "") + "?"
			if name == "tokens" {
				wrong.hint += " It counts characters, about four a token"
			}
		}
		if takesText(cmd.Name()) && slices.Contains(flagsOf(cmd.Name()+" add"), dashes+name) {
			wrong.hint = "quote the text: " + typedName(cmd) + " 'TEXT' " + dashes + name + " ..."
		}
		if cmd.Name() == "edit" && slices.Contains(flagsOf("task set"), dashes+name) {
			wrong.hint = "of a task: git ltm task set ID " + dashes + name + " VALUE"
		}
		for _, d := range descriptions() {
			if why, none := d.prints.(noJSON); none && name == "json" && !cmd.HasSubCommands() &&
				"git ltm "+d.name == typedName(cmd) {
				wrong.hint = "leave it out: " + string(why)
			}
		}
	}
	if none, ok := errors.AsType[*pflag.ValueRequiredError](err); ok {
		f := none.GetFlag()
		value, _ := pflag.UnquoteUsage(f)
		wrong.err = fmt.Errorf("--%s needs a value: --%s %s", f.Name, f.Name, cmp.Or(value, "VALUE"))
	}
	if bad, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		takes := map[string]string{"int": "a number", "bool": "true or false"}[bad.GetFlag().Value.Type()]
		wrong.err = fmt.Errorf("--%s: %q is not %s", bad.GetFlag().Name, reply.Word(bad.GetValue()),
			cmp.Or(takes, "what it takes"))
	}
	return wrong
}

// typedName is the name of a command as people type it.
func typedName(cmd *cobra.Command) string {
	return "git ltm" + strings.TrimPrefix(cmd.CommandPath(), "git ltm")
}

func eitherOf(names []string, before, after string) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = before + name + after
	}
	return strings.Join(all, " or ")
}
