package setup

import (
	"bytes"

	"github.com/rogpeppe/go-internal/diff"
)

// Diff is the change in the unified form.
func (c Change) Diff() string {
	from, to := c.File.Path, c.File.Path
	if !c.File.Exists {
		from = "/dev/null"
	}
	if c.Gone {
		to = "/dev/null"
	}
	// The first line is of the command diff.
	_, text, _ := bytes.Cut(diff.Diff(from, c.File.Text, to, c.After), []byte("\n"))
	return string(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")))
}
