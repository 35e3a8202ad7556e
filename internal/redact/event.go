package redact

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/forms"
	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/readers"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// An event says that a value is given to a name, whatever layout says so: the member of an object, the cell
// of a table. Rules see it in one form, as an assignment.
type event struct {
	above, name, value string // Above is what name belongs to, or "".
	bare               bool   // The value stands without quotes.
}

// scanEvent returns what the rules for names find in the value of e. What stands above its name only
// counts where that alone asks a rule, such as the name of a service.
func (s *Scanner) scanEvent(e event) []found {
	hits := s.scanNamed(e.name, event{name: e.name, value: e.value, bare: e.bare})
	more := s.scanNamed(e.above, e)
	kind := judge.KindOfName(e.above, lex.Between(0, len(e.above)))
	switch {
	case len(hits)+len(more) == 0 && kind >= judge.Strong && strings.HasSuffix(strings.ToLower(e.above), "s") &&
		isUnlikeData(e.value):
		return s.scanNamed(e.above, event{name: e.above, value: e.value, bare: e.bare}) // One of many.
	case kind == judge.Hinted, kind == judge.Keyed:
		return hits
	default:
		return append(hits, more...)
	}
}

// scanNamed returns what rules find in the value of e whose keywords stand in asking, the beginning of its
// name.
func (s *Scanner) scanNamed(asking string, e event) []found {
	var hits []found
	text, start := "", 0
	s.index.eachKeyword(false, asking, func(rule int, keyword lex.Span) {
		r := &s.rules[rule]
		if !r.asksNames() {
			return // It looks at the value alone, and did.
		}
		if text == "" {
			text, start = e.asAssignment()
		}
		secret, ok := r.defined().find(text, keyword)
		if !ok || secret.Start < start || secret.End > start+len(e.value) ||
			r.strong && !judge.StrongWord(secret.Of(text)) {
			return
		}
		at := lex.Between(secret.Start-start, secret.End-start)
		if !r.isExcepted(hit{text, secret, secret, e.value, at}) {
			hits = append(hits, s.foundBy(rule, at, true))
		}
	})
	return hits
}

// asAssignment returns the event as a text, and where its value begins in it.
func (e *event) asAssignment() (text string, start int) {
	name := e.name
	if e.above != "" {
		name = e.above + "_" + name
	}
	if e.bare {
		text = name + ": "
		return text + e.value + "\n", len(text)
	}
	quote := `"`
	for _, other := range [...]string{"'", "`"} {
		if strings.Contains(e.value, quote) {
			quote = other
		}
	}
	text = name + ` = ` + quote
	return text + e.value + quote, len(text)
}

// scanEvents adds to hits what the rules for names find in what a reader of layouts gives of a form.
func (s *Scanner) scanEvents(hits []found, f forms.Form, read func(string, func(readers.Event))) []found {
	read(f.Text, func(e readers.Event) {
		if !f.IsChanged(e.Value, maxRead) && !f.IsChanged(e.Name, 0) && !f.IsChanged(e.Above, 0) {
			return
		}
		for _, hit := range s.scanEvent(
			event{e.Above.Of(f.Text), e.Name.Of(f.Text), e.Value.Of(f.Text), !e.Quoted}) {
			hit.Span = f.OriginOf(lex.Between(e.Value.Start+hit.Start, e.Value.Start+hit.End))
			hit.plain = f.IsOriginal()
			hits = append(hits, hit)
		}
	})
	return hits
}

// scanMember returns what the rules make of a value because of the name of its member, which is read
// without what does not show in it. What a name further up says is less: the value must look like a secret
// by itself then.
func (r *reading) scanMember(l literal) []found {
	if strings.IndexByte(l.text, '\n') >= 0 {
		return nil
	}
	var hits []found
	if !r.isSilent(l.name) || !r.isSilent(l.parent) {
		hits = r.scanner.scanEvent(event{above: plainName(l.parent), name: plainName(l.name), value: l.text})
	}
	if len(hits) > 0 || r.isSilent(l.above) || !isUnlikeData(l.text) {
		return hits
	}
	return r.scanner.scanEvent(event{name: plainName(l.above), value: l.text})
}

// isSilent says whether no rule asks what has this name.
func (r *reading) isSilent(name string) bool { return name == "" || r.factsOf(name).silent }

// isUnlikeData says whether a value is none that objects hold whatever the name above them says.
func isUnlikeData(value string) bool {
	return lex.HasDigit(value) && !judge.IsIdentifier(value) && !judge.NamesThing(value) &&
		!judge.IsDate(value) &&
		!judge.IsPattern(value) && !rules.Words("digest-mark").Begins(value)
}

// plainName returns a name as it looks, and of a long one both ends.
func plainName(name string) string {
	const most = 8 * judge.MaxName
	if len(name) > 2*most {
		name = name[:most] + name[len(name)-most:]
	}
	name = strings.TrimSpace(name)
	if forms.PartsOf(name)&forms.OfHidden != 0 {
		for _, f := range forms.NormaliseText(name) {
			name = f.Text
		}
	}
	if len(name) > 2*judge.MaxName {
		name = name[:judge.MaxName] + " " + name[len(name)-judge.MaxName:]
	}
	return name
}
