package setup

import (
	"errors"
	"fmt"
)

// The errors of a plan.
var (
	ErrOutside = errors.New("there is no work tree here for files of the project")
	ErrRecord  = errors.New("it is damaged")
	ErrOutward = errors.New("a link leads out of the work tree")
)

// ScopeError is a scope that an agent has no files for.
type ScopeError struct {
	Agent string
	Scope Scope
}

// Error names both.
func (e *ScopeError) Error() string {
	return fmt.Sprintf("%s has no files for the scope %q", e.Agent, e.Scope)
}

// FileError is a file that cannot be edited, and is left as it is.
type FileError struct {
	Path string
	Err  error
}

// Error names the file.
func (e *FileError) Error() string { return fmt.Sprintf("edit %q: %v", e.Path, e.Err) }

// Unwrap returns why.
func (e *FileError) Unwrap() error { return e.Err }

// TwiceError is an agent that is told the same from somewhere else, so that each hook would run twice.
type TwiceError struct {
	Agent string
	Where string // the plugin, or the file
	Scope Scope  // of the file; "" for a plugin
}

// Error names where.
func (e *TwiceError) Error() string {
	if e.Scope == "" {
		return fmt.Sprintf("%s has git ltm from a plugin already: %s", e.Agent, e.Where)
	}
	return fmt.Sprintf("%s has the hooks of git ltm in %s already (scope %s), and would run each of them twice", e.Agent, e.Where, e.Scope)
}
