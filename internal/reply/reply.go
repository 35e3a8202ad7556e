// Package reply gives the answers of commands and tools their one JSON shape.
package reply
