// Package deadend says whether an action meets something that did not work
// before, or that somebody decided not to do: a command, an edit of files, or
// a prompt, against rules made of skips and of failed attempts.
//
// Few false alarms come before many matches, for a warning that comes often is
// not read. So words are matched whole and never as parts of other words, a
// single common word is never enough, and what merely asks, looks, forbids or
// reports is passed over. Each match says which words, path or command it
// stands on, and how sure it is.
//
// A match is certain where nobody has to judge how alike the two are: the
// command is the same word for word, or the file is the very file.
//
// The package is pure and deterministic, and its time is bounded whatever the
// rules and the action hold. It runs nothing of what it reads.
package deadend

import (
	"cmp"
	"slices"
)

// Rule is one thing that did not work. Each field that is set is a way of its
// own in which an action may meet it; a rule without any is never met.
type Rule struct {
	Words   string // what not to do, or what was tried, in words
	Path    string // a glob of paths within the repository, see Glob
	Command string // the words that a command begins with; of a derived rule, the whole command
	Adds    string // a package that an action takes into use
	// made of a failed attempt: where Command is empty, Words tells what was tried and may hold a command
	Derived    bool
	Confidence string // of the attempt: low, medium or high
}

// Action is what is about to be done; any of its fields may be set.
type Action struct {
	Command string   // as a shell would read it
	Dir     string   // where it runs, as seen from the top of the repository; empty for there
	Paths   []string // of files that change, within the repository
	Prompt  string   // what a person asks for
	Added   string   // what an edit writes into the files of Paths
	Removed string   // what it takes out of them
}

// Way is how an action meets a rule.
type Way string

// The ways, the plainest first.
const (
	ByCommand Way = "command"
	ByPath    Way = "path"
	ByWords   Way = "words"
)

// Sureness is how sure a match is.
type Sureness string

// How sure a match can be.
const (
	High   Sureness = "high"
	Medium Sureness = "medium"
	Low    Sureness = "low"
)

// Match is a rule that an action meets.
type Match struct {
	Rule int      // index of the rule
	By   Way      // the plainest of the surest ways
	On   []string // the words, the path or the command's words of the action that it stands on
	Of   int      // how many words the rule has that count; 0 but for ByWords
	Sure Sureness

	Certain bool   // the action is the very thing that the rule names, and nothing like it
	Dir     string // where a command runs that is, as Action.Dir
}

// Rules are rules made ready, for many actions. The zero value holds none.
// Many goroutines may check at once.
type Rules struct {
	all      []Rule
	commands []commandRule
	paths    []pathRule
	words    []wordRule
	adds     []addRule
}

// New makes rules ready.
func New(rules []Rule) *Rules {
	r := &Rules{all: rules}
	for i, rule := range rules {
		r.addRule(i, rule)
	}
	return r
}

// Deed is an action that was read: an edit has many words, and each rule is compared with all of them.
type Deed struct {
	run                    []shellCommand
	paths                  []string
	commands, prompt, edit *reading
}

// Read reads an action, to compare it with more than one set of rules.
func (a Action) Read() Deed {
	run := shellCommands(a.Command, a.Dir)
	return Deed{run, a.Paths, readCommands(run), readPrompt(a.Prompt), readEdit(a)}
}

// Check returns the rules that an action meets, each once, the surest first.
func (r *Rules) Check(a Action) []Match { return r.Meet(a.Read()) }

// Meet does so for an action that was read.
func (r *Rules) Meet(d Deed) []Match {
	var found []Match
	found = append(found, r.byCommand(d.run)...)
	found = append(found, r.byPath(d.run, d.paths, d.prompt)...)
	found = append(found, r.byAdds(d.commands, d.edit)...)
	found = append(found, r.byWords(d.commands, inCommand)...)
	found = append(found, r.byWords(d.prompt, inPrompt)...)
	found = append(found, r.byWords(d.edit, inEdit)...)
	slices.SortStableFunc(found, func(a, b Match) int {
		return cmp.Or(a.Compare(b), cmp.Compare(a.Rule, b.Rule))
	})
	seen := make(map[int]bool, len(found))
	found = slices.DeleteFunc(found, func(m Match) bool {
		had := seen[m.Rule]
		seen[m.Rule] = true
		return had
	})
	if len(found) > 0 {
		given := formsOf(d.run)
		for i, m := range found {
			found[i].Dir, found[i].Certain = r.all[m.Rule].isSame(given, d.paths)
		}
	}
	return found
}

func (r *Rules) addRule(i int, rule Rule) {
	if rule.Path != "" {
		r.paths = append(r.paths, pathRule{i, rule.Path})
	}
	command := rule.Command
	if rule.Derived && rule.Path+rule.Command+rule.Adds == "" {
		command, _ = commandIn(rule.Words)
		for _, quoted := range quotedIn(rule.Words) {
			r.adds = append(r.adds, addRule{rule: i, text: foldText(quoted)})
			if w, ok := newCommandWords(i, quoted); ok {
				w.quoted = quoted != command
				r.words = append(r.words, w)
			}
		}
	}
	if c, ok := newCommandRule(i, command); ok {
		c.derived = rule.Derived
		r.commands = append(r.commands, c)
		for _, f := range c.forms {
			if command != rule.Words {
				if w, ok := newAskedWords(i, f); ok {
					r.words = append(r.words, w)
				}
			}
			if len(f.options) == 0 {
				read := newReading()
				read.noteInstalls(f.words)
				r.adds = append(r.adds, read.installRules(i, true)...)
			}
		}
	}
	if rule.Adds != "" {
		r.adds = append(r.adds, newAdds(i, rule.Adds)...)
	}
	if w, ok := newWordRule(i, rule.Words); ok {
		r.words = append(r.words, w)
	}
	for _, text := range []string{command, rule.Adds} {
		if text == rule.Words { // The words say it already.
			continue
		}
		if w, ok := newCommandWords(i, text); ok {
			r.words = append(r.words, w)
		}
	}
}

// sureOf is how sure a match of a rule is that is some steps below the surest.
func (r *Rules) sureOf(rule, steps int) Sureness { return surenessAt(steps + r.all[rule].stepsBelow()) }

// stepsBelow is how many steps a match of a rule is less sure than that of a skip,
// which somebody wrote down in order to be met.
func (r Rule) stepsBelow() int {
	switch {
	case !r.Derived:
		return 0
	case r.Confidence == string(Low):
		return 2
	default:
		return 1
	}
}

// Compare is the order of matches, of the same rules or others: the surest first.
func (m Match) Compare(other Match) int { return cmp.Compare(m.rankOf(), other.rankOf()) }

// rankOf is low for what comes first.
func (m Match) rankOf() int {
	return 4*slices.Index(levels[:], m.Sure) + slices.Index(ways[:], m.By)
}

// ways and levels are in their order.
//
//nolint:gochecknoglobals // Tables that nobody writes to.
var (
	ways   = [...]Way{ByCommand, ByPath, ByWords}
	levels = [...]Sureness{High, Medium, Low}
)

// surenessAt is the sureness some steps below High.
func surenessAt(steps int) Sureness { return levels[min(max(0, steps), len(levels)-1)] }
