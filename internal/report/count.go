package report

import (
	"slices"
	"strconv"
	"strings"
)

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

func (r *Report) summary() summary {
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
			if holder := short(x.Subject); !slices.Contains(s.Holders, holder) {
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

// sentence says what was looked at, what was found, and which records or files hold secrets, without a line end.
func (r *Report) sentence() string {
	s := r.summary()
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
			found = append(found, count(part.n, part.one, part.many))
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
	records, files := 0, 0
	for _, subject := range r.Subjects {
		switch {
		case isRef(subject):
			records++
		case subject != standardInput:
			files++
		}
	}
	n := len(r.Subjects)
	switch {
	case records == n:
		return count(n, "record", "records")
	case files == n:
		return count(n, "file", "files")
	case n == 1:
		return "standard input"
	default:
		return count(n, "text", "texts")
	}
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
