package packet

import (
	"slices"
	"time"
)

// The methods below read members of a tree that has been checked. A member that
// is missing, or is of another type, reads as the zero value.

func (o object) text(name string) string {
	if v := o.find(name); v != nil && v.is == isString {
		return v.text
	}
	return ""
}

func (o object) flag(name string) bool {
	v := o.find(name)
	return v != nil && v.is == isBool && v.text == "true"
}

func (o object) count(name string) int {
	v := o.find(name)
	if v == nil || v.is != isNumber {
		return 0
	}
	n, _ := wholeNumber(v.text)
	return n
}

func (o object) time(name string) time.Time {
	t, _ := parseTime(o.text(name))
	return t
}

func (o object) object(name string) object {
	if v := o.find(name); v != nil && v.is == isObject {
		return v.items
	}
	return nil
}

func (o object) array(name string) object {
	if v := o.find(name); v != nil && v.is == isArray {
		return v.items
	}
	return nil
}

func (o object) texts(name string) []string {
	return views(o, name, func(v *value) string { return v.text })
}

// views returns what read makes of each item of the array of that name, or nil
// where there is none.
func views[T any](o object, name string, read func(*value) T) []T {
	items := o.array(name)
	if len(items) == 0 {
		return nil
	}
	out := make([]T, len(items))
	for i := range items {
		out[i] = read(&items[i].value)
	}
	return out
}

// with returns the object with that member, in the place of one of the same
// name. The object itself stays as it is.
func (o object) with(name string, v value) object {
	changed := slices.Clone(o)
	if old := changed.find(name); old != nil {
		*old = v
		return changed
	}
	return append(changed, member{name: name, value: v})
}

func stringValue(s string) value { return value{is: isString, text: s} }
