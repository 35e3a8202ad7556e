package redact

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// maxSteps bounds an expression by how long it is when all that it repeats is
// written out, because that is what each byte of a text may cost.
const maxSteps = 10_000

// CompileExpr compiles an expression of a rule file. The error says what is
// wrong but does not repeat the expression, which may quote a secret.
func CompileExpr(expr string) (*regexp.Regexp, error) {
	if _, err := parse(expr); err != nil {
		return nil, err
	}
	return regexp.Compile(expr)
}

// ExprSteps returns how long an expression is when all that it repeats is
// written out, or 0 for one that CompileExpr refuses. What expressions cost
// together is bounded by the sum of their steps.
func ExprSteps(expr string) int {
	parsed, err := parse(expr)
	if err != nil {
		return 0
	}
	return steps(parsed)
}

// parse reads an expression and holds it to maxSteps.
func parse(expr string) (*syntax.Regexp, error) {
	if expr == "" {
		return nil, errors.New("missing")
	}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		if reason, ok := errors.AsType[*syntax.Error](err); ok {
			return nil, fmt.Errorf("not an expression: %s", reason.Code)
		}
		return nil, errors.New("not an expression")
	}
	if n := steps(parsed); n > maxSteps {
		return nil, fmt.Errorf("too large: %d steps when written out, of %d", n, maxSteps)
	}
	return parsed, nil
}

// steps returns how long re is with its repetitions written out.
func steps(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += steps(sub)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, 1<<30)
}

// matchesEmpty says whether re matches an empty text somewhere.
func matchesEmpty(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune) == 0
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL, syntax.OpNoMatch:
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return matchesEmpty(re.Sub[0])
	case syntax.OpRepeat:
		return re.Min == 0 || matchesEmpty(re.Sub[0])
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(sub *syntax.Regexp) bool { return !matchesEmpty(sub) })
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, matchesEmpty)
	default: // A position, or what may be left out.
		return true
	}
}

// maxRequired bounds how many literals stand for one expression.
const maxRequired = 16

// required returns lower-case literals of which every match of re holds one, in
// any case of letters. It returns nothing if it knows of none.
func required(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if word := plainPart(re); len(word) >= 2 {
			return []string{word}
		}
		return nil
	case syntax.OpCapture, syntax.OpPlus:
		return required(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return required(re.Sub[0])
		}
		return nil
	case syntax.OpConcat:
		var best []string
		for _, sub := range re.Sub {
			if words := required(sub); shortestOf(words) > shortestOf(best) {
				best = words
			}
		}
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			words := required(sub)
			if len(words) == 0 || len(all)+len(words) > maxRequired {
				return nil
			}
			all = append(all, words...)
		}
		return all
	default:
		return nil
	}
}

func shortestOf(words []string) int {
	if len(words) == 0 {
		return 0
	}
	n := len(words[0])
	for _, word := range words[1:] {
		n = min(n, len(word))
	}
	return n
}

// plainPart returns the longest part of a literal whose cases differ in ASCII
// alone. Without regard to case, k and s also match characters beyond it.
func plainPart(literal *syntax.Regexp) string {
	folds := literal.Flags&syntax.FoldCase != 0
	parts := strings.FieldsFunc(string(literal.Rune), func(r rune) bool {
		return r >= 0x80 || folds && strings.ContainsRune("kKsS", r)
	})
	longest := ""
	for _, part := range parts {
		if len(part) > len(longest) {
			longest = part
		}
	}
	return strings.ToLower(longest)
}
