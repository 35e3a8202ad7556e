// Command git-ltm keeps a project's long-term memory in git refs.
package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/session"
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
	self    func() (file string, err error) // self is the program itself, which may start once more

	asJSON  bool           // --json
	asAgent bool           // --agent: a person wants to see what agents are shown
	line    *cobra.Command // whose flags were read

	// the directory of the user-wide memory where a command works on that; "" for the repository at hand
	userStore string

	unanswered error // that a person ended the command instead of answering
	unwritten  error // why standard output lacks something: the command does what it is for, and fails

	rules *scan.Rules // what errors are cleaned by; nil until a repository has others than the built-in ones
}

func main() {
	collectLate()
	ctx := context.Background()
	if len(os.Args) < 2 || os.Args[1] != "hook" { // An interrupt ends a hook at once: nothing of it is worth a word.
		interruptible, stop := signal.NotifyContext(ctx, os.Interrupt)
		context.AfterFunc(interruptible, stop) // A second one ends what does not heed the first.
		ctx = interruptible
	}
	os.Exit(run(ctx, &env{
		vars: os.Environ(), stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr,
		now: time.Now, entropy: rand.Reader, width: width, self: os.Executable,
	}, os.Args[1:]))
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
		err = cmp.Or(e.unanswered, e.unwritten)
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
	root.AddCommand(makeCommands(e, args)...)
	addHelp(e, root)
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

// awaitRemote says once which remote is waited for. Without a person at a terminal, who may end that, the
// exchange ends by itself.
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
	said := map[remote.Awaited]bool{}
	how := ""
	if e.isTerminal(e.stdin) || e.isTerminal(e.stderr) {
		limit, how = 0, "; Ctrl-C gives up"
	}
	return remote.Patience{
		Limit: limit,
		Say: func(of remote.Awaited) {
			if said[of] {
				return
			}
			said[of] = true
			line := fmt.Sprintf("waiting for %s (%s)%s", name, reply.Address(address), how)
			if of == remote.AnotherOne {
				line = fmt.Sprintf("waiting for another exchange of this clone with %s (%s)%s", name,
					reply.Address(address), how)
			}
			shown.end()
			_, _ = fmt.Fprintln(e.stderr, "git-ltm: "+e.printable(line)) // Nobody decides by it.
		},
	}, nil
}

// memoryOptions open the memory of the repository, or that of the user.
func (e *env) memoryOptions() memory.Options {
	return memory.Options{
		Dir: e.dir, Env: e.vars, Now: e.now, Entropy: e.entropy, UserStore: e.userStore,
		View: recall.Views(e.now),
	}
}

// useMemory opens the memory of the repository, calls do, and tells what was skipped
// and mended on the way.
func (e *env) useMemory(ctx context.Context, do func(m *memory.Memory) error) (err error) {
	opts := e.memoryOptions()
	host, inShell := agent.InShellOf(e.getenv)
	_, _, inSession := agent.SessionIn(e.getenv)
	if opts.Agent = string(host); inShell || inSession {
		var places []string // Where the shell is, or was: these know more of a session than what -C names.
		for _, name := range []string{"PWD", "OLDPWD"} {
			if dir, _ := e.getenv(name); filepath.IsAbs(dir) && (dir != e.dir || e.userStore != "") {
				places = append(places, dir)
			}
		}
		opts.Shown = session.Shown(memory.Options{Env: e.vars, Now: e.now, Entropy: e.entropy}, places...)
		opts.Unattended = !e.isTerminal(e.stdin)
	}
	m, err := memory.Open(ctx, opts)
	if err != nil {
		return err
	}
	defer func() {
		if closing := m.Close(); err == nil {
			err = closing
		}
	}()
	if err = do(m); err != nil {
		// What went wrong is told in words that may hold a secret of the house. Where the rules cannot be
		// read, that is what went wrong, or nothing was scanned.
		e.rules, _ = m.Rules(ctx)
	}
	if several, ok := errors.AsType[*replay.AmbiguousError](err); ok {
		several.Told = tellSeveral(ctx, m, several.IDs)
	}
	if ctx.Err() == nil && m.Purges().Erased().MustForget() {
		forgetErased(ctx, e, m)
	}
	tellMended(e, m)
	if fault := m.UserError(); fault != nil { // No command fails by that.
		e.warnf("your user-wide memory is left out: %v", fault)
		e.hint("mend it, name another with 'git config --global ltm.userStore DIR', or turn it off " +
			"with 'off' for DIR")
	} else if user := m.UserOpened(); user != nil {
		tellMended(e, user)
	}
	return err
}

// tellSeveral names the newest of several records with what they say, those first that are no changes of others.
func tellSeveral(ctx context.Context, m *memory.Memory, ids []packet.ID) (told []string) {
	const mostRead = 64
	var changes []string
	slices.SortFunc(ids, func(a, b packet.ID) int { return strings.Compare(string(b), string(a)) })
	for _, id := range ids[:min(len(ids), mostRead)] {
		if title := titleOf(ctx, m, string(id)); title != "" {
			if told = append(told, string(id)+" "+title); len(told) == replay.MostNamed {
				break // No record is read that is not named.
			}
		} else {
			changes = append(changes, string(id))
		}
	}
	told = append(told, changes...)
	told = told[:min(len(told), replay.MostNamed)]
	if more := len(ids) - len(told); more > 0 {
		told = append(told, fmt.Sprintf("and %d more", more))
	}
	return told
}

// tellMended tells what became of signatures that were wanted, that one gave this clone the id of its store, and
// what was skipped and mended in one memory.
func tellMended(e *env, m *memory.Memory) {
	for _, u := range m.Signer().Unsigned() {
		e.warnf("STORED UNSIGNED: %s: %v", u.ID, u.Err)
		for _, d := range errorDetails(u.Err) {
			_, _ = fmt.Fprintf(e.stderr, "  %s\n", e.printable(d))
		}
		if command.NamedByTeam(u.Err) {
			e.hint("look at the list and accept it with 'git ltm trust init'")
		}
		e.hint("sign it later with 'git ltm sign " + string(u.ID) +
			"'; with ltm.sign = required nothing is stored unsigned")
	}
	if id := m.Signer().NewStore(); id != "" {
		e.hint("this clone made the store id " + id +
			" (git config ltm.store); signatures are good in clones that have the same")
	}
	e.warnAll(command.Mended(m))
}

// joinDirs applies -C as git does: each is relative to the one before.
func joinDirs(start string, dirs []string) string {
	for _, d := range dirs {
		switch {
		case d == "":
		case filepath.IsAbs(d):
			start = d
		default:
			start = filepath.Join(start, d)
		}
	}
	return start
}

// founders are the commands that make the user-wide memory where there is none.
const founders = ", save, init, import, note, skip add, task add,"

// workOnUser makes a command work on the user-wide memory instead of the repository at hand. Files on its
// command line are still those of the directory at hand.
func (e *env) workOnUser(ctx context.Context, cmd *cobra.Command) error {
	if typedName(cmd) == "git ltm setup" {
		return usagef("--user means your user-wide memory, which setup has nothing to do with; your own " +
			"files of an " +
			"agent are --scope user")
	}
	store, err := memory.FindUserStore(ctx, e.dir, e.vars)
	if err != nil {
		return err
	}
	made, err := store.Exists()
	if err != nil {
		return fmt.Errorf("user-wide memory: %w", err)
	}
	rehearsed, _ := cmd.Flags().GetBool("dry-run") // It makes none.
	switch {
	case !made && (rehearsed || !isListed(cmd, founders)):
		return fmt.Errorf("%q: %w", store.Path, memory.ErrNoUserStore)
	case !made:
		if err := store.Make(ctx, e.vars); err != nil {
			return err
		}
		e.hint("made your user-wide memory: " + store.Path)
	}
	e.userStore, e.vars = store.Path, store.Env(e.vars)
	return nil
}

// fromUser says that a record is of the user-wide memory, where it was asked for in a repository.
func (e *env) fromUser(m, of *memory.Memory, entry replay.Entry) {
	if of != m {
		e.hint(string(entry.Kind()) + " " + string(entry.ID) +
			" is of your user-wide memory, not of this repository")
	}
}

// forgetErased takes out of the index what is not among the records any more. Where that fails,
// nothing of it is
// told all the same: the index is asked for places only, and the records are read.
func forgetErased(ctx context.Context, e *env, m *memory.Memory) {
	if err := recall.Refresh(ctx, m, recall.Options{Now: e.now}); err != nil {
		e.warnf("the index still holds words of what is gone; delete %q: %v", recall.IndexPath(m), err)
	}
}

// maxDocument is the number of bytes of the largest file that is checked or
// scanned.
const maxDocument = 64 << 20

// standardInput is how a command line names standard input.
const standardInput = "-"

// dashFile is how the file of that name is called.
const dashFile = "./-"

// resolvePath applies -C to the name of a file; none stays none.
func (e *env) resolvePath(name string) string {
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(e.dir, name)
}

// readDocument reads a file, or standard input for "-".
func (e *env) readDocument(ctx context.Context, name string) (data []byte, err error) {
	if name == standardInput {
		if data, err = e.readStdin(ctx, maxDocument+1); err != nil {
			return nil, err
		}
	} else {
		f, err := os.Open(e.resolvePath(name))
		if err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			err = fmt.Errorf("%q is a directory; name the files in it, as git ls-files lists them", name)
			return nil, errors.Join(err, f.Close())
		}
		data, err = io.ReadAll(io.LimitReader(f, maxDocument+1))
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
	}
	if len(data) > maxDocument {
		return nil, fmt.Errorf("read %q: it has more than %d bytes, which is the most that is read", name,
			maxDocument)
	}
	return data, nil
}

// readStdin reads standard input until it ends or the command is interrupted. A
// read from a terminal or a pipe cannot be called back, so it is left behind
// then; the process is about to end.
func (e *env) readStdin(ctx context.Context, limit int64) ([]byte, error) {
	if e.isTerminal(e.stdin) {
		e.hint("reading from the terminal; ctrl-d ends it")
	}
	type answer struct {
		data []byte
		err  error
	}
	done := make(chan answer, 1)
	go func() {
		data, err := io.ReadAll(io.LimitReader(e.stdin, limit))
		done <- answer{data, err}
	}()
	select {
	case a := <-done:
		if a.err != nil {
			return nil, fmt.Errorf("read standard input: %w", a.err)
		}
		return a.data, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// checkEachFile looks at files, several side by side, and adds what it finds in the order of their names. One
// that cannot be read is told and counted, and the others are looked at all the same. No more files are held in
// memory than are looked at.
func checkEachFile(ctx context.Context, e *env, v *verdict, files []string,
	look func(name string, data []byte) check.Checked,
) error {
	for some := range slices.Chunk(files, runtime.GOMAXPROCS(0)) {
		checked, failed := make([]check.Checked, len(some)), make([]error, len(some))
		var started sync.WaitGroup
		for i, name := range some {
			started.Go(func() {
				data, err := e.readDocument(ctx, name)
				if failed[i] = err; err == nil {
					checked[i] = look(calledFile(name), data)
				}
			})
		}
		started.Wait()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for i, err := range failed {
			if err != nil {
				v.progress.end()
				v.unread++
				e.warnf("%v", err)
				continue
			}
			v.addChecked(checked[i])
		}
	}
	return ctx.Err()
}

// calledFile is how a report calls a file.
func calledFile(name string) string {
	clean := filepath.ToSlash(filepath.Clean(name))
	if clean == standardInput && name != standardInput {
		return dashFile
	}
	return clean
}

// ownOnly is who may read a new file: its owner.
const ownOnly = 0o600

// replaceFile writes a file as a whole, in the place of the one that is there. It never writes through a
// link, since in a work tree somebody else may have chosen where that leads. What is no file, such as
// /dev/null, is written to.
func replaceFile(name string, write func(io.Writer) error) error {
	mode := fs.FileMode(ownOnly)
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return fmt.Errorf("%q is a symbolic link; name the file itself", name)
	case info.IsDir():
		return fmt.Errorf("%q is a directory", name)
	case !info.Mode().IsRegular():
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	default:
		mode = info.Mode().Perm()
	}
	return local.Replace(name, local.Replacement{Perm: mode, Exact: true}, write)
}
