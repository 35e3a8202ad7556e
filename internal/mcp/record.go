package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// record is what the call says of a record, with who wrote it: the person whom git knows, and the client by its own name.
func (c *call) record(ctx context.Context) ([]byte, error) {
	rest := c.args.without(c.tool.own)
	if c.args.text("draft") != "" && rest["provenance"] == nil {
		return json.Marshal(rest) // The draft says who wrote it.
	}
	by := map[string]any{}
	if err := json.Unmarshal(orObject(rest["provenance"]), &by); err != nil {
		return nil, err
	}
	if tags := c.args.texts("tags"); len(tags) > 0 {
		var all []string
		for _, tag := range tags {
			if s := reply.Slug(tag); !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
		data, err := json.Marshal(all)
		if err != nil {
			return nil, err
		}
		rest["tags"] = data
	}
	author, err := c.m.Author(ctx)
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{"author_human": author, "agent": c.client()} {
		if by[name] == nil && value != "" {
			by[name] = value
		}
	}
	if len(by) > 0 {
		if rest["provenance"], err = json.Marshal(by); err != nil {
			return nil, err
		}
	}
	return json.Marshal(rest)
}

func orObject(data json.RawMessage) json.RawMessage {
	if data == nil {
		return json.RawMessage("{}")
	}
	return data
}

// client is the name that the client has for itself, as far as a record takes it.
func (c *call) client() string {
	if c.from.name == "" {
		return ""
	}
	return clean.Truncate(clean.Line(strings.TrimSpace(c.from.name+" "+c.from.version)), 100)
}
