package git

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Pushing is the git push that runs a hook.
type Pushing struct {
	PID    int  // the process; 0 where there is none, and where the system does not tell, the one that started this one
	DryRun bool // nothing is sent; where the system does not tell, it is false
}

// mostAncestors is how far a push may be above its hook: managers of hooks stand between them.
const mostAncestors = 8

// PushAbove finds the git push that runs this process as its hook. Git itself does not tell a hook of a dry run.
func PushAbove() Pushing {
	pid := os.Getppid()
	if parentOf(os.Getpid()) != pid {
		return Pushing{PID: pid} // The system does not tell.
	}
	for range mostAncestors {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil {
			break
		}
		args := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
		if filepath.Base(args[0]) == "git" && slices.Contains(args, "push") {
			dry := slices.Contains(args, "--dry-run") || slices.ContainsFunc(args, shortDry)
			return Pushing{PID: pid, DryRun: dry}
		}
		if pid = parentOf(pid); pid <= 1 {
			break
		}
	}
	return Pushing{}
}

// shortDry reports whether an argument holds -n, alone or among other short options that take no value.
func shortDry(arg string) bool {
	options, ok := strings.CutPrefix(arg, "-")
	return ok && strings.Contains(options, "n") && strings.Trim(options, "nfquvd46") == ""
}

// parentOf returns the process that started another one, or 0.
func parentOf(pid int) int {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:])) // A name may hold anything.
	if len(fields) < 2 {
		return 0
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return 0
	}
	return parent
}
