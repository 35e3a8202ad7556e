package mcp

import sdk "github.com/modelcontextprotocol/go-sdk/mcp"

func (s *server) addPrompts(*sdk.Server) {}
