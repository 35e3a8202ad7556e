package redact

import (
	"cmp"
	"slices"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/redact/forms"
	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
	"github.com/git-ltm/git-ltm/internal/redact/readers"
	"github.com/git-ltm/git-ltm/internal/redact/rules"
)

// ScanText returns what the rules find in a text that is not JSON.
func (s *Scanner) ScanText(text string) []Finding {
	fs := s.findingsOf(nil, text, s.Until(nil).scanText(text))
	where := newLocator(text)
	for i := range fs {
		where.locateFinding(&fs[i], lex.Between(fs[i].Start, fs[i].End))
	}
	return fs
}

// Scan returns what the rules find in doc, in the order of the document.
func (s *Scanner) Scan(doc []byte) ([]Finding, error) {
	texts, err := s.scanDocument(doc)
	if err != nil {
		return nil, err
	}
	var all []Finding
	for i := range texts {
		all = append(all, texts[i].findings...)
	}
	return all, nil
}

// scanForm adds to hits what the rules find in one form of a text.
func (s *Scanner) scanForm(hits []found, text string, f forms.Form) []found {
	if s.isStopped() {
		return hits
	}
	var resume []int // For each rule, where the last secret it found ends.
	s.index.eachKeyword(f.Text, func(rule int, keyword lex.Span) {
		r := &s.rules[rule]
		if (f.Derived && !r.shape) || (f.Beside && !r.beside) ||
			(resume != nil && keyword.Start < resume[rule]) {
			return
		}
		if r.behind != nil && !r.behind(lex.ByteBefore(f.Text, keyword.Start)) {
			return
		}
		secret, ok := r.find(f.Text, keyword)
		if !ok || r.strong && !judge.StrongWord(secret.Of(f.Text)) {
			return
		}
		if r.token != nil { // Whatever is glued to a token is part of it.
			secret.End = lex.Run(f.Text, secret.End, min(len(f.Text), secret.End+judge.MaxName), lex.IsAlnum)
		}
		if resume == nil {
			resume = make([]int, len(s.rules))
		}
		resume[rule] = secret.End
		if r.isExcepted(hit{f.Text, secret, secret, text, f.OriginOf(secret)}) {
			return
		}
		hits = append(hits, found{f.OriginOf(secret), s.sourceOf(rule), r.Severity, f.IsOriginal()})
	})
	if s.wholes != nil && !f.Beside {
		hits = s.scanWholes(hits, text, f)
	}
	return hits
}

// findingsOf turns hits in one string into findings.
func (s *Scanner) findingsOf(path *pointer, text string, hits []found) []Finding {
	if len(hits) == 0 {
		return nil
	}
	all := make([]Finding, len(hits))
	where := path.String()
	for i, hit := range hits {
		r := &s.rules[hit.rule.index]
		all[i] = Finding{
			Rule: r.ID, Severity: r.Severity,
			Path: where, InName: path != nil && path.ofName,
			Start: hit.Start, End: hit.End,
			Mask: r.maskSecret(hit.Of(text)),
		}
		if r.Severity == Block && (i == 0 || hits[i-1].End < hit.Start) {
			all[i].Name = judge.NamedIn(text, hit.Start)
		}
		all[i].Why, all[i].Advice = r.describeFinding()
		if r.isMinted() && r.Severity == Block && hit.plain {
			all[i].trace = digestOf(hit.Of(text))
		}
	}
	return all
}

// A tier says where a rule comes from. What the rules of one tier find never
// takes the place of what an earlier one found: whoever writes a rule file
// could else give a secret another name, and then allow it by that.
type tier int

const (
	ownTier     tier = iota // A built-in rule.
	trustedTier             // A rule of Config.Rules.
	addedTier               // A rule of Config.Added.
	tiers
)

// A rank says which findings a finding may take the place of.
type rank int

const (
	warnRank   rank = iota
	placeRank       // It is a place on a machine, which is written anew.
	secretRank      // It blocks and is no place.
	ranks
)

// A source is the rule of a finding, as far as merging asks for it.
type source struct {
	index int // Place in the rules of the Scanner.
	tier  tier
	place bool
}

// sourceOf returns the rule at the given place.
func (s *Scanner) sourceOf(rule int) source {
	r := &s.rules[rule]
	from := source{index: rule}
	switch {
	case r.whole == nil:
		from.place = rules.Words("place").Has(r.ID)
	case r.added:
		from.tier = addedTier
	default:
		from.tier = trustedTier
	}
	return from
}

// found is a finding before it has a path: which rule, and where.
type found struct {
	lex.Span
	rule     source
	severity Severity
	plain    bool // It was found in the text as it stands.
}

func (f *found) rankOf() rank {
	switch {
	case f.rule.place:
		return placeRank
	case f.severity != Block:
		return warnRank
	default:
		return secretRank
	}
}

// mergeFindings sorts the findings of one string and leaves out those that a blocking
// one contains. Findings of one tier and rank that overlap become one.
//
// A place takes the place of no secret, since a place is nothing to hide from
// the person who works there. Nor does any finding take the place of one of an
// earlier tier. Both are kept then, so what merge returns may overlap.
func mergeFindings(all []found) []found {
	slices.SortFunc(all, func(a, b found) int {
		return cmp.Or(
			cmp.Compare(a.Start, b.Start),
			cmp.Compare(b.End, a.End),
			cmp.Compare(b.rankOf(), a.rankOf()),
			cmp.Compare(a.rule.index, b.rule.index),
		)
	})
	m := merger{kept: all[:0]}
	for _, f := range all {
		m.addFinding(f)
	}
	return m.kept
}

// A merger is given findings in the order of their beginnings.
type merger struct {
	kept []found
	last [tiers][ranks]int // Index in kept, plus one.
}

func (m *merger) addFinding(f found) {
	if m.isContained(f) {
		return
	}
	last := &m.last[f.rule.tier][f.rankOf()]
	if *last > 0 && f.Start < m.kept[*last-1].End {
		m.kept[*last-1].End = max(m.kept[*last-1].End, f.End)
		return
	}
	m.kept = append(m.kept, f)
	*last = len(m.kept)
}

// isContained says whether a finding of the same tier or an earlier one takes the
// place of f.
func (m *merger) isContained(f found) bool {
	for t := range f.rule.tier + 1 {
		for c := f.rankOf(); c < ranks; c++ {
			if at := m.last[t][c]; at > 0 && f.End <= m.kept[at-1].End {
				return true
			}
		}
	}
	return false
}

// scanText returns the merged findings of all forms of one string.
func (s *Scanner) scanText(text string) []found {
	all := s.scanInner(text)
	if len(text) <= forms.MaxChunk+forms.Overlap {
		return mergeFindings(append(all, s.scanChunk(text)...))
	}
	all = s.scanEvents(all, forms.Form{Text: text}, readers.Tables) // Their head may be in another part.
	// Where the run of digits begins that the part begins in.
	digits := 0
	for from := 0; ; {
		to := min(len(text), from+forms.MaxChunk+forms.Overlap)
		for to < len(text) && !utf8.RuneStart(text[to]) {
			to++
		}
		for _, hit := range s.scanChunk(text[from:to]) {
			hit.Start, hit.End = hit.Start+from, hit.End+from
			all = append(all, hit)
		}
		if to == len(text) {
			return mergeFindings(all)
		}
		from, digits = forms.NextPart(text, from, to-forms.Overlap, digits)
	}
}

// scanChunk returns the merged findings of all forms of a text of bounded length.
func (s *Scanner) scanChunk(text string) []found {
	plain := forms.Form{Text: text}
	hits := s.scanEvents(s.scanForm(nil, text, plain), plain, readers.Events)
	for _, f := range forms.DecodeAll(text) {
		hits = s.scanForm(hits, text, f)
		if !f.Derived {
			hits = s.scanEvents(hits, f, readers.Events)
		}
	}
	if len(hits) < 2 {
		return hits
	}
	return mergeFindings(hits)
}
