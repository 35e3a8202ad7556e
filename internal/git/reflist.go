package git

import (
	"iter"
	"slices"
	"strings"
)

// RefList is a list of refs in the order of their names. It is the text in which they came, so that a hundred
// thousand take ten megabytes, and texts that it returns are parts of that.
type RefList struct {
	text string
	at   []int // where the lines of the refs begin: an object, one character, and a name
}

// ReadRefList reads lines of an object, a space or a tab, and a name, of those that are kept. Other lines are
// passed over. Of two with one name the later one counts.
func ReadRefList(text string, keep func(name, object string) bool) RefList {
	l := RefList{text: text, at: make([]int, 0, strings.Count(text, "\n"))}
	runs, last := []int{0}, "" // where the names begin to rise anew
	for next := 0; next < len(text); {
		at := next
		line, _, _ := strings.Cut(text[at:], "\n")
		next = at + len(line) + 1
		object, name := cutRef(line)
		if name == "" || !IsObjectID(object) || !keep(name, object) {
			continue
		}
		if name <= last {
			runs = append(runs, len(l.at))
		}
		l.at, last = append(l.at, at), name
	}
	for len(runs) > 1 { // Each is merged with the one behind it.
		merged := make([]int, 0, len(l.at))
		var begins []int
		for i := 0; i < len(runs); i += 2 {
			begins = append(begins, len(merged))
			bounds := append(slices.Clone(runs[i:min(i+3, len(runs))]), len(l.at), len(l.at))
			merged = l.mergeRuns(merged, l.at[bounds[0]:bounds[1]], l.at[bounds[1]:bounds[2]])
		}
		l.at, runs = merged, begins
	}
	return l
}

// mergeRuns appends two runs in the order of their names. Of one name the later line counts.
func (l RefList) mergeRuns(to, first, second []int) []int {
	for len(first) > 0 && len(second) > 0 {
		order := strings.Compare(l.lineAt(first[0]).Name, l.lineAt(second[0]).Name)
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

// lineAt reads the line that begins at an offset.
func (l RefList) lineAt(at int) Ref {
	line, _, _ := strings.Cut(l.text[at:], "\n")
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
func (l RefList) Len() int { return len(l.at) }

// search returns where a name stands, or would.
func (l RefList) search(name string) (i int, found bool) {
	return slices.BinarySearchFunc(l.at, name, func(at int, name string) int {
		return strings.Compare(l.lineAt(at).Name, name)
	})
}

// Find returns the object of a name, or "".
func (l RefList) Find(name string) string {
	if i, ok := l.search(name); ok {
		return l.lineAt(l.at[i]).Object
	}
	return ""
}

// Peeled returns the object behind a tag object of a remote; "" for anything else.
func (l RefList) Peeled(name string) string {
	i, ok := l.search(name)
	if !ok {
		return ""
	}
	_, behind, _ := strings.Cut(l.text[l.at[i]:], "\n")
	line, _, _ := strings.Cut(behind, "\n")
	object, peeled, _ := strings.Cut(line, "\t")
	if tagged, ok := strings.CutSuffix(peeled, "^{}"); !ok || tagged != name || !IsObjectID(object) {
		return ""
	}
	return object
}

// Below yields the names that begin with a prefix, and their objects.
func (l RefList) Below(prefix string) iter.Seq2[string, string] {
	return func(yield func(name, object string) bool) {
		first, _ := l.search(prefix)
		for _, at := range l.at[first:] {
			ref := l.lineAt(at)
			if !strings.HasPrefix(ref.Name, prefix) || !yield(ref.Name, ref.Object) {
				return
			}
		}
	}
}

// All yields every name and its object.
func (l RefList) All() iter.Seq2[string, string] { return l.Below("") }

// Only is the list of those that are kept.
func (l RefList) Only(keep func(name, object string) bool) RefList {
	l.at = slices.DeleteFunc(slices.Clone(l.at), func(at int) bool {
		ref := l.lineAt(at)
		return !keep(ref.Name, ref.Object)
	})
	return l
}

// RefDifference is a name under which two lists hold different objects; "" is none.
type RefDifference struct{ Name, Mine, Theirs string }

// Differ yields where another list differs.
func (l RefList) Differ(from RefList) iter.Seq[RefDifference] {
	return func(yield func(RefDifference) bool) {
		i, j := 0, 0
		for i < len(l.at) || j < len(from.at) {
			var mine, theirs Ref // A list that has ended has no name.
			if i < len(l.at) {
				mine = l.lineAt(l.at[i])
			}
			if j < len(from.at) {
				theirs = from.lineAt(from.at[j])
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
