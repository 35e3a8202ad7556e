package report

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/words"
)

// stamp is how reports write a time, which is in UTC.
const stamp = "2006-01-02T15:04:05.000Z"

// ciCommand begins a command to a runner of a CI system, which reads it in any case of letters.
//
//nolint:gochecknoglobals // A function that remembers its result; nobody writes to it.
var ciCommand = words.Compiled(`(?i)##(\[|vso\[|teamcity\[)`)

// Line returns hostile text as one line that no terminal obeys, and no runner of a CI system that reads
// commands from the output of its jobs, wherever on a line of that output it stands.
func Line(s string) string {
	s = clean.Line(s)
	if !strings.Contains(s, "##") {
		return s
	}
	return ciCommand().ReplaceAllString(s, "# #$1")
}

// shownSubject returns hostile text as Line does, for the beginning of a line of its own.
func shownSubject(s string) string {
	s = Line(s)
	if strings.HasPrefix(s, "::") {
		return `"` + s + `"`
	}
	return s
}

// whatItIs says what was found, and where in the subject, on one line. It is never empty.
func (x *Result) whatItIs() string {
	s := shownSubject(x.Message)
	if s == "" {
		s = "found by rule " + shownSubject(x.Rule)
	}
	if mask := shownSubject(x.Mask); mask != "" && mask != "…" {
		s += " (" + mask + ")"
	}
	if name := shownSubject(x.Name); name != "" {
		s += ", named " + name
	}
	if where := x.whereItIs(); where != "" {
		s += ", at " + where
	}
	return s
}

// whereItIs returns the place in the document, or "".
func (x *Result) whereItIs() string {
	where := shownSubject(x.Pointer)
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
	words := "by " + shownSubject(s.By)
	if !s.Until.IsZero() {
		words += " until " + s.Until.UTC().Format(time.DateOnly)
	}
	if why := shownSubject(s.Why); why != "" {
		words += ": " + why
	}
	return words
}

// standardInput is the subject that is no name.
const standardInput = "-"

// isRef tells a ref from the path of a file.
func isRef(subject string) bool { return strings.HasPrefix(subject, "refs/") }

// A group is a subject with its results.
type group struct {
	subject string
	results []*Result
}

// bySubject returns the subjects with results in the order of these, then the others in the order of looking,
// each once.
func (r *Report) bySubject() []group {
	all := make([]group, 0, len(r.Subjects))
	at := make(map[string]int, len(r.Subjects))
	find := func(subject string) *group {
		i, ok := at[subject]
		if !ok {
			i = len(all)
			at[subject] = i
			all = append(all, group{subject: subject})
		}
		return &all[i]
	}
	for i := range r.Results {
		g := find(r.Results[i].Subject)
		g.results = append(g.results, &r.Results[i])
	}
	for _, subject := range r.Subjects {
		find(subject)
	}
	return all
}

// titleOf returns the subject for people.
func titleOf(subject string) string {
	if subject == standardInput {
		return "standard input"
	}
	return shownSubject(subject)
}

// fileOf returns the subject as the name of a file.
func fileOf(subject string) string {
	if subject == standardInput {
		return "stdin"
	}
	return shownSubject(subject)
}

// uriOf returns the subject as a URI by RFC 3986, relative unless it is an absolute path. Nothing in it is
// taken for a scheme, a host, a query or a fragment.
func uriOf(subject string) string {
	if subject == standardInput {
		return "stdin"
	}
	var b strings.Builder
	if strings.HasPrefix(subject, "/") {
		b.WriteString("file://")
	}
	for _, c := range []byte(subject) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// A summary is how many results there are of each kind.
type summary struct {
	Secrets    int `json:"secrets"`          // errors about secrets
	Records    int `json:"invalid_records"`  // records with an error, however many each has
	Store      int `json:"store_errors"`     // errors about what lies around the records
	Signatures int `json:"signature_errors"` // errors about who vouches for a record
	Warnings   int `json:"warnings"`
	Notes      int `json:"notes"`
	Suppressed int `json:"suppressed"`

	Holders []string `json:"secrets_in,omitempty"` // the ids of records, or the files, that hold the secrets
}

func (r *Report) summaryLine() summary {
	var s summary
	invalid := map[string]bool{}
	for i := range r.Results {
		x := &r.Results[i]
		switch {
		case x.Suppressed != nil:
			s.Suppressed++
		case x.Level == Warning:
			s.Warnings++
		case x.Level != Error:
			s.Notes++
		case x.Area == Secret:
			s.Secrets++
			holder := titleOf(x.Subject)
			if isRef(x.Subject) {
				holder = shownSubject(path.Base(x.Subject))
			}
			if !slices.Contains(s.Holders, holder) {
				s.Holders = append(s.Holders, holder)
			}
		case x.Area == Record:
			invalid[x.Subject] = true
		case x.Area == Signature:
			s.Signatures++
		default:
			s.Store++
		}
	}
	s.Records = len(invalid)
	return s
}

// mostHolders is how many ids the sentence names.
const mostHolders = 10

// summarySentence says what was looked at, what was found, and which records or files hold secrets, without a line
// end.
func (r *Report) summarySentence() string {
	s := r.summaryLine()
	var found []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{s.Secrets, "secret", "secrets"},
		{s.Records, "invalid record", "invalid records"},
		{s.Store, "store error", "store errors"},
		{s.Signatures, "missing or untrusted signature", "missing or untrusted signatures"},
		{s.Warnings, "warning", "warnings"},
		{s.Notes, "note", "notes"},
		{s.Suppressed, "suppressed", "suppressed"},
	} {
		if part.n > 0 {
			found = append(found, countOf(part.n, part.one, part.many))
		}
	}
	if len(found) == 0 {
		found = []string{"nothing found"}
	}
	text := "checked " + r.lookedAt() + ": " + strings.Join(found, ", ")
	if n := len(s.Holders); n > 0 {
		text += "; secrets in " + strings.Join(s.Holders[:min(n, mostHolders)], ", ")
		if n > mostHolders {
			text += " and " + strconv.Itoa(n-mostHolders) + " more"
		}
	}
	return text
}

// lookedAt says how many subjects there were, and calls them by what they have in common.
func (r *Report) lookedAt() string {
	records, changes, files := 0, 0, 0
	for _, subject := range r.Subjects {
		switch {
		case isRef(subject) && strings.Contains(subject, "/events/"):
			changes++
		case isRef(subject):
			records++
		case subject != standardInput:
			files++
		}
	}
	n := len(r.Subjects)
	switch {
	case n > 0 && changes == n:
		return countOf(n, "change", "changes")
	case changes > 0 && records+changes == n:
		return countOf(records, "record", "records") + " and " + countOf(changes, "change", "changes")
	case records == n:
		return countOf(n, "record", "records")
	case files == n:
		return countOf(n, "file", "files")
	case n == 1:
		return "standard input"
	default:
		return countOf(n, "text", "texts")
	}
}

func countOf(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
