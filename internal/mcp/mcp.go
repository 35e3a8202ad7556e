// Package mcp offers the verbs as tools of the Model Context Protocol.
package mcp
