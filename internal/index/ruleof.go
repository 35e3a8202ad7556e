package index

import (
	"regexp"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// RulesOf are what an action is compared with: what the items of a record forbid, which are a skip, attempts
// that failed, and a note that says what it is met by, and the attempts that worked, which may end one that
// failed. The skip counts where the content is that of one.
func RulesOf(c packet.Content, skip packet.Skip) []Rule {
	var all []Rule
	for _, i := range c.Items {
		if r, ok := RuleOf(i, skip); ok {
			all = append(all, Rule{Place: i.Place, Rule: r})
		}
	}
	return all
}

// runs begins the text of a skip whose rest is a command.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var runs = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^((do not|don't|never) )?run(ning)? `)
})

// RuleOf is what an action is compared with for an item, if it is.
func RuleOf(i packet.Item, skip packet.Skip) (r deadend.Rule, ok bool) {
	switch {
	case i.Kind == packet.ItemAttempt:
		r = deadend.Rule{Words: i.Text, Derived: true, Confidence: i.Confidence}
		if i.Match != (packet.Match{}) {
			r.Words, r.Path, r.Command, r.Adds = i.Match.Words, i.Match.Path, i.Match.Command, i.Match.Adds
		}
		return r, true
	case i.Kind == packet.ItemSkip && skip.Match == (packet.Match{}):
		command := strings.Trim(runs().ReplaceAllString(skip.Item, ""), "`")
		return deadend.Rule{Words: skip.Item, Command: command}, true
	}
	m := i.Match
	if i.Kind == packet.ItemSkip {
		m = skip.Match
	}
	if m == (packet.Match{}) {
		return r, false
	}
	return deadend.Rule{Words: m.Words, Path: m.Path, Command: m.Command, Adds: m.Adds}, true
}
