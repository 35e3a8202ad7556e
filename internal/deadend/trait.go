package deadend

import (
	"cmp"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
)

// Traits are what rules are found by without a look at their text: a sum for each word that an action has,
// for each word and option of its commands, and for each segment of its paths. Two texts may have one sum, so
// that traits never say that a rule is met, but only that it may be, or that it is not.

// mostTraits bounds how many traits an action has, and so how long rules are looked for.
const mostTraits = 4000

// Trait is the sum of one of them.
type Trait uint32

// The sorts of traits, each followed by what it is about.
const (
	ofCommand = "c " // a program, and a word or an option of it
	ofPath    = "p " // a segment of a path
	ofWord    = "w " // a word
	ofInstall = "i " // a package that is taken into use
)

// traitOf is the trait of a text of some sort.
func traitOf(sort, text string) Trait {
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(sort + text)) // A sum never fails.
	return Trait(sum.Sum32())
}

// Traits are the traits of an action, at most a few thousand: of a longer one those of its end are left out.
type Traits struct {
	has    map[Trait]bool
	halves *[1 << 16 / 64]uint64 // a bit for each half that a trait has
}

// All returns the traits, sorted.
func (t Traits) All() []Trait { return slices.Sorted(maps.Keys(t.has)) }

// Empty says whether there are none, so that no rule is met.
func (t Traits) Empty() bool { return len(t.has) == 0 }

// Count is how many there are.
func (t Traits) Count() int { return len(t.has) }

// mayHave says whether any has a half.
func (t Traits) mayHave(half uint16) bool { return t.halves[half/64]>>(half%64)&1 != 0 }

// addTrait takes in a trait while there is room.
func (t Traits) addTrait(sort, text string) {
	if len(t.has) < mostTraits {
		trait := traitOf(sort, text)
		t.has[trait] = true
		t.halves[halfOf(trait)/64] |= 1 << (halfOf(trait) % 64)
	}
}

// Traits returns the traits of an action. It has those of every rule that it meets, as [Kept.Weigh] wants them.
func (d Deed) Traits() Traits {
	t := Traits{map[Trait]bool{}, new([1 << 16 / 64]uint64)}
	for _, f := range formsOf(d.run) {
		t.addCommand(f)
	}
	for _, path := range slices.Concat(d.paths, writtenBy(d.run), d.prompt.paths) {
		t.addTrait(ofPath, "")
		for _, segment := range pathSegments(path) {
			t.addTrait(ofPath, segment)
		}
	}
	for _, read := range []*reading{d.commands, d.prompt, d.edit} {
		keys := slices.SortedFunc(maps.Keys(read.places), func(a, b string) int {
			return cmp.Or(read.places[a][0].at-read.places[b][0].at, cmp.Compare(a, b))
		})
		for _, key := range keys {
			t.addTrait(ofWord, key)
		}
		for _, key := range slices.Sorted(maps.Keys(read.installs)) {
			t.addTrait(ofInstall, key)
		}
		for _, key := range slices.Sorted(maps.Keys(read.around)) {
			key = strings.TrimPrefix(key, "-") // One that the edit takes out.
			t.addTrait(ofWord, key)
			t.addTrait(ofWord, "!"+key) // A rule may speak of its going.
		}
	}
	return t
}

// addCommand notes each word of a command and each of its options, behind the program.
func (t Traits) addCommand(f form) {
	t.addTrait(ofCommand, f.program+" ")
	for _, word := range slices.Concat(f.plain, f.values) {
		for _, reading := range f.wordReadings(word) {
			t.addTrait(ofCommand, f.program+" "+reading)
		}
	}
	for _, option := range slices.Sorted(maps.Keys(f.options)) {
		t.addTrait(ofCommand, f.program+" "+option)
	}
}

// pathSegments are those of a path, with what is no UTF-8 as a comparison has it.
func pathSegments(path string) []string {
	return strings.Split(string([]rune(tidyPath(path))), "/")
}
