package packet

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxShownName is the length at which a member name is cut in a problem.
const maxShownName = 64

// A trail is the way from the document to the value that is looked at. It costs
// nothing until somebody asks for its pointer.
type trail []step

type step struct {
	name  string
	index int // of an item of an array, or -1 for a member
}

func (t *trail) enter(name string) { *t = append(*t, step{name, -1}) }
func (t *trail) enterItem(i int)   { *t = append(*t, step{"", i}) }
func (t *trail) leave()            { *t = (*t)[:len(*t)-1] }

// pointer returns the exact JSON pointer.
func (t *trail) pointer() string {
	return t.spell(func(name string) string { return name })
}

// printable returns the JSON pointer with names that are safe to show.
func (t *trail) printable() string {
	return t.spell(printableName)
}

func (t *trail) spell(name func(string) string) string {
	var b strings.Builder
	for _, s := range *t {
		b.WriteByte('/')
		if s.index >= 0 {
			b.WriteString(strconv.Itoa(s.index))
			continue
		}
		escaped := strings.ReplaceAll(name(s.name), "~", "~0")
		b.WriteString(strings.ReplaceAll(escaped, "/", "~1"))
	}
	return b.String()
}

func printableName(name string) string {
	var b strings.Builder
	shown := 0
	for _, r := range name {
		if shown++; shown > maxShownName {
			b.WriteString("…")
			break
		}
		if unicode.IsPrint(r) && r != utf8.RuneError {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
