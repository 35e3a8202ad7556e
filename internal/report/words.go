package report

import (
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
)

// stamp is how reports write a time, which is in UTC.
const stamp = "2006-01-02T15:04:05.000Z"

// ciCommand begins a command to a runner of a CI system, which reads it in any case of letters.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var ciCommand = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)##(\[|vso\[|teamcity\[)`) })

// Line returns hostile text as one line that no terminal obeys, and no runner of a CI system that reads commands from
// the output of its jobs, wherever on a line of that output it stands.
func Line(s string) string {
	s = clean.Line(s)
	if !strings.Contains(s, "##") {
		return s
	}
	return ciCommand().ReplaceAllString(s, "# #$1")
}

// shown returns hostile text as Line does, for the beginning of a line of its own.
func shown(s string) string {
	s = Line(s)
	if strings.HasPrefix(s, "::") {
		return `"` + s + `"`
	}
	return s
}

// what says what was found, and where in the subject, on one line. It is never empty.
func (x *Result) what() string {
	s := shown(x.Message)
	if s == "" {
		s = "found by rule " + shown(x.Rule)
	}
	if mask := shown(x.Mask); mask != "" && mask != "…" {
		s += " (" + mask + ")"
	}
	if name := shown(x.Name); name != "" {
		s += ", named " + name
	}
	if where := x.where(); where != "" {
		s += ", at " + where
	}
	return s
}

// where returns the place in the document, or "".
func (x *Result) where() string {
	where := shown(x.Pointer)
	if x.InName {
		where = strings.TrimSpace(where + " (member name)")
	}
	return where
}

// standing returns the level, or "allowed" for a result that does not count.
func (x *Result) standing() string {
	if x.Suppressed != nil {
		return "allowed"
	}
	return string(x.Level)
}

// String returns the place as "line:column", or "" for no region.
func (g Region) String() string {
	switch {
	case g.Line < 1:
		return ""
	case g.Column < 1:
		return strconv.Itoa(g.Line)
	default:
		return strconv.Itoa(g.Line) + ":" + strconv.Itoa(g.Column)
	}
}

// String says on one line who decided, until when, and why.
func (s *Suppression) String() string {
	words := "by " + shown(s.By)
	if !s.Until.IsZero() {
		words += " until " + s.Until.UTC().Format(time.DateOnly)
	}
	if why := shown(s.Why); why != "" {
		words += ": " + why
	}
	return words
}
