package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-ltm/git-ltm/internal/memory"
)

// The addresses of resources.
const (
	packetAddress  = "ltm://packet/"
	threadAddress  = "ltm://thread/"
	contextAddress = "ltm://context"
)

const markdown = "text/markdown"

// addResources offers packets and threads, as the briefing that a session reads.
func (s *server) addResources(out *sdk.Server) {
	read := s.read()
	out.AddResource(&sdk.Resource{
		URI: packetAddress + "@", Name: "newest", Title: "The newest packet of this branch", MIMEType: markdown,
	}, read)
	out.AddResource(&sdk.Resource{
		URI: contextAddress, Name: "context", Title: "What counts here and now", MIMEType: markdown,
	}, read)
	out.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: packetAddress + "{id}", Name: "packet", Title: "A packet", MIMEType: markdown,
		Description: "By its id, a unique part of one, @ or @{N}",
	}, read)
	out.AddResourceTemplate(&sdk.ResourceTemplate{
		URITemplate: threadAddress + "{+branch}", Name: "thread", Title: "Where a branch stands", MIMEType: markdown,
		Description: "The newest packet made on the branch, with what its thread settled",
	}, read)
}

// read makes the handler of all resources.
func (s *server) read() sdk.ResourceHandler {
	return func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		c := &call{server: s, session: req.Session, offers: req.ClientCapabilities(), info: req.ClientInfo(), args: arguments{}}
		uri := req.Params.URI
		a, err := c.guarded(ctx, func() (answer, error) {
			return c.inMemory(ctx, func(ctx context.Context, c *call) (answer, error) { return c.resource(ctx, uri) })
		})
		if err != nil {
			return nil, protocolError(err, uri)
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: markdown, Text: a.text}}}, nil
	}
}

// resource returns what lies at an address.
func (c *call) resource(ctx context.Context, uri string) (answer, error) {
	switch {
	case uri == contextAddress:
		return known(ctx, c)
	case strings.HasPrefix(uri, packetAddress):
		id, err := url.PathUnescape(strings.TrimPrefix(uri, packetAddress))
		if err != nil || id == "" {
			return answer{}, errAddress
		}
		entry, of, err := c.m.FindWide(ctx, id)
		if err != nil {
			return answer{}, err
		}
		return c.brief(ctx, of, entry)
	case strings.HasPrefix(uri, threadAddress):
		branch, err := url.PathUnescape(strings.TrimPrefix(uri, threadAddress))
		if err != nil || branch == "" {
			return answer{}, errAddress
		}
		for entry, err := range c.m.List(ctx, memory.Query{Branch: branch}) {
			if err != nil {
				return answer{}, err
			}
			if entry.Withheld(c.reading()) == "" {
				return c.brief(ctx, c.m, entry)
			}
		}
		return answer{}, fmt.Errorf("packet of the branch %q: %w", branch, memory.ErrNotFound)
	default:
		return answer{}, errAddress
	}
}

// errAddress says that nothing lies at an address.
var errAddress = errors.New("there is no such resource")

// protocolError is an error where the protocol has no place for that of a tool.
func protocolError(err error, uri string) error {
	if uri != "" && (errors.Is(err, memory.ErrNotFound) || errors.Is(err, errAddress)) {
		wire := &jsonrpc.Error{}
		if errors.As(sdk.ResourceNotFoundError(uri), &wire) {
			wire.Message = strings.TrimSpace(explain(err))
			return wire
		}
	}
	return &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: strings.TrimSpace(explain(err))}
}
