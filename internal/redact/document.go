package redact

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact/forms"
	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/layouts"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// MaxDepth is how deep the arrays and objects of a document may nest.
const MaxDepth = 64

// Reasons why a document cannot be scanned.
var (
	ErrSyntax   = errors.New("not one valid JSON value")
	ErrEncoding = errors.New("not valid UTF-8")
	ErrDepth    = fmt.Errorf("nests deeper than %d", MaxDepth)
)

// A literal is one string of a document: a value or the name of a member.
type literal struct {
	raw      lex.Span // Bytes of the document, with the quotes.
	text     string   // Decoded.
	path     *pointer // Where it stands: for a name its object.
	isName   bool
	isNumber bool
	naming       // For a value: what it is called.
	object   int // For a name: which object of the document it belongs to.
}

// A naming is what a value is called.
type naming struct {
	name  string // The name that it is given to, mostly that of the nearest member above it.
	above string // The name of a member further up, if that is for a secret.

	parent string // The name of the member that the object is in.

	head []string // The names of the cells of the rows below.
}

// belowMember returns the naming of what stands in an object with this naming, below
// the member name.
func (n naming) belowMember(name string) naming {
	if isValueName(name) {
		return naming{cmp.Or(n.name, name), n.above, n.parent, n.head}
	}
	return naming{name, n.above, n.name, n.head}
}

// A walker goes through a document once, and in order. It keeps doubled members, which a decoder into a map
// would lose.
type walker struct {
	doc     string
	at      int
	objects int
	last    literal // The scalar that was read last, or nothing if that was no scalar.
	// visit receives each string. What it returns for a name stands for that
	// name in pointers.
	visit func(literal) string
	err   error
	// closed receives the members of each object that are scalars, when the
	// object ends.
	closed func([]member)
	// factsOf says what is known of a name. Nil knows nothing.
	factsOf func(name string) nameFacts

	open        []member // The members of the objects that did not end yet.
	head        []string // The strings of the array that ended last, if it has only those.
	rows, again bool     // An array was in another; what was read once is read again.
}

// A member is a name and a scalar of an object.
type member struct {
	name  string
	value literal

	beside  bool // It can tell what another one is, or be told.
	telling bool // Its value can be a secret, as others tell.
}

// walkDocument calls visit for every string of doc, in the order of the document, and
// closed for every object. It may have called them where doc proves to be none.
func (w *walker) walkDocument(doc []byte) error {
	if !utf8.Valid(doc) {
		return fmt.Errorf("scan document: %w", ErrEncoding)
	}
	w.doc = string(doc) + "\x00" // No value goes on behind a zero.
	w.readValue(nil, naming{}, 0)
	if w.skipBlank(); w.at < len(doc) {
		w.keepError(ErrSyntax)
	}
	if w.err != nil {
		return fmt.Errorf("scan document: %w", w.err)
	}
	return nil
}

// keepError keeps the first error, and reads no further.
func (w *walker) keepError(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *walker) readValue(path *pointer, n naming, depth int) {
	switch w.skipBlank(); w.doc[w.at] {
	case '{':
		w.readObject(path, n, depth+1)
	case '[':
		w.readArray(path, n, depth+1)
	case '"':
		l := w.readString()
		l.path, l.naming = path, n
		w.last = l
		w.visit(l)
	default:
		start := w.at
		for w.doc[w.at] > ' ' && strings.IndexByte(",]}", w.doc[w.at]) < 0 {
			w.at++
		}
		s := lex.Between(start, w.at)
		w.last = literal{raw: s, text: s.Of(w.doc), path: path, naming: n, isNumber: true}
		if !json.Valid([]byte(w.last.text)) {
			w.keepError(ErrSyntax)
		}
		if s.End-s.Start >= minNumber && (lex.IsDigit(w.doc[start]) || w.doc[start] == '-') {
			w.visit(w.last)
		}
	}
}

// minNumber is the least length of a number that may be a password.
const minNumber = 6

// readObject reads an object.
func (w *walker) readObject(path *pointer, n naming, depth int) {
	if depth > MaxDepth {
		w.keepError(ErrDepth)
		return
	}
	object, inner, first := w.objects, n, len(w.open)
	var behind []func() // Read the rows again whose head stood behind them.
	if w.factsOf != nil && w.factsOf(n.name).secret {
		inner.above = n.name
	}
	w.objects++
	for i := 0; w.nextElement(i == 0, '}'); i++ {
		l := w.readString()
		l.path, l.isName, l.object = path, true, object
		at := &pointer{parent: path, name: w.visit(l)}
		if w.skipBlank(); w.doc[w.at] != ':' {
			w.keepError(ErrSyntax)
			return
		}
		w.at++
		w.last, w.head = literal{}, nil
		start := w.at
		w.readValue(at, inner.belowMember(l.text), depth)
		if w.head != nil && rules.Words("head-member").Has(strings.ToLower(l.text)) {
			inner.head = w.head
		} else if w.rows && inner.head == nil && !w.again {
			behind = append(behind,
				func() { w.at = start; w.readValue(at, inner.belowMember(l.text), depth) })
		}
		w.rows = false
		if w.last.raw.End > 0 {
			w.open = append(w.open, member{name: l.text, value: w.last})
		}
	}
	w.last, w.head = literal{}, nil
	w.closed(w.open[first:])
	w.open = w.open[:first]
	if end := w.at; inner.head != nil && w.err == nil && !w.again {
		w.again = true
		for _, read := range behind {
			read()
		}
		w.at, w.again, w.rows = end, false, false
		w.last, w.head = literal{}, nil
	}
}

// isValueName says whether a member with this name holds what is given to a
// name beside or above it.
func isValueName(name string) bool { return rules.Words("value-member").Has(strings.ToLower(name)) }

// readArray reads an array. One that stands in another is a row: its elements have the names of the head
// that a member before it holds, or the first row.
func (w *walker) readArray(path *pointer, n naming, depth int) {
	if depth > MaxDepth {
		w.keepError(ErrDepth)
		return
	}
	var head []string
	row, named := path != nil && path.array, true
	w.rows = w.rows || row
	for i := 0; w.nextElement(i == 0, ']'); i++ {
		cell := n
		if row && i < len(n.head) {
			cell = n.belowMember(n.head[i])
			cell.head = nil
		}
		w.last, w.head = literal{}, nil
		w.readValue(&pointer{parent: path, index: i, array: true}, cell, depth)
		if i == 0 && n.head == nil {
			n.head = w.head
		}
		if named = named && w.last.raw.End > 0 && !w.last.isNumber; named {
			head = append(head, w.last.text)
		}
	}
	w.last, w.head = literal{}, nil
	if named && len(head) > 1 {
		w.head = head
	}
}

// nextElement steps over the opening bracket, or over the comma behind an element, and says whether an
// element follows; otherwise it steps over the closing bracket.
func (w *walker) nextElement(first bool, closing byte) bool {
	w.skipBlank()
	if !first && w.doc[w.at] != ',' && w.doc[w.at] != closing {
		w.keepError(ErrSyntax)
	}
	if w.err != nil {
		return false
	}
	more := first || w.doc[w.at] == ','
	if w.at++; first {
		if w.skipBlank(); w.doc[w.at] == closing {
			w.at++
			return false
		}
	}
	return more
}

func (w *walker) skipBlank() {
	for c := w.doc[w.at]; c == ' ' || c == '\n' || c == '\t' || c == '\r'; c = w.doc[w.at] {
		w.at++
	}
}

// readString reads the string that begins at the next byte.
func (w *walker) readString() literal {
	w.skipBlank()
	start, escaped := w.at, false
	if w.doc[start] != '"' {
		w.keepError(ErrSyntax)
		return literal{}
	}
	for w.at++; w.doc[w.at] != '"'; w.at++ {
		if w.doc[w.at] == '\\' {
			escaped = true
			w.at++
		}
		if w.doc[w.at] < ' ' {
			w.keepError(ErrSyntax)
			return literal{}
		}
	}
	w.at++
	l := literal{raw: lex.Between(start, w.at), text: w.doc[start+1 : w.at-1]}
	if escaped {
		var text string
		if json.Unmarshal([]byte(l.raw.Of(w.doc)), &text) != nil {
			w.keepError(ErrSyntax)
		}
		l.text = text
	}
	return l
}

// A scanned is one string of a document that has findings, or any name.
type scanned struct {
	literal
	hits     []found // What was found in it so far.
	findings []Finding
}

// A reading is one pass over a document.
type reading struct {
	scanner *Scanner
	items   []scanned // The strings in which something was found.
	all     bool      // All strings and names are among the items.
	known   map[string]nameFacts
	array   int      // Where those begin that follow each other in one array, or -1.
	open    []member // Room for those of a walker.
}

// scanDocument returns the strings of doc in which something was found, names of members included, or all.
func (s *Scanner) scanDocument(doc []byte, every bool) ([]scanned, error) {
	r, _ := s.readings.Get().(*reading)
	defer s.readings.Put(r)
	r.scanner, r.all, r.items, r.array = s, every, r.items[:0], -1
	w := walker{visit: r.visitString, closed: r.scanSiblings, factsOf: r.factsOf, open: r.open}
	if err := w.walkDocument(doc); err != nil {
		return nil, err
	}
	r.open = w.open
	if s.isStopped() {
		return nil, ErrStopped
	}
	r.endArray()
	if len(r.items) == 0 {
		return nil, nil
	}
	text := string(doc)
	slices.SortStableFunc(r.items, func(a, b scanned) int { return a.raw.Start - b.raw.Start })
	where := newLocator(text)
	var all []scanned
	for i := 0; i < len(r.items); i++ {
		at := r.items[i]
		for i+1 < len(r.items) && r.items[i+1].raw == at.raw {
			i++
			at.hits = mergeFindings(append(at.hits, r.items[i].hits...))
		}
		fs := s.findingsOf(at.literal, at.hits)
		raw := rawCursor{raw: at.raw.Of(text)}
		for i := range fs {
			place := lex.Between(0, len(raw.raw))
			if !at.isNumber {
				place.Start = raw.rawOffset(fs[i].Start)
				end := raw // The next finding may begin in front of its end.
				place.End = end.rawOffset(fs[i].End)
			}
			where.locateFinding(&fs[i], lex.Between(at.raw.Start+place.Start, at.raw.Start+place.End))
			if fs[i].Name == "" && fs[i].Severity == Block && at.name != "" &&
				!strings.HasSuffix(fs[i].Path, "/"+at.name) {
				fs[i].Name = judge.PublicName(at.name)
			}
		}
		at.findings = fs
		all = append(all, at)
	}
	return all, nil
}

// visitString scans one string and returns how a name is written in pointers: what blocks in it is replaced
// by the label of its rule.
func (r *reading) visitString(l literal) string {
	var hits []found
	if !l.isNumber && !(l.isName && r.factsOf(l.text).clean) {
		hits = r.scanner.scanText(l.text)
	}
	if !l.isName && l.name != "" { // Of numbers those with the name of a secret count.
		hits = mergeFindings(append(hits, r.scanMember(l)...))
	}
	inArray := !l.isName && l.path != nil && l.path.array
	if !inArray || r.array >= 0 && r.items[r.array].path.parent != l.path.parent {
		r.endArray()
	}
	if inArray && r.array < 0 {
		r.array = len(r.items)
	}
	if inArray || r.all && !l.isNumber || len(hits) > 0 {
		r.items = append(r.items, scanned{literal: l, hits: hits})
	}
	if l.isName {
		found := Blocking(r.scanner.findingsOf(l, hits))
		return Replace(l.text, found, func(f Finding) string { return maskLabel(f.Rule, 1) })
	}
	return l.text
}

// nameFacts are what follows from the name of a member and the rules alone.
type nameFacts struct {
	clean  bool // No rule finds anything in the name.
	silent bool // No rule asks what has this name.
	secret bool // What has this name is a secret.
}

// maxKnown is how many names are remembered. The same few stand in most documents.
const maxKnown = 1024

// factsOf returns what is known of a name. That of a long one is not remembered, and only what its end says.
func (r *reading) factsOf(name string) nameFacts {
	f, ok := r.known[name]
	if ok || name == "" {
		return f
	}
	tail := name[max(0, len(name)-judge.MaxName):]
	f.secret = judge.KindOfName(tail, lex.Between(0, len(tail))) > judge.Keyed
	if tail == name {
		f.clean, f.silent = len(r.scanner.Until(nil).scanText(name)) == 0, true
		r.scanner.index.eachKeyword(false, plainName(name), func(rule int, _ lex.Span) {
			f.silent = f.silent && !r.scanner.rules[rule].asksNames()
		})
		if len(r.known) == maxKnown {
			clear(r.known)
		}
		r.known[strings.Clone(name)] = f
	}
	return f
}

// scanInner returns what the rules find in a string that is a document itself: what its members are called
// tells there what they are.
func (s *Scanner) scanInner(text string) []found {
	if len(text) < 2 || text[0] != '{' && text[0] != '[' {
		return nil
	}
	texts, err := s.scanDocument([]byte(text), false) // What is no document is a text, and was read as that.
	if err != nil {
		return nil
	}
	var hits []found
	for i := range texts {
		for _, f := range texts[i].findings {
			hits = append(hits, s.foundBy(s.ruleNamed(f.Rule), lex.Between(f.from, f.to), false))
		}
	}
	return hits
}

// endArray looks at the items of an array that came to its end.
func (r *reading) endArray() {
	if r.array < 0 {
		return
	}
	r.scanner.joinBroken(r.items[r.array:])
	for i := r.array; i+1 < len(r.items); i++ { // What stands behind a flag.
		if flag := r.items[i].text; strings.HasPrefix(flag, "-") && !strings.ContainsAny(flag, " =\n") {
			value := &r.items[i+1]
			hits := r.scanner.scanEvent(event{name: flag, value: value.text})
			value.hits = mergeFindings(append(value.hits, hits...))
		}
	}
	if slices.ContainsFunc(r.items[r.array:], func(i scanned) bool { return strings.HasPrefix(i.text, "-") }) {
		r.scanner.joinItems(r.items[r.array:min(len(r.items), r.array+layouts.MaxWords)], forms.Form{}, " ")
	}
	found := slices.DeleteFunc(r.items[r.array:], func(i scanned) bool { return len(i.hits) == 0 && (!r.all || i.isNumber) })
	r.items = r.items[:r.array+len(found)]
	r.array = -1
}

// Bounds of what is read of the members of an object together.
const (
	maxMember     = 2048
	maxMembers    = 16 << 10
	maxMemberName = 16 // Of one that holds a name.
	maxNames      = 4  // Those that one value may be given to.
)

// scanSiblings looks at the members of an object together, for the rules that ask
// for that: what a value is may be told by the member beside it. The value of
// a member that only says "value" is given to the name that another holds.
func (r *reading) scanSiblings(members []member) {
	r.endArray()
	var named []string
	telling := false
	for i := range members {
		m := &members[i]
		if len(named) < maxNames && len(m.name) < maxMemberName && !m.value.isNumber &&
			rules.Words("name-member").Has(strings.ToLower(m.name)) &&
			// An id that a program made names nothing, whatever letters stand in it by chance.
			!judge.IsULID(m.value.text) && !judge.IsUUID(m.value.text) &&
			(len(m.value.text) < 20 || !judge.IsOpaqueID(m.value.text)) {
			named = append(named, m.value.text)
		}
		m.beside = len(m.name) <= judge.MaxName && len(m.value.text) <= maxMember &&
			!strings.ContainsAny(m.value.text, " \t\n\"'")
		m.telling = m.beside && !m.value.isNumber && len(m.value.text) >= judge.MinNear && lex.HasDigit(m.value.text)
		telling = telling || m.telling
	}
	for i := 0; i < len(members) && len(named) > 0; i++ {
		m := members[i]
		if !isValueName(m.name) {
			continue
		}
		for _, name := range named {
			m.value.naming = naming{name: name}
			if hits := r.scanMember(m.value); len(hits) > 0 &&
				!judge.IsChosenWord(strings.TrimRight(m.value.text, "0123456789")) {
				r.items = append(r.items, scanned{literal: m.value, hits: hits})
			}
		}
	}
	if !telling {
		return
	}
	var text []byte
	places := make([]lex.Span, len(members))         // Where the values stand in text.
	for _, telling := range [...]bool{false, true} { // What a value is stands before it, whatever their order.
		for i, m := range members {
			if !m.beside || m.telling != telling || len(text) > maxMembers {
				continue
			}
			text = append(append(append(text, '"'), m.name...), `":"`...)
			places[i] = lex.Between(len(text), len(text)+len(m.value.text))
			text = append(append(text, m.value.text...), `",`...)
		}
	}
	r.scanMembers(members, string(text), places)
	if !slices.ContainsFunc(members, func(m member) bool {
		return rules.Words("cookie-member").Has(strings.ToLower(m.name))
	}) {
		return
	}
	for i, m := range members {
		if m.beside && isValueName(m.name) {
			for _, name := range named {
				text := "cookie: " + name + "=" + m.value.text
				r.scanMembers(members[i:i+1], text, []lex.Span{lex.Between(len(text)-len(m.value.text), len(text))})
			}
		}
	}
}

// scanMembers adds what is found in the values of members that stand at places in text.
func (r *reading) scanMembers(members []member, text string, places []lex.Span) {
	for _, hit := range mergeFindings(r.scanner.scanForm(nil, text, forms.Form{Text: text, Beside: true})) {
		for i, place := range places {
			if place.Start <= hit.Start && hit.End <= place.End && place.Start < place.End {
				hit.Span = lex.Between(hit.Start-place.Start, hit.End-place.Start)
				r.items = append(r.items, scanned{literal: members[i].value, hits: []found{hit}})
				break
			}
		}
	}
}

// joinBroken adds to the hits of items what is found only when they are put
// together: a token that is broken over them.
func (s *Scanner) joinBroken(items []scanned) {
	for first := 0; first < len(items); {
		last := first
		for last+1 < len(items) && mayContinue(items[last].text, items[last+1].text) {
			last++
		}
		if last > first {
			s.joinItems(items[first:last+1], forms.Form{Derived: true}, "")
		}
		first = last + 1
	}
}

// mayContinue says whether a token at the end of one item may go on in the next: it has a digit in one of
// them.
func mayContinue(text, next string) bool {
	tail := text[lex.Back(text, len(text), max(0, len(text)-forms.MinAcross), lex.IsBase64):]
	head := next[:lex.Run(next, 0, min(len(next), forms.MinAcross), lex.IsBase64)]
	return tail != "" && head != "" && (lex.HasDigit(tail) || lex.HasDigit(head))
}

// joinItems scans the text that items make together, with a sign between them: a token, or without
// f.derived a command line.
func (s *Scanner) joinItems(items []scanned, f forms.Form, sign string) {
	var text []byte
	parts := make([]lex.Span, len(items))
	for i := range items {
		parts[i] = lex.Between(len(text), len(text)+len(items[i].text))
		text = append(append(text, items[i].text...), sign...)
	}
	f.Text = string(text)
	for _, hit := range mergeFindings(s.scanForm(nil, f.Text, f)) {
		for i, part := range parts {
			inside := part.Start <= hit.Start && hit.End <= part.End
			at := lex.Between(max(hit.Start, part.Start)-part.Start, min(hit.End, part.End)-part.Start)
			if at.Start < at.End && (inside != f.Derived) {
				items[i].hits = mergeFindings(append(items[i].hits, s.foundBy(hit.rule, at, false)))
			}
		}
	}
}

// Bounds of what a pointer shows of a member name, and of the way to a member.
// A hostile document could otherwise make its findings far longer than itself.
const (
	maxStep = 64
	maxWay  = 512
)

// A pointer is the place of a value in a document. It is written out only
// when there is something to report. The nil pointer is the whole document.
type pointer struct {
	parent *pointer
	name   string // Step into an object.
	index  int    // Step into an array, when name is not set.
	array  bool
	way    string // What children begin with, once one was written out.
}

// String returns the JSON pointer.
func (p *pointer) String() string {
	if p == nil {
		return ""
	}
	if p.parent == nil {
		return "/" + p.escapeStep()
	}
	if p.parent.way == "" {
		p.parent.way = shortenStep(p.parent.String(), maxWay)
	}
	return p.parent.way + "/" + p.escapeStep()
}

// shortenStep returns s, or its first size bytes and "…".
func shortenStep(s string, size int) string {
	if len(s) <= size {
		return s
	}
	return strings.ToValidUTF8(s[:size], "") + "…"
}

func (p *pointer) escapeStep() string {
	if p.array {
		return strconv.Itoa(p.index)
	}
	return strings.ReplaceAll(strings.ReplaceAll(shortenStep(p.name, maxStep), "~", "~0"), "/", "~1")
}
