package clients_test

import (
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"time"
)

// window is a client in a terminal, as a person has it.
type window struct {
	keys io.Writer
	stop func()        // ends the client
	end  chan struct{} // is closed when the client has ended

	mu    sync.Mutex
	all   strings.Builder // what it painted
	seen  int             // how much of that was answered
	drawn int             // how much of it was there when somebody looked last
}

// open starts a client in a terminal of its own, which ends with the test. The program script makes the
// terminal.
func (d *desk) open(t *testing.T, more []string, command string) *window {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	w := &window{end: make(chan struct{})}
	w.stop = func() {
		cancel()
		<-w.end
	}
	cmd := d.command(ctx, append(more, "TERM=xterm-256color", "SHELL=/bin/sh"), "script", "-qefc",
		"stty rows 50 cols 160; exec "+command, "/dev/null")
	cmd.Stdout = w
	var err error
	if w.keys, err = cmd.StdinPipe(); err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(w.end)
		_ = cmd.Wait() // A signal may end it.
	}()
	t.Cleanup(func() {
		w.stop()
		if t.Failed() {
			t.Logf("the window of %s showed\n%s", command, plain(w.all.String()))
		}
	})
	return w
}

// Write takes what the client paints.
func (w *window) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.all.Write(p)
}

// has tells whether the client has shown some words since it was answered last. It moves the cursor in the
// place of a space.
func (w *window) has(words string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Contains(solid(plain(w.all.String()[w.seen:])), solid(words))
}

func solid(text string) string { return strings.Join(strings.Fields(text), "") }

// shows waits until the client shows some words.
func (w *window) shows(t *testing.T, words string) {
	t.Helper()
	w.until(t, "show "+words, func() bool { return w.has(words) })
}

// until waits until the client has come to something.
func (w *window) until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	if !w.soon(t, what, 2*time.Minute, holds) {
		t.Fatalf("the client does not %s", what)
	}
}

// soon tells whether the client comes to something in a time.
func (w *window) soon(t *testing.T, what string, limit time.Duration, holds func() bool) bool {
	t.Helper()
	for range limit / (100 * time.Millisecond) {
		if holds() {
			return true
		}
		select {
		case <-w.end:
			t.Fatalf("the client ended, and did not %s", what)
		case <-time.After(100 * time.Millisecond):
		}
	}
	return false
}

// types types some words and sends them, again where nothing is painted: a client that starts anew takes
// words and no key.
func (w *window) types(t *testing.T, words string) {
	t.Helper()
	w.presses(t, words)
	for range 5 {
		w.calm()
		if w.send(t, "\r"); !w.calm() {
			return
		}
	}
}

// presses types keys, each apart, when the client no longer paints. Clients take what comes at once for
// something pasted.
func (w *window) presses(t *testing.T, all ...string) {
	t.Helper()
	for range 10 {
		if w.calm() {
			break
		}
		time.Sleep(500 * time.Millisecond)
	}
	w.mu.Lock()
	w.seen = w.all.Len()
	w.mu.Unlock()
	for _, keys := range all {
		w.send(t, keys)
	}
}

func (w *window) send(t *testing.T, keys string) {
	t.Helper()
	if _, err := io.WriteString(w.keys, keys); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
}

// calm tells whether nothing was painted since it was asked last.
func (w *window) calm() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.drawn
	w.drawn = w.all.Len()
	return w.drawn == before
}
