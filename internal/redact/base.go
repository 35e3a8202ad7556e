package redact

import (
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/layouts"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// behindName is the place of a secret of gitleaks that is a value of the service that a keyword names.
const behindName = "behind"

// minWindow is how far from its keyword a secret may stand at least.
const minWindow = 64

// A base is a row of rules.GitleaksTable. What stands around a secret is not part of its expression: it is
// judged here, so that the end of a sentence ends a token too.
type base struct {
	id, place string
	window    int     // most bytes of a secret
	entropy   float64 // least bits a byte
	expression
}

// newBase reads a row.
func newBase(row string) *base {
	columns := strings.SplitN(row, "\t", 7)
	const part = 12 // A run that is so long may be part of a secret.
	b := &base{id: columns[0], place: columns[1], expression: expression{expr: columns[6], of: lex.IsToken}}
	b.least, _ = strconv.Atoi(columns[3])
	b.window, _ = strconv.Atoi(columns[4])
	b.entropy, _ = strconv.ParseFloat(columns[5], 64)
	b.least, b.after = min(b.least, part), max(b.window, minWindow)+1
	if b.place == "around" {
		b.before = b.after - 1
	} else {
		b.expr = "^(?:" + b.expr + ")"
	}
	return b
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
