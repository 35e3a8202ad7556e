package main

import (
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/mcp"
	"github.com/git-ltm/git-ltm/internal/version"
)

func newMCP(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Serve the memory to an agent over the Model Context Protocol",
		Long: "Mcp answers an agent on standard input and output until the agent hangs up: it offers six tools, packets and\n" +
			"threads as resources, and six prompts. Agents start it themselves; 'git ltm setup' tells them to.\n\n" +
			"Each call says which repository it means, or it is the project of the agent: CLAUDE_PROJECT_DIR, what the agent calls\n" +
			"its root, or the directory that the server was started in. With -C DIR it is that one, where a call names none. A call\n" +
			"reaches these and what lies below them, and what ltm.mcpRepository names in your own configuration.\n\n" +
			"No tool overrides the scan, purges, or changes whose keys count. With GIT_LTM_DISABLE set each call is answered with\n" +
			"that alone.\n\n" + exitCodes,
		Example: "  claude mcp add ltm -- git-ltm mcp\n  codex mcp add ltm -- git-ltm mcp\n  git ltm " +
			"mcp -C ~/project",
		Args:        arguments(cobra.NoArgs),
		Annotations: map[string]string{wakeful: ""},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if e.terminal(e.stdin) {
				e.say("hint", "an agent talks here: 'git ltm setup AGENT' tells yours to start it; ctrl-d ends it")
			}
			leaveTerminal()
			broken := make(chan os.Signal, 1)
			signal.Notify(broken, syscall.SIGPIPE) // An agent that is gone must not end a save under way.
			defer signal.Stop(broken)
			return mcp.Serve(cmd.Context(), mcp.Options{
				Version: version.Release, Dir: e.dir, Env: withoutTerminal(e.vars), Now: e.now,
				Entropy: e.entropy, Stderr: e.stderr,
				UserStore: e.userStore, Silenced: e.disabled(),
			}, e.stdin, e.stdout)
		},
	}
}

// withoutTerminal leaves out the terminal on which GnuPG would ask for a passphrase: the agent draws on it.
func withoutTerminal(vars []string) []string {
	return slices.DeleteFunc(slices.Clone(vars), func(entry string) bool {
		return strings.HasPrefix(entry, "GPG_TTY=")
	})
}
