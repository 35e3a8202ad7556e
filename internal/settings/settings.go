// Package settings edits settings that belong to others, and leaves every other byte alone.
//
// It puts a member into an object, an element into an array, or a block into a file of lines, and takes exactly that out
// again. The order, the indentation, the line endings, the comments and the commas of whoever wrote the file stay as they
// are. JSON may have comments, trailing commas and a byte order mark, as the settings of editors and agents do.
//
// It promises that a file that does not parse is refused with the line and the column, that what was put in and taken out
// leaves the bytes of before, and that a file is replaced as a whole or not at all. It never writes a file anew from its
// values, and never touches a file that its caller did not name.
package settings

import (
	"errors"
	"fmt"
	"strings"
)

// ErrAbsent says that what should be taken out is not there.
var ErrAbsent = errors.New("it is not there")

// SyntaxError is a text that is not in its format.
type SyntaxError struct {
	Line, Column int // where, from 1; columns count characters
	What         string
}

// Error says where and what.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.What)
}

// ShapeError is a value that is of another kind than its place needs.
type ShapeError struct {
	Path []string
	Want string // "an object" or "an array"
}

// Error names the place.
func (e *ShapeError) Error() string { return fmt.Sprintf("%s is not %s", place(e.Path), e.Want) }

// TakenError is a place where something else stands.
type TakenError struct{ Path []string }

// Error names the place.
func (e *TakenError) Error() string { return place(e.Path) + " holds something else" }

// place names a value by the members that lead to it.
func place(path []string) string {
	if len(path) == 0 {
		return "the whole file"
	}
	return fmt.Sprintf("%q", strings.Join(path, "."))
}
