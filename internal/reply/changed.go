package reply

import (
	"github.com/git-ltm/git-ltm/internal/gate"
)

// Changed is the JSON shape of what an event did.
type Changed struct {
	Event   string   `json:"event,omitempty"` // nothing where nothing had to change
	Changed []string `json:"changed"`
	Already []string `json:"already"`
}

// ChangedOf is the shape of a change.
func ChangedOf(c gate.Change) Changed {
	shape := Changed{Event: string(c.Event), Changed: []string{}, Already: []string{}}
	for _, id := range c.Changed {
		shape.Changed = append(shape.Changed, string(id))
	}
	for _, id := range c.Already {
		shape.Already = append(shape.Already, string(id))
	}
	return shape
}
