package report

import (
	"path"
	"strings"
)

// standardInput is the subject that is no name.
const standardInput = "-"

// isRef tells a ref from the path of a file.
func isRef(subject string) bool { return strings.HasPrefix(subject, "refs/") }

// A group is a subject with its results.
type group struct {
	subject string
	results []*Result
}

// groups returns the subjects with results in the order of these, then the others in the order of looking, each once.
func (r *Report) groups() []group {
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

// short returns a subject as a summary names it: the id of a record, or the file.
func short(subject string) string {
	if isRef(subject) {
		return shown(path.Base(subject))
	}
	return title(subject)
}

// title returns the subject for people.
func title(subject string) string {
	if subject == standardInput {
		return "standard input"
	}
	return shown(subject)
}

// file returns the subject as the name of a file.
func file(subject string) string {
	if subject == standardInput {
		return "stdin"
	}
	return shown(subject)
}

// class says what kind of thing a subject is, as the dotted name of a class: "refs.ltm.packets", "file" or "stdin".
func class(subject string) string {
	switch {
	case subject == standardInput:
		return "stdin"
	case isRef(subject):
		return shown(strings.ReplaceAll(path.Dir(subject), "/", "."))
	default:
		return "file"
	}
}

// uri returns the subject as a URI by RFC 3986, relative unless it is an absolute path. Nothing in it is taken for a
// scheme, a host, a query or a fragment.
func uri(subject string) string {
	if subject == standardInput {
		return "stdin"
	}
	var b strings.Builder
	if strings.HasPrefix(subject, "/") {
		b.WriteString("file://")
	}
	const hex = "0123456789ABCDEF"
	for _, c := range []byte(subject) {
		if isUnreserved(c) || c == '/' {
			b.WriteByte(c)
			continue
		}
		b.WriteString("%" + hex[c>>4:c>>4+1] + hex[c&15:c&15+1])
	}
	return b.String()
}

func isUnreserved(c byte) bool {
	switch {
	case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		return true
	default:
		return c == '-' || c == '.' || c == '_' || c == '~'
	}
}
