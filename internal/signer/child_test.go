//go:build !windows

package signer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/signer"
	"github.com/git-ltm/git-ltm/internal/signer/keytest"
)

// childVariable names the file of an order for a copy of the test program. The copy signs in a session of its
// own: whether a test may be asked for a passphrase does not depend on who runs it then.
const childVariable = "SIGNER_TEST_ORDER"

// order is what a child does.
type order struct {
	Config signer.Config
	Cancel string // Cancel names a pipe; the first byte in it cancels the signing.
	Report string // Report is the file for the answer.
}

// report is what a child answers.
type report struct {
	Signature, Error           string
	Program, Timeout, Canceled bool // The error is a ProgramError, ErrTimeout, or the end of the context.
}

func TestMain(m *testing.M) {
	if file := os.Getenv(childVariable); file != "" {
		if err := child(file); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

// child is the other process.
func child(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var o order
	if err := json.Unmarshal(data, &o); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if o.Cancel != "" {
		go func() {
			// Opened for writing too, it does not wait for a writer.
			if pipe, err := os.OpenFile(o.Cancel, os.O_RDWR, 0); err == nil {
				_, _ = pipe.Read(make([]byte, 1))
				cancel()
			}
		}()
	}
	signature, err := signer.Sign(ctx, o.Config, []byte("payload\n"))
	r := report{
		Signature: string(signature), Program: isProgramError(err),
		Timeout: errors.Is(err, signer.ErrTimeout), Canceled: errors.Is(err, context.Canceled),
	}
	if err != nil {
		r.Error = err.Error()
	}
	if data, err = json.Marshal(r); err != nil {
		return err
	}
	return os.WriteFile(o.Report, data, 0o600)
}

// prepare writes an order and returns the command that obeys it, and what reads the answer.
func prepare(t *testing.T, o order) (argv, env []string, read func() report) {
	t.Helper()
	dir := t.TempDir()
	o.Report = filepath.Join(dir, "report")
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "order")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return []string{program}, append(os.Environ(), childVariable+"="+file), func() report {
		t.Helper()
		var r report
		if data, err = os.ReadFile(o.Report); err == nil {
			err = json.Unmarshal(data, &r)
		}
		if err != nil {
			t.Fatalf("the child left no report: %v", err)
		}
		return r
	}
}

// unattended signs in a process that has no terminal.
func unattended(t *testing.T, o order) report {
	t.Helper()
	argv, env, read := prepare(t, o)
	cmd := exec.CommandContext(t.Context(), argv[0])
	cmd.Env, cmd.SysProcAttr = env, &syscall.SysProcAttr{Setsid: true}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("child: %v\n%s", err, out)
	}
	return read()
}

// TestSign_unattended shows that a locked key fails, and asks nobody, where there is no terminal. Had
// anything waited for a person, the answer would be that the time ran out.
func TestSign_unattended(t *testing.T) {
	t.Parallel()
	phrase := "a pass phrase"
	path, _ := keytest.LockedSSHKey(t, "ed25519", "locked", phrase)
	home := keytest.GPGHome(t)
	for _, c := range []struct {
		config signer.Config
		says   string
	}{
		{signer.Config{Format: signer.SSH, Key: path, Env: plainEnv(t)}, "passphrase"},
		{
			signer.Config{Key: home.GenerateLocked(identity, "ed25519", phrase), Env: home.Env()},
			"signing failed",
		},
	} {
		c.config.Timeout = time.Minute
		r := unattended(t, order{Config: c.config})
		if !r.Program || r.Timeout || !strings.Contains(r.Error, c.says) ||
			strings.Contains(r.Error, phrase) {
			t.Errorf("report = %+v, want a ProgramError that says %q", r, c.says)
		}
	}
}

// TestSign_terminal shows that a locked key asks at the terminal, where there is one.
func TestSign_terminal(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("the program script has other arguments here")
	}
	keytest.Needs(t, "script")
	phrase := "a pass phrase"
	path, _ := keytest.LockedSSHKey(t, "ed25519", "locked", phrase)
	argv, env, read := prepare(t,
		order{Config: signer.Config{
			Format: signer.SSH, Key: path, Env: plainEnv(t),
			Timeout: 20 * time.Second,
		}})
	cmd := exec.CommandContext(t.Context(), "script", "-qec", argv[0], os.DevNull)
	env = append(env, "SHELL=/bin/sh")
	cmd.Env, cmd.SysProcAttr = env, &syscall.SysProcAttr{Setsid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	for buf := make([]byte, 1); !strings.Contains(said.String(), "passphrase"); {
		if _, err := out.Read(buf); err != nil {
			t.Fatalf("nobody asked for a passphrase: %v, %q, %+v", err, &said, read())
		}
		said.Write(buf)
	}
	if _, err := io.WriteString(in, phrase+"\n"); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(&said, out)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("script: %v, %q", err, &said)
	}
	if r := read(); r.Error != "" || !strings.HasPrefix(r.Signature, "-----BEGIN SSH SIGNATURE-----\n") {
		t.Errorf("report = %+v, want a signature", r)
	}
}

// TestSign_ends shows that a program that takes too long is ended with all that it started.
func TestSign_ends(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, trap string
		cancel     bool
		timeout    time.Duration
		want       string
	}{
		{"time limit", "", false, time.Second, "program: no answer within the time limit of 1s"},
		{"canceled", "", true, time.Minute, "program: context canceled"},
		{
			"program that does not want to end", "trap '' TERM\n", true, time.Minute,
			"program: context canceled",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			alive, started := pipe(t), pipe(t)
			program := write(t, "#!/bin/sh\n"+c.trap+"exec 3>'"+alive.Name()+"'\nsleep 300 &\necho x >'"+
				started.Name()+"'\nsleep 300\n")
			o := order{Config: signer.Config{
				Key: "x", Program: program, Env: plainEnv(t),
				Timeout: c.timeout,
			}}
			if c.cancel {
				o.Cancel = started.Name()
			}
			r := unattended(t, o)
			if r.Error != c.want || r.Timeout == c.cancel || r.Canceled != c.cancel {
				t.Errorf("report = %+v, want %q", r, c.want)
			}
			// The pipe ends when the last process that has it open is gone.
			if err := alive.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if _, err := alive.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
				t.Errorf("a program that was started still runs: %v", err)
			}
		})
	}
}

// pipe makes a named pipe and opens its end for reading, so that writers need not wait.
func pipe(t *testing.T) *os.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	return file
}
