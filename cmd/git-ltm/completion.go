package main

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/hook"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/setup"
)

// bashGlue lets git's own completion find ours when "git ltm" is typed, and
// serves where bash-completion, of which cobra calls a function, is not loaded.
const bashGlue = `
__git-ltm_init_completion()
{
    COMPREPLY=()
    if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
        _get_comp_words_by_ref "$@" cur prev words cword
    else
        cur=${COMP_WORDS[COMP_CWORD]}
        prev=${COMP_WORDS[COMP_CWORD-1]}
        words=("${COMP_WORDS[@]}")
        cword=$COMP_CWORD
    fi
}

# git calls this for "git ltm".
_git_ltm()
{
    COMP_WORDS=(git-ltm "${COMP_WORDS[@]:2}")
    COMP_CWORD=$((COMP_CWORD - 1))
    COMP_LINE="${COMP_WORDS[*]}"
    COMP_POINT=${#COMP_LINE}
    __start_git-ltm
}
`

// fishGlue offers our words when "git ltm" is typed.
const fishGlue = `
# For "git ltm".
function __git_ltm_words
    set -l words (commandline --tokenize --cut-at-cursor)
    set -l at (contains --index -- ltm $words)
    git-ltm __complete $words[(math $at + 1)..-1] (commandline --current-token) 2>/dev/null | string match --invert --regex '^:'
end
complete --command git --no-files --condition '__fish_seen_subcommand_from ltm' --arguments '(__git_ltm_words)'
`

func runCompletion(_ context.Context, e *env, args []string) error {
	var out bytes.Buffer
	var err error
	root := e.line.Root()
	switch args[0] {
	case "bash":
		err = root.GenBashCompletionV2(&out, true)
		out.WriteString(bashGlue)
	case "zsh":
		err = root.GenZshCompletion(&out)
		// Under git's completion the first word is "ltm", which is no program.
		fixed := strings.ReplaceAll(out.String(), "${words[1]} __complete", "git-ltm __complete")
		out.Reset()
		out.WriteString(fixed)
	case "fish":
		err = root.GenFishCompletion(&out, true)
		out.WriteString(fishGlue)
	case "powershell":
		err = root.GenPowerShellCompletionWithDesc(&out)
	default:
		err = usagef("there is completion for bash, zsh, fish and powershell")
	}
	return e.writeOut(out.Bytes(), err)
}

// completesSecret tells whether a shell asks to complete a line with a secret. Nothing completes it, and
// cobra must not see it: it repeats words on the standard error of the process.
func completesSecret(e *env, args []string) bool {
	if len(args) == 0 || args[0] != cobra.ShellCompRequestCmd && args[0] != cobra.ShellCompNoDescRequestCmd {
		return false
	}
	line := strings.Join(args[1:], " ")
	return e.rules.Public(line) != line
}

// asked returns what may stand at some place of a command line; what stands behind a tab explains it.
type asked func(e *env, ctx context.Context) []string

// argumentWords are what the capital words in the use of a command stand for.
func argumentWords() map[string]asked {
	var agents []string
	for _, a := range setup.Agents() {
		agents = append(agents, a.Name+"\t"+a.Title)
	}
	return map[string]asked{
		"ID": (*env).idWords, "AGENT": fixedWords(agents...), "REMOTE": (*env).remoteWords,
		"HOOK": fixedWords(string(hook.PrePush), string(hook.PreReceive)), "SHELL": fixedWords("bash", "zsh", "fish",
			"powershell"),
	}
}

// flagWords are what the value of a flag of a command may be.
func flagWords(command string) map[string]asked {
	kinds := append([]string{string(packet.KindPacket), string(packet.KindNote), string(packet.KindSkip)},
		packet.NoteKinds()...)
	levels := []string{"low", "medium", "high"}
	impacts := levels
	switch command {
	case "recall":
		kinds = packet.AskedKinds()
	case "note":
		kinds = append(packet.NoteKinds(), string(packet.KindSkip))
	case "edit":
		kinds, impacts = packet.NoteKinds(), append(levels, "critical")
	}
	return map[string]asked{
		"kind": fixedWords(kinds...), "branch": (*env).branchWords, "remote": (*env).remoteWords,
		"scope":  fixedWords(string(setup.Local), string(setup.Project), string(setup.User)),
		"impact": fixedWords(impacts...), "confidence": fixedWords(levels...),
		"reason": fixedWords(replay.Reasons()...),
		"status": fixedWords(packet.TaskStatuses()...), "require": fixedWords("signed", "good"),
		"trust":    fixedWords("signed", "remote"),
		"continue": (*env).idWords, "why-not": (*env).idWords, "superseded-by": (*env).idWords,
		"link": (*env).idWords,
	}
}

func fixedWords(words ...string) asked { return func(*env, context.Context) []string { return words } }

// completeCommand lets shells complete what a command and its flags take.
func completeCommand(e *env, cmd *cobra.Command) {
	for _, sub := range cmd.Commands() {
		completeCommand(e, sub)
	}
	arguments := argumentWords()
	for _, word := range regexp.MustCompile(`\b[A-Z]+\b`).FindAllString(cmd.Use, -1) {
		if answer := arguments[word]; answer != nil && cmd.ValidArgsFunction == nil {
			cmd.ValidArgsFunction = completeFrom(e, answer)
		}
	}
	words := flagWords(cmd.Name())
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		answer := words[f.Name]
		if _, names, ok := strings.Cut(f.Usage, "`FORMAT`:"); ok && f.Name == "format" {
			names, _, _ = strings.Cut(names, "(")
			answer = fixedWords(slices.DeleteFunc(regexp.MustCompile(`\b[a-z]+\b`).FindAllString(names, -1), func(w string) bool {
				return w == "or"
			})...)
		}
		if answer != nil && f.Value.Type() != "bool" {
			_ = cmd.RegisterFlagCompletionFunc(f.Name, completeFrom(e, answer)) // It has none yet.
		}
	})
}

// completeFrom asks in the repository that the line names, and says nothing of what goes wrong.
func completeFrom(e *env, ask asked) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		here := *e
		here.stderr = io.Discard
		dirs, _ := cmd.Root().PersistentFlags().GetStringArray("directory")
		if half := len(dirs) / 2; slices.Equal(dirs[:half], dirs[half:]) { // Cobra reads a line twice.
			dirs = dirs[:half]
		}
		here.dir = joinDirs(e.dir, dirs)
		user, _ := cmd.Root().PersistentFlags().GetBool("user")
		if user {
			store, err := memory.FindUserStore(cmd.Context(), here.dir, here.vars)
			if made, _ := store.Exists(); err != nil || !made {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			here.userStore, here.vars = store.Path, store.Env(here.vars)
		}
		// Records come newest first, and levels from low to high.
		return ask(&here, cmd.Context()), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	}
}

// offeredIDs is how many of the newest records a shell offers.
const offeredIDs = 50

// idWords are the newest records, as their ends, with what they say first.
func (e *env) idWords(ctx context.Context) (words []string) {
	_ = e.useMemory(ctx, func(m *memory.Memory) error {
		queries, err := reply.Queries([]string{reply.AllKinds}, replay.Query{})
		if err != nil {
			return err
		}
		found, err := reply.List(ctx, m, queries, replay.Asked, offeredIDs)
		for _, entry := range found {
			if entry.Withheld(replay.Asked) == "" {
				words = append(words,
					briefing.ShortID(entry.ID)+"\t"+clean.Truncate(reply.GistOf(entry).Line(), 60))
			}
		}
		return err
	}) // A shell cannot be told what went wrong.
	return words
}

func (e *env) remoteWords(ctx context.Context) (names []string) {
	if repo, err := git.Find(ctx, e.dir, e.vars); err == nil {
		config, _ := repo.Config(ctx) // As with ids.
		names = config.Remotes()
	}
	return names
}

func (e *env) branchWords(ctx context.Context) (words []string) {
	if repo, err := git.Find(ctx, e.dir, e.vars); err == nil {
		refs, _ := repo.Refs(ctx, "refs/heads/") // As with ids.
		for _, ref := range refs {
			words = append(words, strings.TrimPrefix(ref.Name, "refs/heads/"))
		}
	}
	return words
}
