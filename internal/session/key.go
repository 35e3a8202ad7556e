package session

import (
	"slices"

	"github.com/git-ltm/git-ltm/internal/briefing"
)

// filterItems are the things that are wanted.
func filterItems[T any](all []T, wanted func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(one T) bool { return !wanted(one) })
}

// keyOf names a thing that is told.
func keyOf(k briefing.Known) string { return keyAt(k.ID(), k.Place) }

func keyAt(id, place string) string { return id + " " + place }
