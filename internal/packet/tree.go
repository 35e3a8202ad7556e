package packet

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/git-ltm/git-ltm/internal/trace"
)

// A value is one JSON value. Values are never changed once they are built, so
// that copies of a record can share them.
type value struct {
	is    valueType
	flaw  flaw
	text  string // the decoded string, or the literal as it was written
	items object // the members of an object, the items of an array
}

type valueType uint8

const (
	isNull valueType = iota
	isBool
	isNumber
	isString
	isArray
	isObject
)

func (t valueType) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[t]
}

// A flaw is something that the written form had and the tree cannot show.
type flaw uint8

const (
	noFlaw flaw = iota
	loneSurrogate
	tooDeep
)

// A member is a named value. The items of an array are members without a name.
type member struct {
	name  string
	flaw  flaw
	value value
}

type object []member

// findMember returns the first member of that name, or nil.
func (o object) findMember(name string) *member {
	for i := range o {
		if o[i].name == name {
			return &o[i]
		}
	}
	return nil
}

// findValue returns the value of the first member of that name, or nil.
func (o object) findValue(name string) *value {
	if m := o.findMember(name); m != nil {
		return &m.value
	}
	return nil
}

// buildValue makes the tree of a JSON text that is known to be well formed. It marks
// what is wrong and leaves the judgement to the check.
func buildValue(r gjson.Result, depth int) value {
	switch {
	case r.Type == gjson.String:
		return value{is: isString, text: r.Str, flaw: findSurrogate(r.Raw)}
	case r.Type == gjson.Number:
		return value{is: isNumber, text: r.Raw}
	case r.Type == gjson.Null:
		return value{is: isNull, text: "null"}
	case r.Type == gjson.True || r.Type == gjson.False:
		return value{is: isBool, text: r.Raw}
	case r.IsArray():
		return buildItems(r, isArray, depth)
	default:
		return buildItems(r, isObject, depth)
	}
}

// usualItems is what most objects and arrays have room for.
const usualItems = 4

func buildItems(r gjson.Result, is valueType, depth int) value {
	v := value{is: is}
	if depth > MaxDepth {
		v.flaw = tooDeep
		return v
	}
	r.ForEach(func(name, item gjson.Result) bool {
		if v.items == nil {
			v.items = make(object, 0, usualItems)
		}
		v.items = append(v.items, member{name.Str, findSurrogate(name.Raw), buildValue(item, depth+1)})
		return true
	})
	return v
}

// findSurrogate finds half of a surrogate pair among the escapes of a JSON string.
// The tokeniser would quietly put U+FFFD in its place.
func findSurrogate(raw string) flaw {
	i := strings.IndexByte(raw, '\\')
	for i >= 0 && i < len(raw) {
		if raw[i] != '\\' {
			i++
			continue
		}
		high := escapedUnit(raw[i:])
		switch {
		case high < 0:
			i += 2
		case high < 0xD800 || high > 0xDFFF:
			i += 6
		case high <= 0xDBFF && isLowSurrogate(escapedUnit(raw[i+6:])):
			i += 12
		default:
			return loneSurrogate
		}
	}
	return noFlaw
}

// escapedUnit returns the code unit of the \u escape that s begins with, or -1.
func escapedUnit(s string) int {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return -1
	}
	return int(n)
}

func isLowSurrogate(unit int) bool { return unit >= 0xDC00 && unit <= 0xDFFF }

// The methods below read what has been checked. A value that is missing, or is
// of another type, reads as the zero value.

func (o object) textOf(name string) string { return o.findValue(name).asString() }

func (v *value) asString() string {
	if v == nil || v.is != isString {
		return ""
	}
	return v.text
}

func (v *value) asInt() int {
	if v == nil || v.is != isNumber {
		return 0
	}
	n, _ := wholeNumber(v.text)
	return n
}

func (v *value) asTime() time.Time {
	t, _ := parseTime(v.asString())
	return t
}

func (v *value) asStrings() []string {
	if v.is != isArray || len(v.items) == 0 {
		return nil
	}
	texts := make([]string, len(v.items))
	for i := range v.items {
		texts[i] = v.items[i].value.text
	}
	return texts
}

// withMember returns the object with that member, in the place of one of the same
// name. The object itself stays as it is.
func (o object) withMember(name string, v value) object {
	changed := slices.Clone(o)
	if old := changed.findValue(name); old != nil {
		*old = v
		return changed
	}
	return append(changed, member{name: name, value: v})
}

func stringValue(s string) value { return value{is: isString, text: s} }

// maxInput is how much is read at all. It leaves room for white space and
// escapes, and bounds the recursion of the tokeniser.
const maxInput = 4 * MaxPacket

// Mode says how complete a record must be.
type Mode int

// The modes of Parse and Validate.
const (
	Draft  Mode = iota // id, created_at and ltm_version may be missing
	Stored             // nothing that is required may be missing
	// as Draft, and what only a person can say may be missing too: the goal and the next step of a packet
	Sketch
)

// Parse reads a record. It accepts the records that the mode allows and nothing
// else; otherwise it returns an *[InvalidError] with every problem, or with
// just one where the text is not JSON at all.
func Parse(data []byte, mode Mode) (*Record, error) {
	trace.Records.Add(1)
	root, err := readObject(data)
	if err != nil {
		return nil, err
	}
	r := &Record{root: root}
	if err := r.Validate(mode); err != nil {
		return nil, err
	}
	return r, nil
}

// readObject makes the tree of a text that must be one JSON object. The error
// is an *[InvalidError].
func readObject(data []byte) (object, error) {
	if text := whyUnreadable(data); text != "" {
		return nil, &InvalidError{[]Problem{{Text: text}}}
	}
	root := gjson.ParseBytes(data)
	if !root.IsObject() {
		return nil, &InvalidError{[]Problem{{Text: "must be an object"}}}
	}
	return buildValue(root, 1).items, nil
}

// whyUnreadable says why data is not JSON in UTF-8 of a sensible size, or returns
// the empty string.
func whyUnreadable(data []byte) string {
	switch {
	case len(data) > maxInput:
		return fmt.Sprintf("the input is %d bytes, at most %d are read", len(data), maxInput)
	case len(bytes.TrimSpace(data)) == 0:
		return "the input is empty"
	case bytes.HasPrefix(data, []byte("\uFEFF")):
		return "the input begins with a byte order mark"
	case !utf8.Valid(data):
		return positionOf(data, bytes.IndexRune(data, utf8.RuneError)) + ": not UTF-8"
	case !gjson.ValidBytes(data):
		// The standard library knows the place. Its words name at most one character of the
		// input.
		var raw json.RawMessage
		var syntax *json.SyntaxError
		if err := json.Unmarshal(data, &raw); !errors.As(err, &syntax) {
			return "not JSON"
		}
		return fmt.Sprintf("%s: not JSON: %s", positionOf(data, int(syntax.Offset)-1), syntax)
	}
	return ""
}

// positionOf names the character at the byte offset as an editor would.
func positionOf(data []byte, offset int) string {
	before := data[:max(offset, 0)]
	line := bytes.Count(before, []byte{'\n'})
	start := bytes.LastIndexByte(before, '\n') + 1
	return fmt.Sprintf("line %d, column %d", line+1, utf8.RuneCount(before[start:])+1)
}
