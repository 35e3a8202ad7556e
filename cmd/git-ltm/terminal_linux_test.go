package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"
)

// terminal is a program for scripts: terminal [-stdout] [-columns N] KEYS COMMAND...
//
// It runs a command whose standard input and standard error are a terminal of 100 or N columns and 30 rows,
// with -stdout the standard output too, and ends with its exit code. KEYS is a file of steps, one a line:
// "wait TEXT" until the terminal shows the text, and "type TEXT". What the terminal shows goes to standard
// error.
func terminal() {
	args := os.Args[1:]
	all := len(args) > 0 && args[0] == "-stdout"
	if all {
		args = args[1:]
	}
	columns := uint64(100)
	if len(args) > 1 && args[0] == "-columns" {
		columns, _ = strconv.ParseUint(args[1], 10, 16)
		args = args[2:]
	}
	if len(args) < 2 {
		fail("usage: terminal [-stdout] [-columns N] KEYS COMMAND...")
	}
	steps, err := os.ReadFile(args[0])
	if err != nil {
		fail(err.Error())
	}
	master, slave, err := openTerminal(uint16(columns), 30)
	if err != nil {
		fail(err.Error())
	}
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, os.Stdout, slave
	if all {
		cmd.Stdout = slave
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		fail(err.Error())
	}
	_ = slave.Close()
	shown := new(screen)
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(shown, master) // It ends with an error when the command does.
		close(ended)
	}()
	if err := play(string(steps), master, shown); err != nil {
		_ = cmd.Process.Kill()
		fail(err.Error() + "; the terminal shows:\n" + shown.String())
	}
	err = cmd.Wait()
	<-ended
	fmt.Fprint(os.Stderr, shown.String())
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		os.Exit(exit.ExitCode()) //nolint:revive // It is the main function of a program of its own.
	}
	if err != nil {
		fail(err.Error())
	}
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, "terminal: "+text)
	os.Exit(99) //nolint:revive // It belongs to the main function of a program.
}

// play does the steps. Each wait looks at what came after the last one.
func play(steps string, keyboard io.Writer, shown *screen) error {
	for step := range strings.Lines(steps) {
		verb, text, _ := strings.Cut(strings.TrimSpace(step), " ")
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
		if err != nil {
			return fmt.Errorf("step %q: %w", step, err)
		}
		switch verb {
		case "wait":
			if !shown.wait(text) {
				return fmt.Errorf("waited for %q", text)
			}
		case "type":
			if _, err := io.WriteString(keyboard, text); err != nil {
				return err
			}
		case "":
		default:
			return fmt.Errorf("there is no step %q", verb)
		}
	}
	return nil
}

// screen is what a terminal was sent.
type screen struct {
	mu   sync.Mutex
	all  bytes.Buffer
	seen int
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Write(p)
}

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

// wait looks for text until it is there, or too long.
func (s *screen) wait(text string) bool {
	for range 2000 {
		s.mu.Lock()
		at := bytes.Index(s.all.Bytes()[s.seen:], []byte(text))
		if at >= 0 {
			s.seen += at + len(text)
		}
		s.mu.Unlock()
		if at >= 0 {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

// openTerminal makes a pseudo-terminal.
func openTerminal(columns, rows uint16) (master, slave *os.File, err error) {
	master, err = os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	var locked, number int32
	size := [4]uint16{rows, columns}
	for _, call := range []struct {
		request uintptr
		value   unsafe.Pointer
	}{
		{syscall.TIOCSPTLCK, unsafe.Pointer(&locked)},
		{syscall.TIOCGPTN, unsafe.Pointer(&number)},
		{syscall.TIOCSWINSZ, unsafe.Pointer(&size)},
	} {
		if _, _, code := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), call.request,
			uintptr(call.value)); code != 0 {
			return nil, nil, code
		}
	}
	slave, err = os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0)
	return master, slave, err
}
