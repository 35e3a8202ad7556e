package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/git-ltm/git-ltm/internal/replay"
)

// The addresses of resources.
const (
	packetAddress  = "ltm://packet/"
	threadAddress  = "ltm://thread/"
	contextAddress = "ltm://context"
)

const markdown = "text/markdown"

// listResources are those with an address of their own.
func listResources() []body {
	return []body{
		{"uri": contextAddress, "name": "context", "title": "What counts here and now", "mimeType": markdown},
		{"uri": packetAddress + "@", "name": "newest", "title": "The newest packet of this " +
			"branch", "mimeType": markdown},
	}
}

// resourceTemplates are packets and threads, as the briefing that a session reads.
func resourceTemplates() []body {
	return []body{
		{
			"uriTemplate": packetAddress + "{id}", "name": "packet", "title": "A packet",
			"mimeType":    markdown,
			"description": "By its id, a unique part of one, @ or @{N}",
		},
		{
			"uriTemplate": threadAddress + "{+branch}", "name": "thread", "title": "Where a branch stands",
			"mimeType":    markdown,
			"description": "The newest packet made on the branch, with what its thread settled",
		},
	}
}

// readResource answers with what lies at an address.
func (c *call) readResource(ctx context.Context, uri string) (body, *fault) {
	a, err := c.runGuarded(ctx, func() (answer, error) {
		return c.inMemory(ctx, func(ctx context.Context, c *call) (answer, error) {
			return c.findResource(ctx, uri)
		})
	})
	if err != nil {
		return nil, faultOf(err, uri)
	}
	return privateResult(body{"contents": []body{{"uri": uri, "mimeType": markdown, "text": a.text}}}), nil
}

// findResource returns what lies at an address.
func (c *call) findResource(ctx context.Context, uri string) (answer, error) {
	switch {
	case uri == contextAddress:
		return c.tellContext(ctx, replay.Asked, 0)
	case strings.HasPrefix(uri, packetAddress):
		id, err := url.PathUnescape(strings.TrimPrefix(uri, packetAddress))
		if err != nil || id == "" {
			return answer{}, errAddress
		}
		entry, of, err := c.m.FindWide(ctx, id)
		if err != nil {
			return answer{}, err
		}
		return c.briefPacket(ctx, of, entry, resumption{})
	case strings.HasPrefix(uri, threadAddress):
		branch, err := url.PathUnescape(strings.TrimPrefix(uri, threadAddress))
		if err != nil || branch == "" {
			return answer{}, errAddress
		}
		for entry, err := range c.m.List(ctx, replay.Query{Branch: branch}) {
			if err != nil {
				return answer{}, err
			}
			if entry.Withheld(replay.Asked) == "" {
				return c.briefPacket(ctx, c.m, entry, resumption{})
			}
		}
		return answer{}, fmt.Errorf("packet of the branch %q: %w", branch, replay.ErrNotFound)
	default:
		return answer{}, errAddress
	}
}

// errAddress says that nothing lies at an address.
var errAddress = errors.New("there is no such resource")

// faultOf is an error where the protocol has no place for that of a tool.
func faultOf(err error, uri string) *fault {
	f := &fault{Code: codeInternal, Message: strings.TrimSpace(explainError(err))}
	if uri != "" && (errors.Is(err, replay.ErrNotFound) || errors.Is(err, errAddress)) {
		f.Code, f.Data = codeParams, body{"uri": uri}
	}
	return f
}
