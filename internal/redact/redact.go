// Package redact finds secrets and private places in the text of a packet.
//
// A document is one JSON value. Every string value and every member name is
// read, at any depth, whether its member is known or not. Each text is read
// as it stands and in the forms that decoders give it, and each form is
// looked at by the rules whose keywords it holds.
//
// What is found is written down in the tables of package rules; README.md shows how a rule is added. A rule is
// asked where one of its keywords stands. What its layout is, a row says with an expression, or a function of
// package layouts. What a name and a value look like is judged in package judge, for all of them.
//
// Members of objects, and what package readers makes of tables, documents and
// other layouts, are events: a name and a value. Rules that ask for names see
// each of them as one and the same assignment.
//
// The package is pure: bytes come in and values go out. It reads no file, no
// clock and no environment, and it never puts a secret, or a part of one,
// into a finding, a message or an error. A document that cannot be read whole
// is an error, never a clean result.
package redact

import (
	"errors"
	"slices"
	"sync"

	"github.com/git-ltm/git-ltm/internal/redact/forms"
	"github.com/git-ltm/git-ltm/internal/redact/layouts"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// RulesVersion names the set of rules. It grows whenever a rule is added or
// changed, so that a verdict kept elsewhere can be told to be out of date.
const RulesVersion = "23"

// A Scanner holds rules and the index of their keywords. It is safe for
// concurrent use. Only NewWith makes one.
type Scanner struct {
	rules    []Rule
	own      int         // How many are built in. Those behind them read whole texts.
	index    index       // Of the built-in rules.
	stop     func() bool // Whether nobody waits any more. Nil is never.
	readings *sync.Pool  // Which keep what is known of names, since that never changes.
}

// ErrStopped says that a document was not read whole, because nobody waited any more.
var ErrStopped = errors.New("the scan was stopped")

// Until returns a Scanner that asks before each part of its work whether it shall stop, and that then ends
// Scan and Mask with ErrStopped. An answer that was true stays true. ScanText reads on.
func (s *Scanner) Until(stop func() bool) *Scanner {
	bound := *s
	bound.stop = stop
	return &bound
}

// isStopped reports whether nobody waits any more.
func (s *Scanner) isStopped() bool { return s.stop != nil && s.stop() }

// newScanner returns a Scanner with the built-in rules, and with others behind them. Where two rules find the
// same bytes, the one that stands first is reported.
func newScanner(own, further []Rule) *Scanner {
	newReading := func() any { return &reading{known: map[string]nameFacts{}} }
	return &Scanner{append(own, further...), len(own), keywordIndex, nil, &sync.Pool{New: newReading}}
}

// Has tells whether one of the rules has an id.
func (s *Scanner) Has(id string) bool { return s.ruleNamed(id) >= 0 }

// ruleNamed returns the place of the rule with an id, or -1.
func (s *Scanner) ruleNamed(id string) int {
	return slices.IndexFunc(s.rules, func(r Rule) bool { return r.ID == id && !r.off })
}

// BuiltIn returns the Scanner of the built-in rules, which is made on its first use.
func BuiltIn() *Scanner { return standard() }

//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var standard = sync.OnceValue(func() *Scanner { return newScanner(builtIn(), nil) })

// ScanText returns what the built-in rules find in a text that is not JSON.
// The findings have an empty path.
func ScanText(text string) []Finding {
	if isShortWord(text) {
		return nil
	}
	return standard().ScanText(text)
}

// isShortWord says whether a text is one short word of letters, such as the name of a command, in which no rule
// finds anything. A command that prints nothing else does not compile the rules.
func isShortWord(text string) bool {
	const longest = 15
	return len(text) <= longest && lex.Run(text, 0, len(text), lex.IsLetter) == len(text)
}

// Plain returns text as a reader sees it: without what does not show, and with letters that look alike as one.
func Plain(text string) string { return forms.Plain(text) }

// ShortHosts returns text with the private names of hosts in it cut to their first labels.
func ShortHosts(text string) string { return layouts.ShortHosts(text) }
