package redact

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/readers"
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
	if e.above == "" {
		return hits
	}
	more := s.scanNamed(e.above, e)
	if len(hits)+len(more) == 0 && strings.HasSuffix(strings.ToLower(e.above), "s") &&
		isUnlikeData(e.value) && kindOfName(e.above, span{0, len(e.above)}) >= strong {
		return s.scanNamed(e.above, event{name: e.above, value: e.value, bare: e.bare}) // One of many.
	}
	if len(more) > 0 {
		if kind := kindOfName(e.above, span{0, len(e.above)}); kind == hinted || kind == keyed {
			return hits
		}
	}
	return append(hits, more...)
}

// scanNamed returns what rules find in the value of e whose keywords stand in asking, the beginning of its
// name.
func (s *Scanner) scanNamed(asking string, e event) []found {
	var hits []found
	text, start := "", 0
	s.index.eachKeyword(asking, func(rule int, keyword span) {
		r := &s.rules[rule]
		if r.shape {
			return // It looks at the value alone, and did.
		}
		if text == "" {
			text, start = e.asAssignment()
		}
		secret, ok := r.find(text, keyword)
		if !ok || secret.start < start || secret.end > start+len(e.value) ||
			r.strong && !strongWord(secret.of(text)) {
			return
		}
		at := span{secret.start - start, secret.end - start}
		if !s.isExcepted(rule, hit{text, secret, secret, e.value, at}) {
			hits = append(hits, found{at, s.sourceOf(rule), r.Severity, true})
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
func (s *Scanner) scanEvents(hits []found, f form, read func(string, func(readers.Event))) []found {
	read(f.text, func(e readers.Event) {
		for _, hit := range s.scanEvent(
			event{e.Above.Of(f.text), e.Name.Of(f.text), e.Value.Of(f.text), !e.Quoted}) {
			hit.span = f.originOf(span{e.Value.Start + hit.start, e.Value.Start + hit.end})
			hit.plain = f.isOriginal()
			hits = append(hits, hit)
		}
	})
	return hits
}

// scanMember returns what the rules make of a value because of the name of its member, which is read
// without what does not show in it. What a name further up says is less: the value must look like a secret
// by itself then.
func (s *Scanner) scanMember(l literal) []found {
	if strings.IndexByte(l.text, '\n') >= 0 {
		return nil
	}
	hits := s.scanEvent(event{above: plainName(l.parent), name: plainName(l.name), value: l.text})
	if len(hits) > 0 || l.above == "" || !isUnlikeData(l.text) {
		return hits
	}
	return s.scanEvent(event{name: plainName(l.above), value: l.text})
}

// isUnlikeData says whether a value is none that objects hold whatever the name above them says.
func isUnlikeData(value string) bool {
	return hasDigit(value) && !isIdentifier(value) && !namesThing(value) && !isDate(value) &&
		!isPattern(value) && !words("digest-mark").begins(value)
}

// isPattern says whether a value is an expression that says what a value must be like: it has a class of
// letters in it.
func isPattern(value string) bool {
	return words("pattern-sign").within(value)
}

// plainName returns a name as it looks, and of a long one both ends.
func plainName(name string) string {
	const most = 8 * maxName
	if len(name) > 2*most {
		name = name[:most] + name[len(name)-most:]
	}
	name = strings.TrimSpace(name)
	if partsOf(name)&ofHidden != 0 {
		for _, f := range normaliseText(name) {
			name = f.text
		}
	}
	if len(name) > 2*maxName {
		name = name[:maxName] + " " + name[len(name)-maxName:]
	}
	return name
}
