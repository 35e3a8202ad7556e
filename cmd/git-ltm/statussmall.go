package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// smallCounted is how many notes, and how many skips, status reads.
const smallCounted = 1000

// smallCounts are the notes and skips that lists show, of the newest 1,000 of each.
type smallCounts struct {
	Notes int `json:"notes"`
	Tasks int `json:"open_tasks"` // of the notes, the tasks that are neither completed nor archived
	Skips int `json:"skips"`
}

func countSmall(ctx context.Context, m *memory.Memory) (c smallCounts, err error) {
	for entry, err := range m.List(ctx, memory.Query{Kind: packet.KindNote}) {
		if err != nil {
			return c, err
		}
		c.Notes++
		if isOpenTask(entry) {
			c.Tasks++
		}
		if c.Notes == smallCounted {
			break
		}
	}
	for _, err := range m.List(ctx, memory.Query{Kind: packet.KindSkip}) {
		if err != nil {
			return c, err
		}
		if c.Skips++; c.Skips == smallCounted {
			break
		}
	}
	return c, nil
}

// isOpenTask tells whether a note is a task that is still to be done.
func isOpenTask(entry memory.Entry) bool {
	status := reply.TaskStatus(entry)
	return entry.Note.Kind == packet.NoteTask && status != "completed" && status != "archived"
}

// put says how many there are; nothing where there is none.
func (c smallCounts) put(d *description) {
	if c.Notes > 0 {
		text := atLeast(c.Notes)
		if c.Tasks > 0 {
			text += fmt.Sprintf(", %d open task(s)", c.Tasks)
		}
		d.put("Notes", text)
	}
	if c.Skips > 0 {
		d.put("Skips", atLeast(c.Skips))
	}
}

// atLeast is a number that ends where counting does.
func atLeast(n int) string {
	if n == smallCounted {
		return "the newest " + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}
