package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// TestEnv_inTime lets hooks loop, wait for ever and stop in the middle of an answer: whoever waits for them
// gets a whole answer or none. SPEC.
func TestEnv_inTime(t *testing.T) {
	t.Parallel()
	never := make(chan struct{})
	var over atomic.Bool
	t.Cleanup(func() {
		close(never)
		over.Store(true)
	})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, tt := range map[string]struct {
		ctx  context.Context
		work func(*env) error
		want string
		late bool
	}{
		"an answer": {t.Context(), func(e *env) error {
			_, err := io.WriteString(e.stdout, "{}")
			return err
		}, "{}", false},
		"a wait": {ended, func(*env) error { <-never; return nil }, "", true},
		"a loop": {ended, func(*env) error {
			for !over.Load() { // It spins, as a loop that nobody can stop does.
				runtime.Gosched()
			}
			return nil
		}, "", true},
		"half an answer": {ended, func(e *env) error {
			_, _ = io.WriteString(e.stdout, "{")
			<-never
			return nil
		}, "", true},
		"an answer at last": {ended, func(e *env) error {
			_, err := io.WriteString(e.stdout, "{}")
			return err
		}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := (&env{stdout: &out, stderr: io.Discard}).inTime(tt.ctx, tt.work)
			if out.String() != tt.want || errors.Is(err, errLate) != tt.late {
				t.Errorf("printed %q and returned %v, want %q and late %t", &out, err, tt.want, tt.late)
			}
		})
	}
}

// TestRun_hookLimit starts hooks where no git ever answers: each ends with 0 and without a word. SPEC,
//
func TestRun_hookLimit(t *testing.T) {
	t.Parallel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, event := range []agent.Event{agent.SessionStart, agent.Prompt, agent.Tool} {
		var out bytes.Buffer
		code := run(ended, &env{
			vars: []string{"PATH=" + t.TempDir()}, stdin: strings.NewReader("{}"), stdout: &out,
			stderr: io.Discard,
			now:    time.Now, entropy: bytes.NewReader(nil), width: func(any) (int, bool) {
				return 80, false
			},
		}, []string{"hook", "claude-code", fmt.Sprint(event)})
		if code != codeDone || out.Len() > 0 {
			t.Errorf("%s: exit code %d and %q, want 0 and nothing", event, code, &out)
		}
	}
}
