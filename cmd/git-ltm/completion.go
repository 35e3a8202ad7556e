package main

import (
	"bytes"
	"strings"

	"github.com/spf13/cobra"
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

func newCompletion(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print a script that completes commands",
		Long: "Completion prints a script for bash, zsh, fish or powershell. In bash, zsh and fish it completes 'git ltm' as well as\n" +
			"'git-ltm', where git's own completion is loaded.",
		Example: "  bash: source <(git-ltm completion bash)\n" +
			"  zsh:  git-ltm completion zsh > ~/.zfunc/_git-ltm\n" +
			"  fish: git-ltm completion fish > ~/.config/fish/completions/git-ltm.fish",
		ValidArgs: []string{"bash", "zsh", "fish", "powershell"},
		Args:      arguments(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			script, err := completionScript(cmd.Root(), args[0])
			if err != nil {
				return err
			}
			_, err = e.stdout.Write(script)
			return err
		},
	}
}

func completionScript(root *cobra.Command, shell string) ([]byte, error) {
	var out bytes.Buffer
	var err error
	switch shell {
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
	return out.Bytes(), err
}

// completesSecret tells whether a shell asks to complete a line with a secret. Nothing completes it, and cobra must not
// see it: it repeats words on the standard error of the process.
func (e *env) completesSecret(args []string) bool {
	if len(args) == 0 || args[0] != cobra.ShellCompRequestCmd && args[0] != cobra.ShellCompNoDescRequestCmd {
		return false
	}
	line := strings.Join(args[1:], " ")
	return e.rules.Public(line) != line
}
