package transcript

import "slices"

// list keeps some values in the order in which they came, each under a key that may be empty.
type list[T any] struct {
	keys   []string
	values []T
}

// put replaces what came under the same key, or appends.
func (l *list[T]) put(key string, v T) {
	if i := l.find(key); i >= 0 {
		l.values[i] = v
		return
	}
	l.keys, l.values = append(l.keys, key), append(l.values, v)
}

// remove takes out what came under a key.
func (l *list[T]) remove(key string) {
	if i := l.find(key); i >= 0 {
		l.cut(i)
	}
}

func (l *list[T]) cut(i int) {
	l.keys, l.values = slices.Delete(l.keys, i, i+1), slices.Delete(l.values, i, i+1)
}

// find looks from the end, where a key mostly is.
func (l *list[T]) find(key string) int {
	if key == "" {
		return -1
	}
	for i, k := range slices.Backward(l.keys) {
		if k == key {
			return i
		}
	}
	return -1
}
