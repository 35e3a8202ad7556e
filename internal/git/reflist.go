package git

import (
	"iter"
	"slices"
	"sort"
	"strings"
)

// RefList is a list of refs in the order of their names. It is the text in which they came, so that a hundred
// thousand take ten megabytes, and texts that it returns are parts of that. What is made of a list shares its
// text.
type RefList struct {
	// the text from where the line of each ref begins: an object, one character, a name, and other lines
	lines []string
}

// ReadRefList reads lines of an object, a space or a tab, and a name, of those that are kept. Other lines are
// passed over. Of two with one name the later one counts.
func ReadRefList(text string, keep func(name, object string) bool) RefList {
	lines := make([]string, 0, strings.Count(text, "\n"))
	runs, last := []int{0}, "" // where the names begin to rise anew
	for rest := text; rest != ""; {
		from := rest
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		object, name := cutRef(line)
		if name == "" || !IsObjectID(object) || !keep(name, object) {
			continue
		}
		if name <= last {
			runs = append(runs, len(lines))
		}
		lines, last = append(lines, from), name
	}
	for len(runs) > 1 { // Each is merged with the one behind it.
		merged := make([]string, 0, len(lines))
		var begins []int
		for i := 0; i < len(runs); i += 2 {
			begins = append(begins, len(merged))
			bounds := append(slices.Clone(runs[i:min(i+3, len(runs))]), len(lines), len(lines))
			merged = mergeLines(merged, lines[bounds[0]:bounds[1]], lines[bounds[1]:bounds[2]])
		}
		lines, runs = merged, begins
	}
	return RefList{lines}
}

// mergeLines appends two runs in the order of their names. Of one name the later line counts.
func mergeLines(to, first, second []string) []string {
	for len(first) > 0 && len(second) > 0 {
		order := strings.Compare(firstRef(first[0]).Name, firstRef(second[0]).Name)
		if order < 0 {
			to = append(to, first[0])
		} else {
			to, second = append(to, second[0]), second[1:]
		}
		if order <= 0 {
			first = first[1:]
		}
	}
	return append(append(to, first...), second...)
}

// firstRef reads the line with which a text begins.
func firstRef(text string) Ref {
	line, _, _ := strings.Cut(text, "\n")
	object, name := cutRef(line)
	return Ref{Name: name, Object: object}
}

// cutRef parts a line at the character behind the object.
func cutRef(line string) (object, name string) {
	for _, n := range [...]int{40, 64} {
		if len(line) > n && (line[n] == ' ' || line[n] == '\t') {
			return line[:n], line[n+1:]
		}
	}
	return "", ""
}

// Len is how many refs there are.
func (l RefList) Len() int { return len(l.lines) }

// At is one of them, by its place in the order of the names.
func (l RefList) At(i int) Ref { return firstRef(l.lines[i]) }

// Part is those from one place up to another.
func (l RefList) Part(from, to int) RefList { return RefList{l.lines[from:to:to]} }

// Search returns the place where a name stands, or would.
func (l RefList) Search(name string) (i int, found bool) {
	return slices.BinarySearchFunc(l.lines, name, func(text, name string) int {
		return strings.Compare(firstRef(text).Name, name)
	})
}

// Find returns the object of a name, or "".
func (l RefList) Find(name string) string {
	if i, ok := l.Search(name); ok {
		return l.At(i).Object
	}
	return ""
}

// Peeled returns the object behind a tag object of a remote; "" for anything else.
func (l RefList) Peeled(name string) string {
	i, ok := l.Search(name)
	if !ok {
		return ""
	}
	_, behind, _ := strings.Cut(l.lines[i], "\n")
	line, _, _ := strings.Cut(behind, "\n")
	object, peeled, _ := strings.Cut(line, "\t")
	if tagged, ok := strings.CutSuffix(peeled, "^{}"); !ok || tagged != name || !IsObjectID(object) {
		return ""
	}
	return object
}

// Below is those whose names begin with a prefix.
func (l RefList) Below(prefix string) RefList {
	from, _ := l.Search(prefix)
	n := sort.Search(l.Len()-from, func(i int) bool { return !strings.HasPrefix(l.At(from+i).Name, prefix) })
	return l.Part(from, from+n)
}

// All yields every name and its object.
func (l RefList) All() iter.Seq2[string, string] {
	return func(yield func(name, object string) bool) {
		for _, text := range l.lines {
			if ref := firstRef(text); !yield(ref.Name, ref.Object) {
				return
			}
		}
	}
}

// Only is the list of those that are kept.
func (l RefList) Only(keep func(name, object string) bool) RefList {
	kept := l.lines
	for i, text := range l.lines {
		ref := firstRef(text)
		switch keeps := keep(ref.Name, ref.Object); {
		case len(kept) == len(l.lines) && !keeps: // It is the first that is left out.
			kept = slices.Clone(l.lines[:i])
		case len(kept) < len(l.lines) && keeps:
			kept = append(kept, text)
		}
	}
	return RefList{kept}
}

// Without is the list of those that another one does not hold in the same way.
func (l RefList) Without(other RefList) RefList {
	next := 0
	return l.Only(func(name, object string) bool {
		for next < other.Len() && other.At(next).Name < name {
			next++
		}
		return next == other.Len() || other.At(next) != Ref{Name: name, Object: object}
	})
}

// With is the list with those of another one, which count where both hold a name.
func (l RefList) With(later RefList) RefList {
	switch {
	case l.Len() == 0:
		return later
	case later.Len() == 0:
		return l
	}
	return RefList{mergeLines(make([]string, 0, l.Len()+later.Len()), l.lines, later.lines)}
}

// RefDifference is a name under which two lists hold different objects; "" is none.
type RefDifference struct{ Name, Mine, Theirs string }

// Differ yields where another list differs.
func (l RefList) Differ(from RefList) iter.Seq[RefDifference] {
	return func(yield func(RefDifference) bool) {
		i, j := 0, 0
		for i < l.Len() || j < from.Len() {
			var mine, theirs Ref // A list that has ended has no name.
			if i < l.Len() {
				mine = l.At(i)
			}
			if j < from.Len() {
				theirs = from.At(j)
			}
			var d RefDifference
			if theirs.Name == "" || mine.Name != "" && mine.Name <= theirs.Name {
				d.Name, d.Mine = mine.Name, mine.Object
				i++
			}
			if mine.Name == "" || theirs.Name != "" && theirs.Name <= mine.Name {
				d.Name, d.Theirs = theirs.Name, theirs.Object
				j++
			}
			if d.Mine != d.Theirs && !yield(d) {
				return
			}
		}
	}
}

// IsEqual reports whether another list holds the same.
func (l RefList) IsEqual(to RefList) bool {
	for range l.Differ(to) {
		return false
	}
	return true
}
