package session

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/briefing"
)

// filterUntold are the things that the session was not told yet.
func filterUntold[T any](s *Session, all []T, of func(T) string) []T {
	return filterItems(all, func(one T) bool { return !s.state.wasTold(of(one)) })
}

// filterItems are the things that are wanted.
func filterItems[T any](all []T, wanted func(T) bool) []T {
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
func keyOf(k briefing.Known) string { return keyAt(k.ID(), k.Place) }

func keyAt(id, place string) string { return id + " " + place }
