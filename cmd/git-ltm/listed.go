package main

import (
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// printListed prints records as one JSON array.
func (e *env) printListed(found []replay.Shown) error {
	list := []reply.Listed{}
	for _, entry := range found {
		list = append(list, reply.ListedOf(entry))
	}
	return e.printJSON(list)
}
