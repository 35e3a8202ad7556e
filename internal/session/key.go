package session

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/briefing"
)

// unsaid are the things that the session was not told yet.
func unsaid[T any](s *Session, all []T, of func(T) string) []T {
	return filtered(all, func(one T) bool { return !s.state.told(of(one)) })
}

// filtered are the things that are wanted.
func filtered[T any](all []T, wanted func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(one T) bool { return !wanted(one) })
}

func keysOf[T any](all []T, of func(T) string) []string {
	keys := make([]string, len(all))
	for i, one := range all {
		keys[i] = of(one)
	}
	return keys
}

// keyOf names a thing that is told.
func keyOf(k briefing.Known) string { return key(k.ID(), k.Place) }

func key(id, place string) string { return id + " " + place }
