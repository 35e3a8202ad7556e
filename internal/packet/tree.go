package packet

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
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

// member returns the first member of that name, or nil.
func (o object) member(name string) *member {
	for i := range o {
		if o[i].name == name {
			return &o[i]
		}
	}
	return nil
}

// find returns the value of the first member of that name, or nil.
func (o object) find(name string) *value {
	if m := o.member(name); m != nil {
		return &m.value
	}
	return nil
}

// build makes the tree of a JSON text that is known to be well formed. It marks
// what is wrong and leaves the judgement to the check.
func build(r gjson.Result, depth int) value {
	switch {
	case r.Type == gjson.String:
		return value{is: isString, text: r.Str, flaw: surrogates(r.Raw)}
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
		v.items = append(v.items, member{name.Str, surrogates(name.Raw), build(item, depth+1)})
		return true
	})
	return v
}

// surrogates finds half of a surrogate pair among the escapes of a JSON string.
// The tokeniser would quietly put U+FFFD in its place.
func surrogates(raw string) flaw {
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
