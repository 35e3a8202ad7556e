package redact

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
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
	fs := s.findingsOf(literal{text: text}, s.Until(nil).scanText(text))
	where := newLocator(text)
	for i := range fs {
		where.locateFinding(&fs[i], lex.Between(fs[i].Start, fs[i].End))
	}
	return fs
}

// Scan returns what the rules find in doc, in the order of the document.
func (s *Scanner) Scan(doc []byte) ([]Finding, error) {
	texts, err := s.scanDocument(doc, false)
	if err != nil {
		return nil, err
	}
	var all []Finding
	for i := range texts {
		all = append(all, texts[i].findings...)
	}
	return all, nil
}

// maxRead is how far from its keyword a rule reads that looks at names. Others may read a whole key.
const maxRead = 4096

// scanForm adds to hits what the rules find in one form of a text.
func (s *Scanner) scanForm(hits []found, text string, f forms.Form) []found {
	if s.isStopped() {
		return hits
	}
	resume := map[int]int{} // Where the last secret of a rule ends.
	s.index.eachKeyword(f.Derived, f.Text, func(rule int, keyword lex.Span) {
		r := &s.rules[rule]
		if r.off || (f.Derived && !r.shape) || (f.Beside && !r.beside) || keyword.Start < resume[rule] {
			return
		}
		if !r.shape && !f.IsChanged(keyword, maxRead) {
			return
		}
		d := r.defined()
		if d.behind != nil && !d.behind(lex.ByteBefore(f.Text, keyword.Start)) {
			return
		}
		secret, ok := d.find(f.Text, keyword)
		if !ok || r.strong && !judge.StrongWord(secret.Of(f.Text)) {
			return
		}
		if d.isToken() { // Whatever is glued to a token is part of it.
			secret.End = lex.Run(f.Text, secret.End, min(len(f.Text), secret.End+judge.MaxName), lex.IsAlnum)
		}
		resume[rule] = secret.End
		if r.isExcepted(hit{f.Text, secret, secret, text, f.OriginOf(secret)}) {
			return
		}
		hits = append(hits, s.foundBy(rule, f.OriginOf(secret), f.IsOriginal()))
	})
	if s.own < len(s.rules) && !f.Beside {
		hits = s.scanWholes(hits, text, f)
	}
	return hits
}

// findingsOf turns hits in one string into findings.
func (s *Scanner) findingsOf(l literal, hits []found) []Finding {
	if len(hits) == 0 {
		return nil
	}
	all := make([]Finding, len(hits))
	where, text := l.path.String(), l.text
	for i, hit := range hits {
		r := &s.rules[hit.rule]
		all[i] = Finding{
			Rule: r.ID, Severity: r.Severity,
			Path: where, InName: l.isName,
			Start: hit.Start, End: hit.End,
			Mask: r.maskSecret(hit.Of(text)),
		}
		if r.Severity == Block && (i == 0 || hits[i-1].End < hit.Start) {
			all[i].Name = judge.NamedIn(text, hit.Start)
		}
		all[i].Why, all[i].Advice = r.describeFinding()
		// A machine made it, so that a digest tells nothing: what a person chose can be guessed, however long.
		minted := r.whole == nil && (r.isToken() || r.gitleaks != "" && r.shape)
		if secret := hit.Of(text); minted && r.Severity == Block && hit.plain &&
			runeEntropy(secret)*float64(len(secret)) >= strongBits {
			sum := sha256.Sum256([]byte(secret))
			all[i].trace = hex.EncodeToString(sum[:])
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

// found is a finding before it has a path: which rule, and where.
type found struct {
	lex.Span
	rule  int // Place in the rules of the Scanner.
	tier  tier
	rank  rank
	plain bool // It was found in the text as it stands.
}

// foundBy returns what a rule found.
func (s *Scanner) foundBy(rule int, at lex.Span, plain bool) found {
	r := &s.rules[rule]
	f := found{Span: at, rule: rule, plain: plain}
	switch {
	case r.whole == nil && rules.Words("place").Has(r.ID):
		f.rank = placeRank
	case r.Severity == Block:
		f.rank = secretRank
	}
	switch {
	case r.added:
		f.tier = addedTier
	case r.whole != nil:
		f.tier = trustedTier
	}
	return f
}

// mergeFindings sorts the findings of one string and leaves out those that a blocking
// one contains. Findings of one tier and rank that overlap become one.
//
// A place takes the place of no secret, since a place is nothing to hide from
// the person who works there. Nor does any finding take the place of one of an
// earlier tier. Both are kept then, so what merge returns may overlap.
func mergeFindings(all []found) []found {
	slices.SortStableFunc(all, func(a, b found) int {
		return cmp.Or(
			cmp.Compare(a.Start, b.Start),
			cmp.Compare(b.End, a.End),
			cmp.Compare(b.rank, a.rank),
			cmp.Compare(a.rule, b.rule),
		)
	})
	kept := all[:0]
	var last [tiers][ranks]int // Index in kept, plus one.
next:
	for _, f := range all {
		for _, of := range last[:f.tier+1] { // What is of the same tier or an earlier one takes its place.
			for _, at := range of[f.rank:] {
				if at > 0 && f.End <= kept[at-1].End {
					continue next
				}
			}
		}
		if at := last[f.tier][f.rank]; at > 0 && f.Start < kept[at-1].End {
			kept[at-1].End = f.End
			continue
		}
		kept = append(kept, f)
		last[f.tier][f.rank] = len(kept)
	}
	return kept
}

// scanText returns the merged findings of all forms of one string.
func (s *Scanner) scanText(text string) []found {
	all := s.scanInner(text)
	if len(text) > forms.MaxChunk+forms.Overlap { // The head of a table may be in another part.
		all = s.scanEvents(all, forms.Form{Text: text}, readers.Tables)
	}
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
	return mergeFindings(hits)
}
