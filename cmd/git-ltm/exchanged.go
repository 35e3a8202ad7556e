package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// exchanged is the JSON shape of what became of one exchange.
type exchanged struct {
	Remote   string            `json:"remote"`
	URL      string            `json:"url"`
	Pulled   []string          `json:"pulled"`
	Pushed   []string          `json:"pushed"`
	Removed  []string          `json:"removed"`
	Hidden   []string          `json:"hidden"` // those of them that wait for an answer to a purge
	Deleted  []string          `json:"deleted"`
	Withheld []remote.Withheld `json:"withheld"`
	Stray    []string          `json:"stray"`
	Strays   int               `json:"strays"` // how many there are; a few of them are named
	// the format that the remote asks for, where it is not known here
	Needs    int  `json:"needs,omitempty"`
	Unread   int  `json:"unread,omitempty"`
	Odd      bool `json:"odd_format,omitempty"`
	Holds    int  `json:"holds"`
	Archives int  `json:"archives"`
	Kept     int  `json:"kept"` // refs that the remote did not let be deleted, this time
	DryRun   bool `json:"dry_run"`
	// why it failed; what stands before it was done until then
	Error string `json:"error,omitempty"`
	idle  int    // refs of records that the remote keeps although an archive holds them there
}

// cleaned is an outcome fit to be printed. The names of records hold nothing but ids.
func (e *env) cleaned(out remote.Outcome, o syncOptions) exchanged {
	told := exchanged{
		Remote: e.printable(out.Remote), URL: e.printable(reply.Address(out.URL)), Holds: out.Holds,
		Archives: out.Archives,
		Kept:     len(out.Kept), idle: out.Idle, DryRun: o.dryRun,
		Pulled: orNone(out.Pulled), Pushed: orNone(out.Pushed), Removed: orNone(out.Removed),
		Hidden: orNone(out.Hidden), Deleted: orNone(out.Deleted),
		Withheld: []remote.Withheld{}, Stray: e.listed(out.Stray[:min(len(out.Stray), namedStrays)]),
		Strays: len(out.Stray),
		Needs:  out.Needs, Unread: out.Unread, Odd: out.OddFormat,
	}
	for _, w := range out.Withheld {
		w.Ref, w.Why = e.printable(w.Ref), e.listed(w.Why)
		told.Withheld = append(told.Withheld, w)
	}
	return told
}

// listed cleans texts; none are an empty list.
func (e *env) listed(texts []string) []string {
	clean := make([]string, 0, len(texts))
	for _, text := range texts {
		clean = append(clean, e.printable(text))
	}
	return clean
}

// tellExchange prints what became of an exchange.
func (e *env) tellExchange(x exchanged, way remote.Way) error {
	would := ""
	if x.DryRun {
		would = "would have "
	}
	hidden := func(ref string) bool { return slices.Contains(x.Hidden, ref) }
	var parts []string
	for _, part := range []struct {
		did   string
		names []string
		ways  []remote.Way
	}{
		{"pulled", x.Pulled, []remote.Way{remote.Both, remote.Pull}},
		{"pushed", x.Pushed, []remote.Way{remote.Both, remote.Push}},
		{"removed here, as purged:", slices.DeleteFunc(slices.Clone(x.Removed), hidden), nil},
		{"hidden here until you answer a purge:", x.Hidden, nil},
		{"deleted there, as purged:", x.Deleted, nil},
	} {
		if len(part.names) > 0 || slices.Contains(part.ways, way) {
			parts = append(parts, fmt.Sprintf("%s%s %d", would, part.did, len(part.names)))
		}
	}
	if len(parts) == 0 {
		parts = []string{"nothing to do"}
	}
	e.tellWithheld(x.Withheld)
	if x.Odd {
		e.warnf("what %s says of the format of its memory cannot be read, and is ignored", x.Remote)
	}
	if x.Needs > 0 {
		e.warnf("the memory on %s asks for readers of format %d, which this version does not know: it "+
			"left %s there that it cannot read; update git-ltm",
			x.Remote, x.Needs, counted(x.Unread, "record"))
	}
	for _, name := range x.Stray {
		e.warnf("%s is no record of this format; it is never read", name)
	}
	if more := x.Strays - len(x.Stray); more > 0 {
		e.warnf("%d more names on %s are no records of this format", more, x.Remote)
	}
	holds := "it holds " + counted(x.Holds, "record")
	if x.Archives > 0 {
		holds += " and " + counted(x.Archives, "archive") + " of older ones"
	}
	e.crowded(x)
	if !x.DryRun && way != remote.Forget && len(x.Removed) > len(x.Hidden) {
		e.say("hint", "what was purged lies in this clone until git collects it: git gc --prune=now")
	}
	_, err := fmt.Fprintf(e.stdout, "%s: %s; %s\n", x.Remote, strings.Join(parts, ", "), holds)
	return err
}

// namedStrays is how many names are told that are none of the format. Whoever can push can make any number.
const namedStrays = 20

// crowded tells of a remote with so many refs that whoever pushes pays for them.
func (e *env) crowded(x exchanged) {
	cost := fmt.Sprintf("every push of anybody to %s downloads %d KB for the %d refs of memory", x.Remote,
		x.Holds*90/1000, x.Holds)
	switch many := x.Holds - x.idle; {
	case many >= remote.TooManyRefs:
		e.warnf("%s; run 'git ltm compact'", cost)
	case many >= remote.ManyRefs:
		e.say("hint", cost+"; 'git ltm compact' makes them few")
	}
}

// namedReasons is how many reasons are told for which records were not handed on. Whoever can push can make
// any number.
const namedReasons = 8

// tellWithheld tells what was not handed on. Refs that were kept for the same reason are one line.
func (e *env) tellWithheld(all []remote.Withheld) {
	var order []string
	same := map[string][]string{}
	for _, w := range all {
		what := "not taken"
		if w.Kept == remote.Here {
			what = "not sent"
		}
		line := what + ": %s: " + strings.ReplaceAll(strings.Join(w.Why, "; "), "%", "%%")
		if len(same[line]) == 0 {
			order = append(order, line)
		}
		same[line] = append(same[line], w.Ref)
	}
	if len(order) > namedReasons {
		rest := 0
		for _, line := range order[namedReasons:] {
			rest += len(same[line])
		}
		order = order[:namedReasons]
		defer func() {
			e.warnf("%d more were not taken or not sent; 'git ltm check' and --json say why of each", rest)
		}()
	}
	for _, line := range order {
		// A record says more to a person than the ref that tells the format.
		first := slices.IndexFunc(same[line], func(ref string) bool { return ref != "refs/ltm/meta/format" })
		names := same[line][max(first, 0)]
		if more := len(same[line]) - 1; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		e.warnf(line, names)
	}
}

// tellKept tells once of the refs that a remote did not let be deleted.
func (e *env) tellKept(out remote.Outcome) {
	name := e.printable(out.Remote)
	if n := len(out.KeptPurged); n > 0 {
		e.warnf("%s did not let %s of purged records be deleted: their text stays there until somebody "+
			"deletes it who may", name, counted(n, "ref"))
	}
	if n := len(out.Kept) - len(out.KeptPurged); n > 0 {
		text := fmt.Sprintf("%s keeps %s that git ltm would remove; that is harmless", name,
			counted(n, "ref"))
		e.say("hint", text)
	}
}

// orNone makes no names an empty list.
func orNone(names []string) []string {
	if names == nil {
		return []string{}
	}
	return names
}
