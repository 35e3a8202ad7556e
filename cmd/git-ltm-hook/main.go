// Command git-ltm-hook answers the hooks of agents that have nothing to say, and leaves everything else to
// git-ltm.
//
// It takes the command lines of git-ltm. Agents wait at every call of a tool, and nearly always there is
// nothing to tell them: that much is said here, in a program that starts in the time of an empty one, by the
// packages by which git-ltm says it. What is not quiet, and every other command, is handed over, with what
// was read of standard input, to the git-ltm that lies beside this program or on the PATH. Nothing needs this
// program: git-ltm gives the same answers, and takes longer to begin.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/program"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/version"
)

func main() {
	args := os.Args[1:]
	if len(args) == 1 && args[0] == "version" {
		fmt.Println(version.Text())
		return
	}
	var read []byte
	if len(args) == 3 && args[0] == "hook" {
		var silent bool
		if read, silent = readHook(args[1], args[2]); silent {
			return
		}
	}
	code, err := handOver(args, read)
	if err != nil {
		fmt.Fprintf(os.Stderr,
			"git-ltm-hook: error: %v\ngit-ltm-hook: hint: install git-ltm beside this program\n", err)
		code = 1
	}
	os.Exit(code)
}

// patience is how long an agent waits for a hook of a tool, as with git-ltm.
const patience = 2 * time.Second

// readHook reads what an agent says of a tool, and tells whether there is nothing to answer. Of other hooks it
// reads nothing.
func readHook(host, event string) (read []byte, silent bool) {
	h, known := agent.ParseHost(host, os.LookupEnv)
	e, named := agent.ParseEvent(event)
	_, disabled := os.LookupEnv("GIT_LTM_DISABLE")
	if !known || !named || disabled || !e.OfTool() {
		return nil, false
	}
	late := time.AfterFunc(patience, func() { os.Exit(0) }) // Who hands over nothing is told nothing.
	defer late.Stop()
	read, err := local.ReadAll(os.Stdin, agent.MaxInput)
	if err != nil {
		os.Exit(0) // What is too much is none of an agent that works.
	}
	defer func() {
		if recover() != nil {
			silent = false // A fault of the program is told by the one that keeps it.
		}
	}()
	moment, err := agent.Read(h, e, read)
	return read, err == nil && quiet.Tool(moment, os.Environ())
}

// handOver lets git-ltm do what there is to do.
func handOver(args []string, read []byte) (code int, err error) {
	file, err := findFull()
	if err != nil {
		return 0, err
	}
	return program.Become(file, args, read)
}

// findFull is the file of git-ltm: the one beside this program, or that of the PATH.
func findFull() (string, error) {
	name := "git-ltm"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	own, err := os.Executable()
	if err == nil {
		if own, err = filepath.EvalSymlinks(own); err == nil {
			if beside := filepath.Join(filepath.Dir(own), name); local.At(beside).Exists() {
				return beside, nil
			}
		}
	}
	file, missing := program.Find(name, "", os.Getenv("PATH"))
	return file, missing
}
