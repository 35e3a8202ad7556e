package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// sideBySide is how many calls work at a time. Each may start processes of git.
const sideBySide = 8

// server answers calls.
type server struct {
	Options

	slots chan struct{}
	roots roots
	index sync.Mutex // one question at a time: an index may not be open twice in a process
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

// handle makes the handler of a tool.
func (s *server) handle(t tool) sdk.ToolHandler {
	return func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c := &call{server: s, session: req.Session, offers: req.ClientCapabilities(), info: req.ClientInfo(), tool: t}
		return s.result(c.guarded(ctx, func() (a answer, err error) {
			if c.args, err = t.arguments(req.Params.Arguments); err != nil {
				return answer{}, err
			}
			if t.apart {
				return t.run(ctx, c)
			}
			return c.inMemory(ctx, t.run)
		}))
	}
}

// guarded lets a few calls work at a time, and makes of what goes wrong an error, never the end of the server.
func (c *call) guarded(ctx context.Context, do func() (answer, error)) (a answer, err error) {
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
			c.traced(p)
		}
	}()
	return do()
}

// traced keeps where a defect ended a call, for whoever mends it.
func (s *server) traced(why any) {
	if s.Stderr != nil {
		_, _ = fmt.Fprintf(s.Stderr, "git-ltm: defect: %s\n%s\n", printable(nil, fmt.Sprint(why)), debug.Stack()) // There is nobody left to tell.
	}
}

// result turns an answer, or what went wrong, into that of the protocol.
func (s *server) result(a answer, err error) (*sdk.CallToolResult, error) {
	if err != nil {
		return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: explain(err)}}}, nil
	}
	out := &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: a.text}}}
	if len(a.notices) > 0 {
		out.Content = append(out.Content, &sdk.TextContent{Text: joined(a.notices)})
	}
	if a.value != nil {
		data, err := a.structured()
		if err != nil {
			return nil, err
		}
		out.StructuredContent = data
	}
	return out, nil
}

// answer is what a tool returns.
type answer struct {
	text    string   // for a model to read
	value   any      // an object in JSON, with one member at least
	notices []string // what a person would be told beside it
}

// structured is the value with the notices: a client that has it may show the model nothing else, as Claude Code does.
func (a answer) structured() (json.RawMessage, error) {
	data, err := json.Marshal(a.value)
	if err != nil || len(a.notices) == 0 {
		return data, err
	}
	notices, err := json.Marshal(a.notices)
	if err != nil {
		return nil, err
	}
	return slices.Concat(data[:len(data)-1], []byte(`,"notices":`), notices, []byte("}")), nil
}

// call is one call of a tool.
type call struct {
	*server

	session *sdk.ServerSession
	offers  *sdk.ClientCapabilities // nil where the client says nothing of itself
	info    *sdk.Implementation     // nil where the client says nothing of itself

	tool  tool
	args  arguments
	m     *memory.Memory
	rules *scan.Rules // what is told is cleaned by; nil are the built-in ones
	notes []string
}
