package main

import (
	"fmt"
	"strconv"

	"github.com/git-ltm/git-ltm/internal/reply"
)

// putSmall says how many there are; nothing where there is none.
func putSmall(d *reply.Description, c reply.SmallCounts) {
	if c.Notes > 0 {
		text := strconv.Itoa(c.Notes)
		if c.Tasks > 0 {
			text += fmt.Sprintf(", %d open task(s)", c.Tasks)
		}
		d.Put("Notes", text)
	}
	if c.Skips > 0 {
		d.Put("Skips", strconv.Itoa(c.Skips))
	}
}
