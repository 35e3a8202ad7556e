package mcp

import (
	"context"
	"encoding/json"
	"slices"
)

// revisions are those of the protocol that are spoken, the newest first. From the first on, each
// call says who calls, and there is nothing to begin with.
func revisions() []string {
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
	metaSubscription = "io.modelcontextprotocol/subscriptionId"
)

// caller says who makes a call, or what is wrong with what it says of itself.
func (c *connection) caller(m message) (*client, *fault) {
	meta := m.params.object("_meta")
	revision := meta.text(metaRevision)
	if revision < revisions()[0] {
		c.mu.Lock()
		defer c.mu.Unlock()
		return c.client, nil
	}
	if !slices.Contains(revisions(), revision) {
		known := body{"supported": revisions(), "requested": cleanWord(revision)}
		return nil, &fault{codeUnsupported, "unsupported protocol version", known}
	}
	info, capabilities := meta.object(metaClient), meta.object(metaCapabilities)
	if meta[metaClient] != nil && info == nil || capabilities == nil {
		return nil, &fault{Code: codeParams, Message: "_meta says nothing of the client, or not as an object"}
	}
	return &client{modern: true, name: info.text("name"), version: info.text("version")}, nil
}

// cleanWord is a word of the client's that is safe to say.
func cleanWord(word string) string { return printable(nil, word[:min(len(word), 64)]) }

// notice does what the client asks for without an answer.
func (c *connection) notice(m message) {
	switch m.method {
	case "notifications/cancelled":
		c.mu.Lock()
		end := c.open[string(m.params["requestId"])]
		c.mu.Unlock()
		if end != nil {
			end()
		}
	case "notifications/roots/list_changed":
		c.roots.forget()
	}
}

// answer does what a call asks for.
func (c *connection) answer(ctx context.Context, m message) (result body, failed *fault) {
	who, failed := c.caller(m)
	if failed != nil {
		return nil, failed
	}
	modern := who != nil && who.modern
	switch {
	case m.method == methodInitialize && !modern:
		return c.initialize(m)
	case m.method == "ping" && !modern:
		return body{}, nil
	case m.method == methodInitialize, m.method == "ping", m.method == methodDiscover && !modern:
		return nil, errNoMethod
	case who == nil:
		return nil, &fault{Code: codeInvalid, Message: "the first call is " + methodInitialize}
	}
	result, failed = c.asks(ctx, who, m)
	if failed == nil && modern {
		result["resultType"] = "complete"
		meta, _ := result["_meta"].(body)
		if meta == nil {
			meta = body{}
		}
		meta[metaServer] = c.about()
		result["_meta"] = meta
	}
	return result, failed
}

// initialize begins with a client, once.
func (c *connection) initialize(m message) (body, *fault) {
	if m.params == nil {
		return nil, errNoParams
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.client != nil {
		return nil, &fault{Code: codeInvalid, Message: methodInitialize + " was called before"}
	}
	info := m.params.object("clientInfo")
	c.client = &client{
		roots: m.params.object("capabilities")["roots"] != nil, name: info.text("name"),
		version: info.text("version"),
	}
	revision := m.params.text("protocolVersion")
	if !slices.Contains(revisions()[1:], revision) {
		revision = revisions()[1]
	}
	return body{
		"protocolVersion": revision, "capabilities": capabilities(), "serverInfo": c.about(),
		"instructions": instructions,
	}, nil
}

var errNoParams = &fault{Code: codeInvalid, Message: "the call has no params"}

// about says which program this is.
func (s *server) about() body {
	return body{"name": "git-ltm", "title": "git ltm", "version": s.Version}
}

// capabilities are what clients may ask for.
func capabilities() body {
	return body{"tools": body{}, "resources": body{}, "prompts": body{}}
}

// private says that what is told is for this client alone, and not for long.
func private(result body) body {
	result["cacheScope"], result["ttlMs"] = "private", 0
	return result
}

// asks answers the calls that clients make once they are known.
func (c *connection) asks(ctx context.Context, who *client, m message) (body, *fault) {
	one := &call{server: c.server, connection: c, from: who}
	switch m.method {
	case methodDiscover:
		return private(body{
			"supportedVersions": revisions(), "capabilities": capabilities(),
			"instructions": instructions,
		}), nil
	case "tools/list":
		return private(body{"tools": toolList()}), nil
	case "resources/list":
		return private(body{"resources": resources()}), nil
	case "resources/templates/list":
		return private(body{"resourceTemplates": resourceTemplates()}), nil
	case "prompts/list":
		return private(body{"prompts": listPrompts()}), nil
	case "subscriptions/listen": // Nothing of what can be listened to changes.
		about := body{metaSubscription: json.RawMessage(m.id)}
		data, err := json.Marshal(body{
			"jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged",
			"params": body{"notifications": body{}, "_meta": about},
		})
		if err != nil {
			return nil, &fault{Code: codeInternal, Message: "the notice cannot be written"}
		}
		c.send(data)
		return body{"_meta": about}, nil
	case "tools/call", "resources/read", "prompts/get":
		if m.params == nil {
			return nil, errNoParams
		}
	default:
		return nil, errNoMethod
	}
	switch m.method {
	case "tools/call":
		return one.callTool(ctx, m.params)
	case "resources/read":
		return one.readResource(ctx, m.params.text("uri"))
	default:
		return one.prompt(ctx, m.params)
	}
}
