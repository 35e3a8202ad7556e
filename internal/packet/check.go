package packet

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A checker walks a tree once, in the order of the document, and collects what
// is wrong with it.
type checker struct {
	mode     Mode
	at       trail
	problems []Problem
}

func (c *checker) addProblem(format string, args ...any) {
	c.problems = append(c.problems, Problem{c.at.printable(), fmt.Sprintf(format, args...)})
}

// checkObject checks the members of an object against its table, which is nil for an
// object that no table knows.
func (c *checker) checkObject(members object, s *shape) {
	names := make(map[string]string, len(members))
	for i := range members {
		m := &members[i]
		c.at.enter(m.name)
		// Checks one member name. The map holds the names before it by their folded spelling.
		if m.flaw == loneSurrogate {
			c.addProblem("the name has half of a surrogate pair")
		}
		if r := findControl(m.name, anyControl); r >= 0 {
			c.addProblem("the name has the control character U+%04X", r)
		}
		folded := foldName(m.name)
		before, taken := names[folded]
		names[folded] = m.name
		switch known := s.findTwin(m.name, folded); {
		case taken && before == m.name:
			c.addProblem("appears more than once")
		case known != "":
			c.addProblem("differs only in case from %q", known)
		case taken:
			c.addProblem("differs only in case from another member")
		}
		if f := s.findField(m.name); f != nil {
			c.checkField(&m.value, f, members)
		} else {
			c.checkUnknown(&m.value)
		}
		c.at.leave()
	}
	if s != nil {
		for i := range s.fields {
			f := &s.fields[i]
			waived := f.stamped && c.mode != Stored || f.personal && c.mode == Sketch
			if !f.needed || waived || members.findValue(f.name) != nil {
				continue
			}
			c.at.enter(f.name)
			c.addProblem("is missing")
			c.at.leave()
		}
	}
}

// checkField checks the value of a known member.
func (c *checker) checkField(v *value, f *field, siblings object) {
	switch {
	case v.is == isNull:
		c.addProblem("must not be null")
	case f.items == 0:
		c.checkOne(v, f, siblings)
	case v.is != isArray:
		c.addProblem("must be an array, not %s", v.is)
		c.checkUnknown(v)
	default:
		switch n := len(v.items); {
		case n > f.items:
			c.addProblem("must have at most %d items, not %d", f.items, n)
		case n < f.fewest:
			c.addProblem("must have at least %d items, not %d", f.fewest, n)
		}
		for i := range v.items {
			c.at.enterItem(i)
			c.checkOne(&v.items[i].value, f, nil)
			c.at.leave()
		}
	}
}

// checkOne checks one value of a known member, or one item of its list.
func (c *checker) checkOne(v *value, f *field, siblings object) {
	if want := f.form.wantedType(); v.is != want {
		c.addProblem("must be %s, not %s", want, v.is)
		c.checkUnknown(v)
		return
	}
	switch f.form {
	case formObject:
		c.checkObject(v.items, f.object)
	case formCount:
		c.checkCount(v, f, siblings)
	case formFlag:
	default:
		c.checkText(v)
		c.checkForm(v.text, f)
		if f.within == "" {
			return
		}
		until, ok := parseTime(v.text) // It must come within a while after another one.
		from, dated := parseTime(siblings.textOf(f.within))
		if ok && dated && (until.Before(from) || until.Sub(from) > MaxSkip) {
			c.addProblem("must be at most %d days after %q, and not before it", skipDays, f.within)
		}
	}
}

// checkUnknown checks what holds for every value, known or not.
func (c *checker) checkUnknown(v *value) {
	switch {
	case v.flaw == tooDeep:
		c.addProblem("is nested too deep, at most %d levels are allowed", MaxDepth)
	case v.is == isObject:
		c.checkObject(v.items, nil)
	case v.is == isArray:
		for i := range v.items {
			c.at.enterItem(i)
			c.checkUnknown(&v.items[i].value)
			c.at.leave()
		}
	case v.is == isString:
		c.checkText(v)
	case v.is == isNumber:
		if n, err := strconv.ParseFloat(v.text, 64); err != nil || math.IsInf(n, 0) {
			c.addProblem("is a number out of range")
		}
	}
}

func (c *checker) checkText(v *value) {
	if v.flaw == loneSurrogate {
		c.addProblem("has half of a surrogate pair")
	}
	if r := findControl(v.text, anyControlInText); r >= 0 {
		c.addProblem("has the control character U+%04X", r)
	}
}

// checkForm checks the text of a known member against its row of the table.
func (c *checker) checkForm(text string, f *field) {
	if f.form == formWord {
		if !slices.Contains(f.words, text) {
			c.addProblem("must be one of %s", strings.Join(f.words, ", "))
		}
		return
	}
	n := utf8.RuneCountInString(text)
	switch {
	case f.most > 0 && n > f.most:
		c.addProblem("must be at most %d characters long, not %d", f.most, n)
	case n == 0 && f.least > 0:
		c.addProblem("must not be empty")
	case n < f.least:
		c.addProblem("must be at least %d characters long, not %d", f.least, n)
	case !matchesForm(text, f.form):
		c.addProblem("must be %s", f.form)
	}
}

func (c *checker) checkCount(v *value, f *field, siblings object) {
	n, ok := wholeNumber(v.text)
	most := cmp.Or(f.limit, maxCount)
	if !ok || n < f.least || n > most {
		c.addProblem("must be a whole number from %d to %d", f.least, most)
		return
	}
	low := siblings.findValue(f.above)
	if low == nil {
		return
	}
	if least, ok := wholeNumber(low.text); ok && n < least {
		c.addProblem("must not be below %q", f.above)
	}
}

// Problem is one thing that is wrong with a record.
type Problem struct {
	// Path is the JSON pointer (RFC 6901) of the member in question, also of a
	// member that is missing. It is empty for the document as a whole. It is
	// safe to print: in a name, what cannot be printed is written as \uXXXX,
	// and a name of more than 64 characters is cut.
	Path string
	// Text says what is wrong in the words of a user. It names members and
	// limits, never a value, because a value may be a secret.
	Text string
}

func (p Problem) String() string {
	if p.Path == "" {
		return p.Text
	}
	return p.Path + ": " + p.Text
}

// InvalidError says that a record is refused, and why.
type InvalidError struct {
	Problems []Problem // in the order of the document, never empty
}

func (e *InvalidError) Error() string {
	switch n := len(e.Problems); n {
	case 0:
		return "invalid record"
	case 1:
		return e.Problems[0].String()
	default:
		return fmt.Sprintf("%s (and %d more)", e.Problems[0], n-1)
	}
}

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

// printable returns the JSON pointer with names that are safe to show.
func (t *trail) printable() string { return t.spellNames(printableName) }

func (t *trail) spellNames(name func(string) string) string {
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
