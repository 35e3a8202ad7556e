// Package packettest has hostile records for tests: texts that somebody could
// put into a ref to break, confuse or impersonate whoever reads it. It serves
// the tests of every floor and is not part of any program.
package packettest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Case is one hostile text, meant as a complete record.
type Case struct {
	Name    string
	JSON    []byte
	Refused bool     // otherwise it is stored, and made harmless where it is shown
	At      []string // the JSON pointers of the problems, where it is refused
}

// Hostile returns the packets and events, and what is neither, ordered by name.
// Their names are unique.
func Hostile() []Case {
	cases := slices.Concat(
		brokenTexts(),
		nestings(),
		doubledMembers(),
		caseTwins(),
		controls(),
		surrogates(),
		oddTexts(),
		oddNames(),
		ids(),
		numbers(),
		wrongTypes(),
		overLong(),
		outsidePaths(),
		oddTimes(),
		types(),
	)
	return byName(cases)
}

func byName(cases []Case) []Case {
	slices.SortFunc(cases, func(a, b Case) int { return strings.Compare(a.Name, b.Name) })
	return cases
}

func refused(name, json string, at ...string) Case {
	return Case{Name: name, JSON: []byte(json), Refused: true, At: at}
}

func accepted(name, json string) Case {
	return Case{Name: name, JSON: []byte(json)}
}

// required are the members of the smallest packet and their JSON.
var required = []struct{ name, json string }{
	{"ltm_version", `"0.2"`},
	{"id", `"01J9ZQ4M8T3V5X7Y9A1C3E5G7H"`},
	{"created_at", `"2024-10-12T08:30:00Z"`},
	{"goal", `"Stop the nightly export from timing out."`},
	{"next_step", `"Run the export with a batch of 500."`},
}

// packet returns the smallest packet with some members more. Each is JSON like
// `"name": value`.
func packet(more ...string) string {
	var members []string
	for _, m := range required {
		members = append(members, strconv.Quote(m.name)+":"+m.json)
	}
	return "{" + strings.Join(append(members, more...), ",") + "}"
}

// packetWith returns the smallest packet with one member changed.
func packetWith(name, json string) string {
	var members []string
	for _, m := range required {
		if m.name != name {
			members = append(members, strconv.Quote(m.name)+":"+m.json)
		}
	}
	return "{" + strings.Join(append(members, strconv.Quote(name)+":"+json), ",") + "}"
}

// items returns pointers to the first items of an array.
func items(pointer string, n int) []string {
	var all []string
	for i := range n {
		all = append(all, fmt.Sprintf("%s/%d", pointer, i))
	}
	return all
}
