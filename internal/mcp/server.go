package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// sideBySide is how many calls work at a time. Each may start processes of git.
const sideBySide = 8

// server answers calls.
type server struct {
	Options

	slots   chan struct{}
	session agent.Moment // whose packets continue one another: that of the host, or that of this server
	roots   roots
	index   sync.Mutex // one question at a time: an index may not be open twice in a process
}

// shared lets calls draw from one source side by side.
type shared struct {
	mu     sync.Mutex
	source io.Reader
}

func (s *shared) Read(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.source.Read(p)
}

// runGuarded lets a few calls work at a time, and makes of what goes wrong an error, never the end of
// the server.
func (c *call) runGuarded(ctx context.Context, do func() (answer, error)) (a answer, err error) {
	if c.Silenced {
		return answer{}, errSilenced
	}
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return answer{}, ctx.Err()
	}
	defer func() {
		if p := recover(); p != nil {
			err = errDefect
			if c.Stderr != nil { // For whoever mends it; there is nobody left to tell.
				_, _ = fmt.Fprintf(c.Stderr, "git-ltm: defect: %s\n%s\n", printable(nil, fmt.Sprint(p)),
					debug.Stack())
			}
		}
	}()
	return do()
}

// toolResult turns an answer, or what went wrong, into that of the protocol.
func (s *server) toolResult(a answer, err error) (body, *fault) {
	if err != nil {
		return body{"isError": true, "content": []body{textPart(explainError(err))}}, nil
	}
	out, parts, notices := body{}, []body{textPart(a.text)}, []byte("}")
	if a.failed {
		out["isError"] = true
	}
	if len(a.notices) > 0 {
		parts = append(parts, textPart("note: "+strings.Join(a.notices, "\nnote: ")+"\n"))
		told, _ := json.Marshal(a.notices) //nolint:errchkjson // They are strings.
		notices = slices.Concat([]byte(`,"notices":`), told, notices)
	}
	if out["content"] = parts; a.value != nil {
		// A client that has the value may show the model nothing else, as Claude Code does.
		data, err := json.Marshal(reply.Filled(a.value))
		if err != nil {
			return nil, &fault{Code: codeInternal, Message: "the answer cannot be written"}
		}
		out["structuredContent"] = json.RawMessage(slices.Concat(data[:len(data)-1], notices))
	}
	return out, nil
}

// textPart is a part of an answer.
func textPart(text string) body { return body{"type": "text", "text": text} }

// answer is what a tool returns.
type answer struct {
	text    string   // for a model to read
	value   any      // an object in JSON, with one member at least
	notices []string // what a person would be told beside it
	failed  bool     // a part of what was asked for was not done
}

// call is one call of a tool.
type call struct {
	*server

	connection *connection
	from       *client // who calls

	args  arguments
	m     *memory.Memory
	rules *scan.Rules // what is told is cleaned by; nil are the built-in ones
	notes []string
}
