package clients_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/tidwall/gjson"
)

// appServer is Codex as editors use it: it answers one object of JSON a line.
type appServer struct {
	in    io.Writer
	lines *bufio.Reader
	last  int
}

// startAppServer starts Codex for editors; it ends with the test.
func (d *desk) startAppServer(t *testing.T) *appServer {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	cmd := d.command(ctx, nil, "codex", "app-server")
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
	t.Cleanup(func() {
		_ = in.Close()
		cancel()
		_ = cmd.Wait()
	})
	s := &appServer{in: in, lines: bufio.NewReader(out)}
	s.call(t, "initialize", object{"clientInfo": object{"name": "git-ltm", "version": "1"}})
	s.send(t, object{"method": "initialized"})
	return s
}

func (s *appServer) send(t *testing.T, message object) {
	t.Helper()
	if _, err := fmt.Fprintln(s.in, encoded(message)); err != nil {
		t.Fatal(err)
	}
}

// call asks for something, and returns the result. What Codex says meanwhile is passed over.
func (s *appServer) call(t *testing.T, method string, params object) gjson.Result {
	t.Helper()
	s.last++
	s.send(t, object{"id": s.last, "method": method, "params": params})
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil || !json.Valid([]byte(line)) {
			t.Fatalf("%s: codex answers %q: %v", method, line, err)
		}
		answer := gjson.Parse(line)
		if answer.Get("id").Int() != int64(s.last) || answer.Get("method").Exists() {
			continue
		}
		if answer.Get("error").Exists() {
			t.Fatalf("%s: codex answers %s", method, line)
		}
		return answer.Get("result")
	}
}
