package main

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-ltm/git-ltm/internal/git/gittest"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

var update = flag.Bool("update", false, "rewrite golden files and generated documentation")

// TestMain is each of the programs of scripts when it is started by its name, and puts them into the path when it is not.
func TestMain(m *testing.M) {
	programs := map[string]func(){"git-ltm": mainChecked, "terminal": terminal, "measured": measured}
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if program := programs[name]; program != nil {
		os.Args[0] = name
		program()
		os.Exit(0)
	}
	time.Local = time.UTC // As in the processes of scripts.
	dir, err := installPrograms(slices.Collect(maps.Keys(programs)))
	// testscript leaves its folder where not every script runs. The name is short: gpg has a socket below it, whose path
	// may have a hundred characters.
	work := ""
	for i := 0; err == nil && work == ""; i++ {
		made := filepath.Join(os.TempDir(), "t"+strconv.Itoa(i))
		if err = os.Mkdir(made, 0o700); errors.Is(err, fs.ErrExist) {
			err = nil
		} else if err == nil {
			work, err = made, os.Setenv("GOTMPDIR", made)
		}
	}
	code := 1
	if err == nil {
		code = m.Run()
		awaitProcesses(work)
	}
	if err := errors.Join(err, os.RemoveAll(dir), os.RemoveAll(work)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// awaitProcesses waits, where there is /proc, until no process works below a folder: what a hook starts goes on when
// the hook has ended, and may still write there.
func awaitProcesses(folder string) {
	for range 600 {
		places, _ := filepath.Glob("/proc/[0-9]*/cwd")
		if !slices.ContainsFunc(places, func(place string) bool {
			dir, err := os.Readlink(place)
			return err == nil && strings.HasPrefix(dir, folder+string(filepath.Separator))
		}) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// installPrograms writes the program of the tests under each name into a folder, which comes first in the path. Scripts
// start it thousands of times. A file on a disk that was written at once lies in large pages, of which a start touches a
// few, where a file in memory, as all others of the tests are, has thousands of small ones: LTM_TEST_DISK names a
// folder there.
func installPrograms(names []string) (dir string, err error) {
	if dir, err = os.MkdirTemp(os.Getenv("LTM_TEST_DISK"), "git-ltm-programs-"); err != nil {
		return "", err
	}
	self, err := os.Executable()
	if err != nil {
		return dir, err
	}
	program, err := os.ReadFile(self)
	if err != nil {
		return dir, err
	}
	first := ""
	for _, name := range names {
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		path := filepath.Join(dir, name)
		if first == "" {
			first, err = path, os.WriteFile(path, program, 0o700)
		} else {
			err = os.Link(first, path)
		}
		if err != nil {
			return dir, err
		}
	}
	return dir, os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// gitConfig is the whole configuration that a script sees.
const gitConfig = `[user]
	name = Ada Tester
	email = ada@example.com
[init]
	defaultBranch = main
	templateDir =
[protocol "file"]
	allow = always
[gc]
	auto = 0
[maintenance]
	auto = false
[receive]
	autoGC = false
`

// scripts is the folder of the scripts.
var scripts = filepath.Join("..", "..", "testdata", "script")

func TestScript(t *testing.T) {
	t.Parallel()
	team := sync.OnceValues(func() (string, error) { return makeTeam(t) })
	testscript.Run(t, testscript.Params{
		Dir:                 scripts,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Values[teamFolder{}] = team
			return isolate(e)
		},
		Condition: condition,
		Cmds:      commands,
	})
}

// isolate hides the user from a script.
func isolate(e *testscript.Env) error {
	home := filepath.Join(e.WorkDir, "home")
	if err := os.MkdirAll(home, 0o700); err != nil {
		return err
	}
	global := filepath.Join(home, ".gitconfig")
	if err := os.WriteFile(global, []byte(gitConfig), 0o600); err != nil {
		return err
	}
	e.Values[remembered{}] = map[string]string{}
	e.Values[owned{}] = rings{}
	e.Values[serving{}] = map[string]*gittest.Server{}
	vectors, err := filepath.Abs(filepath.Join("..", "..", "testdata", "packet"))
	if err != nil {
		return err
	}
	for k, v := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"),
		"XDG_DATA_HOME": filepath.Join(home, ".data"),
		"GNUPGHOME":     filepath.Join(home, ".gnupg"), "SSH_AUTH_SOCK": "", "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_CONFIG_GLOBAL": global,
		"LC_ALL":            "C", "TZ": "UTC", "TERM": "dumb", "DISPLAY": "", "WAYLAND_DISPLAY": "",
		"GIT_TERMINAL_PROMPT": "0", "EDITOR": "false",
		"TMPDIR": e.WorkDir, "USERPROFILE": home, "VECTORS": vectors,
		"GORACE": "atexit_sleep_ms=0", // Otherwise each command of a test with -race ends a second late.
	} {
		e.Setenv(k, v)
	}
	names := map[string]bool{}
	for _, one := range e.Vars {
		name, _, _ := strings.Cut(one, "=")
		names[name] = true
	}
	e.Values[variables{}] = names
	return nil
}

// condition answers [reftable] and [sha256]: whether a git can make such repositories, [root]: whether the
// tests run as the super-user, [sshd]: whether ssh can be served here, and for a program that holds keys,
// whether it is here. In CI what a script needs must be there.
func condition(name string) (bool, error) {
	switch name {
	case "reftable":
		return needed(name, "--ref-format=reftable"), nil
	case "huge":
		return os.Getenv("LTM_TEST_HUGE") != "", nil
	case "root":
		return os.Getuid() == 0, nil
	case "sha256":
		return needed(name, "--object-format=sha256"), nil
	case "gpg", "gpgsm", "ssh-keygen", "ssh-agent":
		return installed(name), nil
	case "tmpfs": // A small disk, which only a namespace of one's own can mount without the super-user.
		return exec.Command("unshare", "-rm", "sh", "-c", "mount -t tmpfs -o size=64k none /mnt").Run() ==
			nil, nil
	case "sshd":
		return servable(gittest.SSH), nil
	default:
		return false, os.ErrInvalid
	}
}

func installed(program string) bool {
	missing := keytest.Missing(program)
	if missing != "" && os.Getenv("CI") == "true" {
		panic("CI has no " + missing)
	}
	return missing == ""
}

func needed(name, option string) bool {
	dir, err := os.MkdirTemp("", "git-ltm-probe-")
	if err != nil {
		return false
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := "git"
	if other := os.Getenv("LTM_TEST_GIT"); other != "" && name == "reftable" {
		program = filepath.Join(other, "git")
	}
	can := exec.Command(program, "init", "-q", option, dir).Run() == nil
	if !can && os.Getenv("CI") == "true" {
		panic("CI has no git that makes " + name +
			" repositories; LTM_TEST_GIT may name the directory of one")
	}
	return can
}
