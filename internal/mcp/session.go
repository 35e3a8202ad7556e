package mcp

import (
	"context"
	"slices"
)

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
	one := &call{server: c.server, connection: c, from: who}
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
