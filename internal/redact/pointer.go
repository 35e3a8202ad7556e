package redact

import (
	"strconv"
	"strings"
)

// Bounds of what a pointer shows of a member name, and of the way to a member.
// A hostile document could otherwise make its findings far longer than itself.
const (
	maxStep = 64
	maxWay  = 512
)

// A pointer is the place of a value in a document. It is written out only
// when there is something to report. The nil pointer is the whole document.
type pointer struct {
	parent *pointer
	name   string // Step into an object.
	index  int    // Step into an array, when name is not set.
	array  bool
	ofName bool   // The pointer stands for the name of a member of parent.
	way    string // What children begin with, once one was written out.
}

// String returns the JSON pointer. For a name it is the pointer of the
// object, so that the name is not in it.
func (p *pointer) String() string {
	if p == nil {
		return ""
	}
	if p.ofName {
		return p.parent.String()
	}
	if p.parent == nil {
		return "/" + p.step()
	}
	if p.parent.way == "" {
		p.parent.way = cut(p.parent.String(), maxWay)
	}
	return p.parent.way + "/" + p.step()
}

// cut returns s, or its first size bytes and "…".
func cut(s string, size int) string {
	if len(s) <= size {
		return s
	}
	return strings.ToValidUTF8(s[:size], "") + "…"
}

func (p *pointer) step() string {
	if p.array {
		return strconv.Itoa(p.index)
	}
	return strings.ReplaceAll(strings.ReplaceAll(cut(p.name, maxStep), "~", "~0"), "/", "~1")
}
