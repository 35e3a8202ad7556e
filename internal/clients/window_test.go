package clients_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// window is a client in a terminal, as a person has it.
type window struct {
	keys io.WriteCloser

	mu  sync.Mutex
	all bytes.Buffer
}

// open starts a client in a terminal of its own, which ends with the test.
func (d *desk) open(t *testing.T, more []string, command string) *window {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	w := &window{}
	cmd := d.command(ctx, append(more, "TERM=xterm-256color"), "script", "-qefc", command, "/dev/null")
	cmd.Stdout = w
	var err error
	if w.keys, err = cmd.StdinPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // It is ended by a signal.
	})
	return w
}

// Write takes what the client shows.
func (w *window) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.Write(p)
}

// shows waits until the client shows some words. A window paints between words, so that each is looked for.
func (w *window) shows(t *testing.T, words string) {
	t.Helper()
	for range 600 {
		w.mu.Lock()
		text := w.all.String()
		w.mu.Unlock()
		found := true
		for word := range strings.FieldsSeq(words) {
			found = found && strings.Contains(text, word)
		}
		if found {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the window does not show %q:\n%q", words, w.all.String())
}

// types types some words and sends them. Clients take what comes at once for something pasted, so that the key comes later.
func (w *window) types(t *testing.T, words string) {
	t.Helper()
	for _, keys := range []string{words, "\r"} {
		if _, err := io.WriteString(w.keys, keys); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
	}
}
