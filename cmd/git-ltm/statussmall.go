package main

import (
	"fmt"
	"strconv"

	"github.com/git-ltm/git-ltm/internal/reply"
)

// putSmall says how many there are; nothing where there is none.
func putSmall(d *reply.Description, c reply.SmallCounts) {
	if c.Notes > 0 {
		text := atLeast(c.Notes)
		if c.Tasks > 0 {
			text += fmt.Sprintf(", %d open task(s)", c.Tasks)
		}
		d.Put("Notes", text)
	}
	if c.Skips > 0 {
		d.Put("Skips", atLeast(c.Skips))
	}
}

// atLeast is a number that ends where counting does.
func atLeast(n int) string {
	if n == reply.SmallCounted {
		return "the newest " + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}
