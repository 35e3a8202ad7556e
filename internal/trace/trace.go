// Package trace counts what a command reads, for whoever asks by GIT_LTM_TRACE.
//
// It promises that counting costs one addition where nobody asks, and that what it writes is names of
// commands and numbers: no text of a record, no name of a ref, no path. It decides nothing, and nothing may
// depend on what it counted.
//
// The counters are of the process, as those of the operating system are: what is counted lies too far below a
// command for each function between them to hand a counter on.
package trace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
)

// Variable is the environment variable that asks. It holds the absolute path of a file, to which each process
// of git ltm appends a line of JSON when it ends.
const Variable = "GIT_LTM_TRACE"

// A Counter counts one kind of work in this process. Many may add to it at once.
type Counter struct{ n atomic.Int64 }

// Add counts n more.
func (c *Counter) Add(n int) { c.n.Add(int64(n)) }

// The counters. Each is added to at the one place where the work is done.
var (
	Records Counter // Records were parsed.
	Refs    Counter // Refs were read from their files, listed or looked up.
	Rows    Counter // Rows of the local index or view were read.
	Judged  Counter // Judged were records whose trust was decided.
)

// Report is a line of a trace.
type Report struct {
	Command string `json:"command"`
	PID     int    `json:"pid"`
	Exit    int    `json:"exit"`
	Records int64  `json:"records"`
	Refs    int64  `json:"refs"`
	Rows    int64  `json:"rows"`
	Judged  int64  `json:"judged"`
	// most memory that this process alone had; 0 where the system does not tell
	PeakKB int64 `json:"peak_kb"`
}

// Write appends the report of this process to a file. Where none is named it does nothing.
func Write(path, command string, exit int) (err error) {
	if path == "" {
		return nil
	}
	if !filepath.IsAbs(path) {
		return fmt.Errorf("write the trace that %s asks for: %q is no absolute path", Variable, path)
	}
	line, err := json.Marshal(Report{
		Command: command, PID: os.Getpid(), Exit: exit,
		Records: Records.n.Load(), Refs: Refs.n.Load(), Rows: Rows.n.Load(), Judged: Judged.n.Load(),
		PeakKB: peakMemory(),
	})
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return fmt.Errorf("write the trace that %s asks for: %w", Variable, err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	_, err = file.Write(append(line, '\n')) // One write, so that lines of processes do not mix.
	return err
}

// peakMemory is the most memory that this process had. What the system counts for it when it ends holds that
// of the process it came from.
func peakMemory() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, rest, _ := bytes.Cut(text, []byte("VmHWM:"))
	number, _, _ := bytes.Cut(bytes.TrimSpace(rest), []byte(" "))
	kb, err := strconv.ParseInt(string(number), 10, 64)
	if err != nil {
		return 0
	}
	return kb
}
