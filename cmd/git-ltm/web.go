package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/mcp"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/version"
	"github.com/git-ltm/git-ltm/internal/web"
)

type webOptions struct {
	port   int
	export string
}

func newWeb(e *env) *cobra.Command {
	var o webOptions
	cmd := &cobra.Command{
		Use:   "web",
		Short: "Browse the memory in a web browser",
		Long: "Web serves pages to a browser on this machine, and prints their address: threads as a timeline, every record with\n" +
			"its trust and how the places are now that it cites, what hangs together, notes, tasks and skips, and a box for\n" +
			"questions. It changes no record. It listens on 127.0.0.1 alone; the address holds a random token, and lets in whoever\n" +
			"knows it. Ctrl-C ends it.\n\n" +
			"What is private is shown, and says so. What is withheld has no text, and what is not trusted here says so. The\n" +
			"pages hold no script and load nothing from elsewhere.\n\n" +
			"--export writes the same as files into DIR, which must be new, empty, or an earlier export: then it is replaced as a\n" +
			"whole. Every record is scanned once more on its way out; one with a secret, or that is withheld, is left out and listed,\n" +
			"and the exit code is 3 or 4. What is private, retracted, superseded or expired stays behind. A page with a filter takes\n" +
			"the place of the box for questions. The same records at the same time make the same bytes. Only you may read the files.",
		Example: "  git ltm web\n  git ltm web --port 4000\n  git ltm web --export memory-pages",
		RunE:    func(cmd *cobra.Command, _ []string) error { return runWeb(e, cmd, o) },
	}
	f := cmd.Flags()
	f.IntVar(&o.port, "port", 0, "listen on port `N`; 0 is any that is free")
	f.StringVar(&o.export, "export", "", "write files into `DIR`, and serve nothing")
	return cmd
}

func runWeb(e *env, cmd *cobra.Command, o webOptions) error {
	var wrong []error
	if o.port < 0 || o.port > 65535 {
		wrong = append(wrong, errors.New("--port takes a number up to 65535"))
	}
	if cmd.Flags().Changed("export") && cmd.Flags().Changed("port") {
		wrong = append(wrong, errors.New("--export serves nothing, so that it takes no --port"))
	}
	if cmd.Flags().Changed("export") && o.export == "" {
		wrong = append(wrong, errors.New("--export takes a folder"))
	}
	if err := usage(wrong); err != nil {
		return err
	}
	pages := web.Options{Now: e.now, Open: func(ctx context.Context) (*memory.Memory, error) {
		return memory.Open(ctx,
			memory.Options{
				Dir: e.dir, Env: e.vars, Now: e.now, Entropy: e.entropy, UserStore: e.userStore,
				View: recall.Views(e.now),
			})
	}}
	if o.export != "" {
		return exportPages(cmd.Context(), e, pages, o.export)
	}
	return web.Serve(cmd.Context(), pages,
		web.Listen{Port: o.port, Entropy: e.entropy, Ready: func(url string) error {
			e.println(url)
			return nil
		}})
}

// exportPages writes the pages as files, and tells what stayed behind.
func exportPages(ctx context.Context, e *env, pages web.Options, dir string) error {
	done, err := web.Export(ctx, pages, e.path(dir))
	if errors.Is(err, web.ErrOccupied) {
		return &usageError{err: err}
	}
	if err != nil {
		return err
	}
	left := leftOutError{}
	for _, l := range done.Left {
		e.warnf("left out: %s %s: %s", l.Kind, l.ID, l.Why)
		if l.Secret {
			left.secrets++
		} else {
			left.withheld++
		}
	}
	if _, err := fmt.Fprintf(e.stdout, "%s: %s\n", e.printable(dir), counted(done.Records, "record")); err !=
		nil {
		return err
	}
	if len(done.Left) > 0 {
		return &left
	}
	return nil
}

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
			"that alone.",
		Example: "  claude mcp add ltm -- git-ltm mcp\n  codex mcp add ltm -- git-ltm mcp\n  git ltm " +
			"mcp -C ~/project",
		Annotations: map[string]string{wakeful: ""},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if e.terminal(e.stdin) {
				e.hint("an agent talks here: 'git ltm setup AGENT' tells yours to start it; ctrl-d ends it")
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
