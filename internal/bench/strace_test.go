package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/trace"
)

// counts is what a command did that does not depend on the machine, with all that it started and waited for.
// What it left behind is apart.
type counts struct {
	processes int // programs that were started, the command among them
	syncs     int // fsync and fdatasync
	files     int // files and folders that were opened, but those of the system
	bytes     int // that were read from files and pipes
	records   int // that git ltm parsed
	refs      int // that git ltm read, one by one
	judged    int // records whose trust git ltm decided
	rows      int // that git ltm read of its view
	left      int // programs that were started and not waited for
	leftBytes int // that those read
}

// A traced process or thread, by the lines of its file.
type traced struct {
	started  []int // by it
	detached bool  // it made itself a session of its own
	counts   counts
}

// syscalls are what strace has to tell.
const syscalls = "trace=execve,clone,clone3,fork,vfork,setsid,openat,open,read,pread64,readv,preadv,fsync,fdatasync,syncfs,sync"

// systemCall is a line of strace that ended well: its name, what it was given and what it returned.
var systemCall = regexp.MustCompile(`^(\w+)\((.*)\) += (\d+)$`)

// ofSystem is the file of a system that a program opens when it starts; what lies in /dev/shm is of the tests.
var ofSystem = regexp.MustCompile(`^(?:AT_FDCWD, )?"/(?:(?:etc|usr|lib|lib64|sys|proc)/|dev/(?:[^s]|s[^h]))`)

// needStrace skips the test visibly where the system cannot tell what processes do; in CI that is a failure.
func needStrace(t *testing.T) {
	t.Helper()
	r := &repo{home: t.TempDir(), env: []string{"PATH=" + os.Getenv("PATH")}}
	if err := catch(func() {
		r.counted(t.Context(), call{file: "git", args: []string{"version"}, dir: r.home})
	}); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("nothing can be counted: %v", err)
		}
		t.Skipf("NOTHING IS COUNTED, install strace and allow it to trace: %v", err)
	}
}

// counted runs a program below strace and counts what it did. What it printed is in the sample.
func (r *repo) counted(ctx context.Context, c call) (sum counts, took sample) {
	folder := must(os.MkdirTemp(r.home, "strace-"))
	defer func() { _ = os.RemoveAll(folder) }()
	file := filepath.Join(folder, "trace")
	c.args = slices.Concat([]string{
		"-ff", "-qq", "--seccomp-bpf", "-s", "16", "-e", "signal=none", "-e", syscalls, "-o",
		filepath.Join(folder, "of"), "--", c.file,
	}, c.args)
	c.file, c.env = "strace", append(slices.Clip(c.env), trace.Variable+"="+file)
	took = r.measureCall(ctx, c)
	all := must(readStrace(folder))
	behind := map[int]bool{}
	for pid, p := range all {
		if p.detached {
			markBehind(all, pid, behind)
		}
	}
	for pid, p := range all {
		if behind[pid] {
			sum.left, sum.leftBytes = sum.left+p.counts.processes, sum.leftBytes+p.counts.bytes
			continue
		}
		sum.processes, sum.syncs = sum.processes+p.counts.processes, sum.syncs+p.counts.syncs
		sum.files, sum.bytes = sum.files+p.counts.files, sum.bytes+p.counts.bytes
	}
	for _, one := range readTrace(file) {
		if behind[one.PID] {
			continue
		}
		sum.records, sum.refs = sum.records+int(one.Records), sum.refs+int(one.Refs)
		sum.judged, sum.rows = sum.judged+int(one.Judged), sum.rows+int(one.Rows)
	}
	return sum, took
}

// markBehind marks a process and all that it started.
func markBehind(all map[int]*traced, pid int, behind map[int]bool) {
	if p := all[pid]; p != nil && !behind[pid] {
		behind[pid] = true
		for _, child := range p.started {
			markBehind(all, child, behind)
		}
	}
}

// readStrace reads a file for each process and thread.
func readStrace(folder string) (map[int]*traced, error) {
	files, err := filepath.Glob(filepath.Join(folder, "of.*"))
	if err != nil {
		return nil, err
	}
	all := map[int]*traced{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		pid, err := strconv.Atoi(filepath.Ext(file)[1:])
		if err != nil {
			return nil, err
		}
		p := &traced{}
		for line := range strings.Lines(string(text)) {
			p.read(strings.TrimSuffix(line, "\n"))
		}
		all[pid] = p
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("strace wrote nothing")
	}
	return all, nil
}

// read counts one system call.
func (p *traced) read(line string) {
	if strings.HasPrefix(line, "+++ superseded by execve") {
		// A thread other than the first became another program. What the call returned is not told.
		p.counts.processes++
		return
	}
	parts := systemCall.FindStringSubmatch(line)
	if parts == nil {
		return // It failed, or is no call.
	}
	number, _ := strconv.Atoi(parts[3])
	switch parts[1] {
	case "execve":
		p.counts.processes++
	case "clone", "clone3", "fork", "vfork":
		p.started = append(p.started, number)
	case "setsid":
		p.detached = true
	case "fsync", "fdatasync", "syncfs", "sync":
		p.counts.syncs++
	case "open", "openat":
		if !ofSystem.MatchString(parts[2]) {
			p.counts.files++
		}
	default:
		p.counts.bytes += number
	}
}

// TestTraced shows what is counted of what strace tells.
func TestTraced(t *testing.T) {
	t.Parallel()
	var got traced
	for _, line := range []string{
		`execve("/bin/git", ["git"...], 0x1 /* 3 vars */) = 0`,
		`+++ superseded by execve in pid 76 +++`,
		`<... execve resumed>)                   = -1 (errno 18446744073709551359)`,
		`openat(AT_FDCWD, ".git/HEAD", O_RDONLY) = 3`,
		`openat(AT_FDCWD, "/tmp/repo/.git/o"..., O_RDONLY) = 3`,
		`openat(AT_FDCWD, "none", O_RDONLY) = -1 ENOENT (No such file or directory)`,
		`openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3`,
		`read(3, ""..., 4096) = 21`,
		`pread64(3, ""..., 4096, 0) = 100`,
		`read(4, 0x1, 4096)       = -1 EAGAIN (Resource temporarily unavailable)`,
		`fdatasync(4)         = 0`,
		`fsync(4) = -1 EINVAL (Invalid argument)`,
		`clone(child_stack=NULL, flags=CLONE_VM|CLONE_VFORK|SIGCHLD) = 77`,
		`setsid()                                = 77`,
		`+++ exited with 0 +++`,
	} {
		got.read(line)
	}
	want := counts{processes: 2, files: 2, bytes: 121, syncs: 1}
	if got.counts != want || !got.detached || !slices.Equal(got.started, []int{77}) {
		t.Errorf("counted %+v, want %+v, detached, with 77 started", got, want)
	}
	behind := map[int]bool{}
	markBehind(map[int]*traced{1: {started: []int{2}}, 2: {started: []int{3, 4}}, 3: {}}, 2, behind)
	if !maps.Equal(behind, map[int]bool{2: true, 3: true}) {
		t.Errorf("behind are %v", behind)
	}
}
