// Command git-ltm keeps a project's long-term memory in git refs.
package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/trace"
	"github.com/git-ltm/git-ltm/internal/version"
)

// env is everything that a command may take from the process.
type env struct {
	dir     string // where commands start; "" is the current directory
	vars    []string
	stdin   io.Reader
	stdout  io.Writer
	stderr  io.Writer
	now     func() time.Time
	entropy io.Reader
	width   func(stream any) (columns int, terminal bool)

	asJSON  bool           // --json
	asAgent bool           // --agent: a person wants to see what agents are shown
	line    *cobra.Command // whose flags were read

	// the directory of the user-wide memory where a command works on that; "" for the repository at hand
	userStore string

	unwritten error // why standard output lacks something: the command does what it is for, and fails

	rules *scan.Rules // what errors are cleaned by; nil until a repository has others than the built-in ones
}

func main() {
	collectLate()
	ctx, stop := context.Background(), func() {}
	if len(os.Args) < 2 || os.Args[1] != "hook" { // An interrupt ends a hook at once: nothing of it is worth a word.
		ctx, stop = signal.NotifyContext(ctx, os.Interrupt)
		context.AfterFunc(ctx, stop) // A second interrupt ends what does not heed the first.
	}
	code := run(ctx, &env{
		vars: os.Environ(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		now: time.Now, entropy: rand.Reader, width: width,
	}, os.Args[1:])
	stop()
	os.Exit(code)
}

// lateMemory is how much memory this process has, of every kind, when it first collects its garbage.
const lateMemory = 40 << 20

// collectLate lets most commands end before they collect their garbage: they hold little, and the runtime
// would collect it from 4 MB on. Those that go on collect it as usual.
func collectLate() {
	usual := debug.SetGCPercent(-1)
	limit := debug.SetMemoryLimit(lateMemory)
	runtime.AddCleanup(new([64]byte), func(usual int) { // It runs behind the first collection.
		if chosen := debug.SetGCPercent(usual); chosen >= 0 {
			debug.SetGCPercent(chosen) // The command has a mind of its own.
		}
		if debug.SetMemoryLimit(-1) == lateMemory {
			debug.SetMemoryLimit(limit)
		}
	}, usual)
}

// run executes one command line and returns the exit code. An agent waits for its hook at every call of a tool,
// so that no command is made for one.
func run(ctx context.Context, e *env, args []string) int {
	name, code := "git ltm hook", codeDone
	if len(args) == 3 && args[0] == "hook" && isAgentHook(e, args[1], args[2]) {
		_ = answerAgent(ctx, e, args[1:]) // It fails for a person who types something else.
	} else {
		name, code = runLine(ctx, e, args)
	}
	if file, _ := e.getenv(trace.Variable); file != "" && name != "" {
		if err := trace.Write(file, name, code); err != nil {
			e.warnf("%v", err)
		}
	}
	return code
}

// runLine executes a command line, and returns the name of the command, too.
func runLine(ctx context.Context, e *env, args []string) (name string, code int) {
	if completesSecret(e, args) {
		return "", codeDone
	}
	args = withPart(args)
	root := newRoot(e, args...)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		err = e.unwritten
	}
	if err != nil && !e.isSilenced(cmd) {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		code = e.reportError(cmd, err)
	} else if err != nil && !strings.HasPrefix(typedName(cmd), "git ltm hook") { // Agents and git want nothing of it.
		e.hint("GIT_LTM_DISABLE is set, so nothing was done")
	}
	return cmd.CommandPath(), code
}

// print prints a part of the result for people.
func (e *env) print(args ...any) { e.printf("%s", fmt.Sprint(args...)) }

func (e *env) println(args ...any) { e.printf("%s", fmt.Sprintln(args...)) }

func (e *env) printf(format string, args ...any) {
	if e.asJSON { // The value is printed at the end.
		return
	}
	if _, err := fmt.Fprintf(e.stdout, format, args...); err != nil && e.unwritten == nil {
		e.unwritten = err
	}
}

// getenv returns the last value of an environment variable.
func (e *env) getenv(name string) (string, bool) { return git.LookupEnv(e.vars, name) }

// isDisabled tells whether the user silenced git ltm.
func (e *env) isDisabled() bool {
	v, _ := e.getenv("GIT_LTM_DISABLE")
	return v != "" && v != "0"
}

// isGiven tells a flag that stands on the command line.
func (e *env) isGiven(flag string) bool { return e.line != nil && e.line.Flags().Changed(flag) }

// guards are the commands that guard others, which no user silences.
const guards = ", doctor, check, scan, mcp, hook pre-receive,"

// isListed tells a command that a list names.
func isListed(cmd *cobra.Command, list string) bool {
	return strings.Contains(list, " "+strings.TrimPrefix(typedName(cmd), "git ltm ")+",")
}

// isSilenced tells whether the user silenced a command.
func (e *env) isSilenced(cmd *cobra.Command) bool {
	return e.isDisabled() && !isListed(cmd, guards)
}

// errDisabled ends a command that the user silenced.
var errDisabled = errors.New("silenced by GIT_LTM_DISABLE")

// speaksOfProgram tells whether a command only speaks of the program itself.
func speaksOfProgram(cmd *cobra.Command) bool {
	switch cmd.Name() {
	case "version", "help", "completion", "git-ltm":
		return true
	}
	return false
}

func newRoot(e *env, args ...string) *cobra.Command {
	var asked, user bool
	root := &cobra.Command{
		Use:   "git-ltm",
		Short: "Keep a project's long-term memory in git",
		Long: "git ltm remembers what you and your agents learned while working on a project: goals, " +
			"decisions, failed\n" +
			"attempts, constraints and the next step. A session saves it in the repository's own refs; " +
			"any later session, on\n" +
			"any machine, starts from it. 'git ltm sync' exchanges it with a remote.",
		SilenceErrors:     true,
		SilenceUsage:      true,
		DisableAutoGenTag: true,
		Args:              noCommand,
		Annotations:       map[string]string{cobra.CommandDisplayNameAnnotation: "git ltm"},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if asked {
				return printVersion(cmd.Context(), e, nil)
			}
			return cmd.Help()
		},
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetIn(e.stdin)
	root.SetOut(e.stdout)
	root.SetErr(e.stderr)
	root.SetFlagErrorFunc(noFlag)
	root.Flags().BoolVar(&asked, "version", false, "print the version")
	var dirs []string
	root.PersistentFlags().StringArrayVarP(&dirs, "directory", "C", nil, "run as if started in `DIR`")
	root.PersistentFlags().BoolVar(&user, "user", false,
		"work on your user-wide memory, which belongs to no repository")
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		e.dir = joinDirs(e.dir, dirs)
		if e.isSilenced(cmd) && !speaksOfProgram(cmd) {
			return errDisabled
		}
		if user && !speaksOfProgram(cmd) {
			return e.workOnUser(cmd.Context(), cmd)
		}
		return nil
	}
	root.AddGroup(helpGroups()...)
	root.AddCommand(makeCommands(e, args)...)
	addHelp(root)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		completeCommand(e, root)
	}
	return root
}

// width returns the columns of a terminal.
func width(stream any) (int, bool) {
	f, ok := stream.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	columns, _, err := term.GetSize(int(f.Fd()))
	if err != nil || columns <= 0 {
		columns = 80
	}
	return columns, true
}

func (e *env) isTerminal(stream any) bool {
	_, ok := e.width(stream)
	return ok
}

func printVersion(_ context.Context, e *env, _ []string) error {
	if e.asJSON {
		return e.printJSON(command.Version{
			Release: version.Release(), Packets: packet.Version,
			Commit: version.Commit(),
		})
	}
	e.println(version.Text())
	return nil
}

// awaitRemote says once which remote is waited for, and once more where a person at the terminal may
// end that. Without a terminal the exchange ends there.
func awaitRemote(ctx context.Context, e *env, m *memory.Memory, name string,
	shown *progress,
) (remote.Patience, error) {
	config, err := m.Config(ctx)
	if err != nil {
		return remote.Patience{}, err
	}
	limit, err := remote.SilenceLimit(config)
	if err != nil {
		return remote.Patience{}, err
	}
	address, _ := config.Get("remote." + name + ".url")
	type wait struct {
		since time.Duration
		of    remote.Awaited
	}
	said := map[wait]bool{}
	attended := e.isTerminal(e.stdin) || e.isTerminal(e.stderr)
	return remote.Patience{
		Limit: limit, Endless: attended,
		Say: func(since time.Duration, of remote.Awaited) {
			if said[wait{since, of}] {
				return
			}
			said[wait{since, of}] = true
			what := fmt.Sprintf("waiting for %s (%s)", name, reply.Address(address))
			if of == remote.AnotherOne {
				what = fmt.Sprintf("waiting for another exchange of this clone with %s (%s)", name,
					reply.Address(address))
			}
			line := what
			if since == limit {
				line = fmt.Sprintf("still %s: nothing came for %d s; Ctrl-C gives up", what,
					int(since.Seconds()))
			}
			shown.end()
			_, _ = fmt.Fprintln(e.stderr, "git-ltm: "+e.printable(line)) // Nobody decides by it.
		},
	}, nil
}
