package index

import (
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/words"
)

const (
	mostText = 16 * 1024 // mostText is how much of a query counts.
	// mostUnits is how many units of a query are looked up, beside words that say nothing, and of its other
	// words.
	mostUnits = 40
)

// unit is one word that a query asks for.
type unit struct {
	words.Word

	also bool // also says that the question itself does not say it.
}

// texts are the words of which each speaks for a unit.
func (u unit) texts() []string { return slices.Concat(u.Parts, u.Names) }

// asked is a query taken apart.
type asked struct {
	Query
	units []unit // units are what is searched for, each once.
}

// parseQuery takes a query apart. All of it is words: what is pasted from elsewhere is full of signs that
// nobody meant to say anything to a search. Words that say nothing are left out; one alone may be a name.
func parseQuery(q Query) asked {
	a := asked{Query: q}
	if a.Limit <= 0 {
		a.Limit = 20
	}
	seen := map[string]bool{}
	add := func(text string, also bool) (stops []unit) {
		left := mostUnits
		for w := range words.All(strings.ToValidUTF8(text[:min(len(text), mostText)], " ")) {
			key := strings.Join(w.Parts, " ") + "\n" + w.Whole()
			if left == 0 || seen[key] || len(w.Parts) == 0 {
				continue
			}
			seen[key] = true
			if w.IsStop() {
				stops = append(stops, unit{Word: w})
				continue
			}
			left--
			a.units = append(a.units, unit{w, also})
		}
		return stops
	}
	if stops := add(q.Text, false); len(stops) == 1 && len(a.units) == 0 {
		a.units = stops
	}
	add(strings.Join(q.Also, "\n"), true)
	return a
}
