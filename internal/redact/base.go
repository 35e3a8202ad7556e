package redact

import (
	"regexp"
	"strings"
	"sync"

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

// baseRules are the rules of gitleaks.
func baseRules() []Rule {
	rows := gitleaksRows()
	rules := make([]Rule, len(rows))
	bases := make([]base, len(rows))
	for i := range rows {
		row, b := &rows[i], &bases[i]
		b.gitleaksRow = row
		rules[i] = Rule{
			ID: row.id, Severity: Block, keywords: row.keywords, find: b.findSecret, shape: row.place != behindName,
		}
	}
	return rules
}

func gitleaksWords(id string) (why, advice string) {
	return "looks like a secret of the kind that gitleaks names " + id,
		"revoke it where it was made, then leave it out of the packet"
}

// A base is a row and its expression, which is compiled when it is first
// needed.
type base struct {
	*gitleaksRow
	once     sync.Once
	compiled *regexp.Regexp
}

func (b *base) matchWindow(window string) []int {
	b.once.Do(func() {
		expr := b.expr
		if b.place != aroundKeyword {
			expr = "^(?:" + expr + ")"
		}
		b.compiled = regexp.MustCompile(expr)
	})
	return b.compiled.FindStringSubmatchIndex(window)
}

func (b *base) findSecret(text string, keyword lex.Span) (lex.Span, bool) {
	switch b.place {
	case atKeyword:
		return b.findAt(text, keyword.Start, keyword.Start)
	case aroundKeyword:
		return b.findAt(text, max(0, keyword.Start-max(b.window, minWindow)), keyword.End)
	case behindName:
		if keyword.End-keyword.Start < 5 && !layouts.StandsAlone(text, keyword) {
			return lex.Span{}, false
		}
		// Looks for the secret among the values that follow the name of its service.
		return layouts.ValueNear(text, keyword, func(at, limit int, how layouts.Nearness) (lex.Span, bool) {
			if limit-at < b.least {
				return lex.Span{}, false
			}
			match := b.matchWindow(text[at:min(len(text), at+b.window+1)])
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
	default:
		return lex.Span{}, false
	}
}

// minWindow is how far from its keyword a secret may stand at least.
const minWindow = 64

// findAt looks for the secret between from and as far behind to as it can be.
func (b *base) findAt(text string, from, to int) (lex.Span, bool) {
	window := text[from:min(len(text), to+max(b.window, minWindow)+1)]
	if !b.holdsRun(window) {
		return lex.Span{}, false
	}
	match := b.matchWindow(window)
	if match == nil {
		return lex.Span{}, false
	}
	s := groupOf(match)
	s = lex.Between(s.Start+from, s.End+from)
	return s, b.acceptsSecret(text, s)
}

// holdsRun says whether the window holds, or begins with, a run of signs that
// is long enough to be part of a secret, which is far cheaper to see than a
// match.
func (b *base) holdsRun(window string) bool {
	const part = 12
	least := min(b.least, part)
	for at := 0; at < len(window); at++ {
		end := lex.Run(window, at, len(window), lex.IsToken)
		if end-at >= least {
			return true
		}
		if b.place == atKeyword {
			return false
		}
		at = end
	}
	return false
}

func (b *base) acceptsSecret(text string, s lex.Span) bool {
	value := s.Of(text)
	if lex.IsAlnum(lex.ByteAt(text, s.End)) || lex.IsAlnum(lex.ByteBefore(text, s.Start)) {
		return false
	}
	return byteEntropy(value) >= b.entropy && !judge.IsPlaceholder(value)
}
