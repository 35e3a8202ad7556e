package mcp

import (
	"context"
	"encoding/json"
	"fmt"
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
func (c *call) toolResult(a answer, err error) (body, *fault) {
	if err != nil {
		return body{"isError": true, "content": []body{textPart(explainError(c.rules, err))}}, nil
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

	args  json.RawMessage // an object that fits the schema of the tool
	m     *memory.Memory
	rules *scan.Rules // what is told is cleaned by; nil are the built-in ones
	notes []string
}

// knownRevisions are those of the protocol that are spoken, the newest first. From the first on, each
// call says who calls, and there is nothing to begin with.
func knownRevisions() []string {
	return []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

// The methods that are named more than once.
const (
	methodInitialize = "initialize"
	methodDiscover   = "server/discover"
)

var errNoMethod = &fault{Code: codeMethod, Message: "there is no method of that name"}

// client is who calls.
type client struct {
	modern        bool // it speaks the newest revision
	roots         bool // it says where it works when it is asked
	name, version string
}

// The members in which each call of the newest revision says who calls.
const (
	metaRevision     = "io.modelcontextprotocol/protocolVersion"
	metaClient       = "io.modelcontextprotocol/clientInfo"
	metaCapabilities = "io.modelcontextprotocol/clientCapabilities"
	metaServer       = "io.modelcontextprotocol/serverInfo"
)

// readCaller says who makes a call, or what is wrong with what it says of itself.
func (c *connection) readCaller(m message) (*client, *fault) {
	meta := m.params.objectMember("_meta")
	revision := meta.textMember(metaRevision)
	if revision < knownRevisions()[0] {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.client, nil
	}
	if !slices.Contains(knownRevisions(), revision) {
		known := body{"supported": knownRevisions(), "requested": printable(nil, revision[:min(len(revision), 64)])}
		return nil, &fault{codeUnsupported, "unsupported protocol version", known}
	}
	info, capabilities := meta.objectMember(metaClient), meta.objectMember(metaCapabilities)
	if meta[metaClient] != nil && info == nil || capabilities == nil {
		return nil, &fault{Code: codeParams, Message: "_meta says nothing of the client, or not as an object"}
	}
	return &client{modern: true, name: info.textMember("name"), version: info.textMember("version")}, nil
}

// answerCall does what a call asks for.
func (c *connection) answerCall(ctx context.Context, m message) (result body, failed *fault) {
	who, failed := c.readCaller(m)
	if failed != nil {
		return nil, failed
	}
	modern := who != nil && who.modern
	switch {
	case m.method == methodInitialize && !modern:
		return c.initializeClient(m)
	case m.method == "ping" && !modern:
		return body{}, nil
	case m.method == methodInitialize, m.method == "ping", m.method == methodDiscover && !modern:
		return nil, errNoMethod
	case who == nil:
		return nil, &fault{Code: codeInvalid, Message: "the first call is " + methodInitialize}
	}
	result, failed = c.answerKnown(ctx, who, m)
	if failed == nil && modern {
		result["resultType"] = "complete"
		result["_meta"] = body{metaServer: c.serverInfo()}
	}
	return result, failed
}

// initializeClient begins with a client, once.
func (c *connection) initializeClient(m message) (body, *fault) {
	if m.params == nil {
		return nil, errNoParams
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.client != nil {
		return nil, &fault{Code: codeInvalid, Message: methodInitialize + " was called before"}
	}
	info := m.params.objectMember("clientInfo")
	c.client = &client{
		roots: m.params.objectMember("capabilities")["roots"] != nil, name: info.textMember("name"),
		version: info.textMember("version"),
	}
	revision := m.params.textMember("protocolVersion")
	if !slices.Contains(knownRevisions()[1:], revision) {
		revision = knownRevisions()[1]
	}
	return body{
		"protocolVersion": revision, "capabilities": serverCapabilities(), "serverInfo": c.serverInfo(),
		"instructions": instructions,
	}, nil
}

var errNoParams = &fault{Code: codeInvalid, Message: "the call has no params"}

// serverInfo says which program this is.
func (s *server) serverInfo() body {
	return body{"name": "git-ltm", "title": "git ltm", "version": s.Version}
}

// serverCapabilities are what clients may ask for.
func serverCapabilities() body {
	return body{"tools": body{}, "prompts": body{}}
}

// privateResult says that what is told is for this client alone, and not for long.
func privateResult(result body) body {
	result["cacheScope"], result["ttlMs"] = "private", 0
	return result
}

// answerKnown answers the calls that clients make once they are known.
func (c *connection) answerKnown(ctx context.Context, who *client, m message) (body, *fault) {
	one := &call{server: c.server, connection: c, from: who, args: json.RawMessage("{}")}
	switch m.method {
	case methodDiscover:
		return privateResult(body{
			"supportedVersions": knownRevisions(), "capabilities": serverCapabilities(),
			"instructions": instructions,
		}), nil
	case "tools/list":
		return privateResult(body{"tools": toolList()}), nil
	case "prompts/list":
		return privateResult(body{"prompts": listPrompts()}), nil
	case "tools/call":
		if m.params == nil {
			return nil, errNoParams
		}
		return one.callTool(ctx, m.params)
	case "prompts/get":
		if m.params == nil {
			return nil, errNoParams
		}
		return one.getPrompt(ctx, m.params)
	default:
		return nil, errNoMethod
	}
}
