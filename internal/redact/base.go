package redact

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/layouts"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// A gitleaksRow is a rule of gitleaks as the generated table holds it. What
// stands around a secret is not part of the expression: it is judged here, so
// that the end of a sentence ends a token too.
type gitleaksRow struct {
	id       string
	keywords []string
	place    place
	window   int     // most bytes of a secret
	least    int     // least bytes of a secret
	entropy  float64 // least bits a byte
	expr     string
}

// A place tells where a secret stands.
type place int

const (
	atKeyword     place = iota + 1 // A keyword is its beginning.
	aroundKeyword                  // A keyword is a part of it, or stands nearby.
	behindName                     // It is a value of the service that a keyword names.
)

// minWindow is how far from its keyword a secret may stand at least.
const minWindow = 64

// A base is a row and its expression.
type base struct {
	*gitleaksRow
	expression
}

func (b *base) findSecret(text string, keyword lex.Span) (lex.Span, bool) {
	if b.place != behindName {
		s, ok := b.findMatch(text, keyword)
		return s, ok && b.acceptsSecret(text, s)
	}
	if keyword.End-keyword.Start < 5 && !layouts.StandsAlone(text, keyword) {
		return lex.Span{}, false
	}
	// Looks for the secret among the values that follow the name of its service.
	return layouts.ValueNear(text, keyword, func(at, _ int, how layouts.Nearness) (lex.Span, bool) {
		match := b.compileOnce().FindStringSubmatchIndex(text[at:min(len(text), at+b.window+1)])
		if match == nil {
			return lex.Span{}, false
		}
		s := groupOf(match)
		s = lex.Between(s.Start+at, s.End+at)
		value := s.Of(text)
		if layouts.RestOf(text, keyword.End, at) == layouts.RestOther && how == layouts.Assigned &&
			!strings.HasSuffix(b.id, "-id") && !strings.HasSuffix(b.id, "-secret") {
			return lex.Span{}, false
		}
		return s, how != layouts.Mentioned && b.acceptsSecret(text, s) &&
			lex.ClassesOf(value).Digit > 0 &&
			!judge.IsResource(value) && (how == layouts.Assigned || !judge.IsIdentifier(value))
	})
}

func (b *base) acceptsSecret(text string, s lex.Span) bool {
	value := s.Of(text)
	if lex.IsAlnum(lex.ByteAt(text, s.End)) || lex.IsAlnum(lex.ByteBefore(text, s.Start)) {
		return false
	}
	return runeEntropy(value) >= b.entropy && !judge.IsPlaceholder(value)
}
