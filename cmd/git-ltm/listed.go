package main

import (
	"time"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// printListed prints records as one JSON array.
func (e *env) printListed(found []memory.Entry) error {
	list := []reply.Listed{}
	for _, entry := range found {
		list = append(list, reply.ListedOf(entry))
	}
	return e.printJSON(list)
}

// created is when a record was made, in UTC.
func created(entry memory.Entry) string { return entry.CreatedAt().UTC().Format(time.RFC3339) }
