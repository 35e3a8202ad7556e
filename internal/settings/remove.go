package settings

import (
	"bytes"
	"reflect"
	"slices"
	"strconv"
)

// ChangedError is an addition that somebody changed, so that it cannot be told whose it is now.
type ChangedError struct{ Path []string }

// Error names the place.
func (e *ChangedError) Error() string { return placeOf(e.Path) + " was changed since" }

// Own tells whether a value, as Value returns it, is an addition that somebody changed and that is to go all
// the same.
type Own func(value any) bool

// Remove takes an addition out of a text: the one of the same value, or where there is none the first that
// own tells; nil tells none. What was made for it goes along where nothing else is in it. If nothing else
// changed since Insert, the text is the one of before, to the byte. What is not there is ErrAbsent, and a
// member of another value a *ChangedError.
func Remove(text []byte, a Added, own Own) ([]byte, error) {
	d, err := parseText(text)
	if err != nil {
		return nil, err
	}
	if d.root == nil {
		return nil, ErrAbsent
	}
	in, rest := d.root.walkPath(a.Path)
	if len(rest) > 0 {
		return nil, ErrAbsent
	}
	i, err := a.findItem(d, in, own)
	if err != nil {
		return nil, err
	}
	left, err := d.takeOut(a.Path, i)
	if err != nil {
		return nil, err
	}
	return a.tidyMade(left)
}

// findItem returns the number of the item.
func (a Added) findItem(d *document, in *node, own Own) (int, error) {
	want, err := decodeJSON(a.Value)
	if err != nil {
		return 0, err
	}
	same := func(it item) bool { return reflect.DeepEqual(d.decodeValue(it.value), want) }
	mine := func(it item) bool { return same(it) || own != nil && own(d.decodeValue(it.value)) }
	if a.Name != "" {
		i := in.indexOf(a.Name)
		switch {
		case in.kind != object || i < 0:
			return 0, ErrAbsent
		case !mine(in.items[i]):
			return 0, &ChangedError{append(slices.Clone(a.Path), a.Name)}
		}
		return i, nil
	}
	if in.kind != array {
		return 0, ErrAbsent
	}
	i := slices.IndexFunc(in.items, same)
	if i < 0 {
		i = slices.IndexFunc(in.items, mine)
	}
	if i < 0 {
		return 0, ErrAbsent
	}
	return i, nil
}

// tidyMade takes out what was made for the addition as far as it is empty now, and puts back what stood in
// the brackets.
func (a Added) tidyMade(text []byte) ([]byte, error) {
	path := a.Path
	for made := a.Made; ; made-- {
		d, err := parseText(text)
		if err != nil {
			return nil, err
		}
		n, rest := d.root.walkPath(path)
		if len(rest) > 0 || len(n.items) > 0 {
			return text, nil
		}
		if made == 0 {
			return slices.Concat(text[:n.from+1], a.restoreSpace(text[n.from+1:n.to-1]), text[n.to-1:]), nil
		}
		if d.endBefore(n.to-1) != n.from+1 {
			return text, nil // Somebody wrote a comment in it.
		}
		if len(path) == 0 {
			return a.restoreSpace(slices.Concat(text[:n.from], text[n.to:])), nil
		}
		outer := path[:len(path)-1]
		in, _ := d.root.walkPath(outer)
		if text, err = d.takeOut(outer, in.indexOf(path[len(outer)])); err != nil {
			return nil, err
		}
		path = outer
	}
}

// restoreSpace returns what is left in the place of an addition, as it was before where only white space
// differs.
func (a Added) restoreSpace(left []byte) []byte {
	bare := func(text []byte) string { return string(bytes.Join(bytes.Fields(text), nil)) }
	if a.Was == nil || bare(left) != bare([]byte(*a.Was)) {
		return left
	}
	return []byte(*a.Was)
}

// takeOut returns the text without an item and one comma. It makes sure that nothing else is lost: a comment may
// have grown over what follows.
func (d *document) takeOut(path []string, i int) ([]byte, error) {
	in, _ := d.root.walkPath(path)
	it, all := in.items[i], in.items
	in.items = slices.Delete(slices.Clone(all), i, i+1)
	want := d.decodeValue(*d.root)
	in.items = all
	for _, from := range []int{d.endBefore(it.from), it.from} {
		left := d.cutItem(all, i, from)
		now, err := parseText(left)
		if err == nil && now.root != nil && reflect.DeepEqual(now.decodeValue(*now.root), want) {
			return left, nil
		}
	}
	name := strconv.Itoa(i)
	if in.kind == object {
		name = it.name
	}
	return nil, &ChangedError{append(slices.Clone(path), name)}
}

// cutItem removes an item from an offset on, and the comma behind it, or before it where it is the last.
func (d *document) cutItem(all []item, i, from int) []byte {
	it, text := all[i], d.text
	comma := d.commaBehind(it.value)
	if i == 0 && len(all) > 1 && d.endBefore(all[1].from) == comma+1 {
		return slices.Concat(text[:it.from], text[all[1].from:]) // The next one takes its place.
	}
	if comma >= 0 {
		return slices.Concat(text[:from], text[it.value.to:comma], text[comma+1:])
	}
	if i == 0 {
		return slices.Concat(text[:from], text[it.value.to:])
	}
	comma = d.commaBehind(all[i-1].value)
	return slices.Concat(text[:comma], text[comma+1:max(from, comma+1)], text[it.value.to:])
}
