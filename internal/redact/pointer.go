package redact

import (
	"strconv"
	"strings"
)

// maxStep is how much of a member name a pointer shows. A hostile document
// could otherwise make its findings far longer than itself.
const maxStep = 64

// A pointer is the place of a value in a document. It is written out only
// when there is something to report. The nil pointer is the whole document.
type pointer struct {
	parent *pointer
	name   string // Step into an object.
	index  int    // Step into an array, when name is not set.
	array  bool
	ofName bool // The pointer stands for the name of a member of parent.
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
	return p.parent.String() + "/" + p.step()
}

var stepEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func (p *pointer) step() string {
	if p.array {
		return strconv.Itoa(p.index)
	}
	name := p.name
	if len(name) > maxStep {
		name = strings.ToValidUTF8(name[:maxStep], "") + "…"
	}
	return stepEscapes.Replace(name)
}
