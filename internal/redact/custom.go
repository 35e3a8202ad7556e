package redact

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

// A Custom describes a rule that a rule file brings. Unlike a built-in rule it
// reads a text from end to end, and every match counts.
type Custom struct {
	ID          string // Required: letters, digits and "._/+-", at most 64 of them.
	Description string // What it finds, for people.

	// Expr is what it looks for, as package regexp reads it. It is required and
	// must not match an empty text.
	Expr string
	// Group is the group of Expr that is the secret. Zero means the first
	// group that is not empty. If there is none, the whole match is the secret.
	Group int
	// Keywords are words of which a text must hold one, in any case of
	// letters. If there are none, the rule looks for what Expr requires.
	Keywords []string
	// Entropy is how many bits a byte a secret must have more than, after
	// Shannon. Zero means that any secret will do.
	Entropy float64
	// Except are exceptions of this rule alone, so they name no rules.
	Except []Exception
}

// Rule returns the rule. Expr is checked here and compiled when it is first
// needed. The error tells of every key of the rule file that is wrong, on a line each.
func (c Custom) Rule() (Rule, error) {
	w := &whole{group: c.Group, entropy: c.Entropy, keywords: lowerAll(c.Keywords)}
	errExpr, errGroup := w.readExpr(c.Expr)
	if err := errors.Join(
		errorIf(c.ID == "", "id: missing"), errorIf(len(c.ID) > maxID, "id: longer than %d bytes", maxID),
		errorIf(lex.Run(c.ID, 0, len(c.ID), isID) < len(c.ID),
			`id: has a character that is not a letter, a digit or one of "._/+-"`),
		errExpr, errGroup,
		errorIf(slices.ContainsFunc(c.Keywords, func(word string) bool { return strings.TrimSpace(word) == "" }),
			"keywords: one is empty"),
		errorIf(!(c.Entropy >= 0 && c.Entropy <= 8), "entropy: not between 0 and 8 bits a byte"), // Or NaN.
	); err != nil {
		return Rule{}, err
	}
	except := slices.Clone(c.Except)
	for i := range except {
		except[i].Words = lowerAll(except[i].Words)
	}
	r := Rule{
		ID: c.ID, Severity: Block, Why: "matches a rule of your own",
		Advice: "replace the secret where it is used, then leave it out", whole: w, except: except,
	}
	const most = 200
	if what := clean.Truncate(clean.Line(c.Description), most); what != "" {
		r.Why += ": " + what
	}
	return r, nil
}

// readExpr takes over an expression.
func (w *whole) readExpr(expr string) (errExpr, errGroup error) {
	parsed, err := parseExpr(expr)
	if err != nil {
		return fmt.Errorf("regex: %w", err), nil
	}
	if matchesEmpty(parsed) {
		return errors.New("regex: matches an empty text"), nil
	}
	w.expr = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	groups := parsed.MaxCap()
	return nil, errorIf(w.group < 0 || w.group > groups, "secretGroup: %d is not between 0 and %d", w.group, groups)
}

const maxID = 64

func isID(c byte) bool { return lex.IsAlnum(c) || strings.IndexByte("._/+-", c) >= 0 }

// errorIf returns an error where something is wrong.
func errorIf(wrong bool, format string, args ...any) error {
	if wrong {
		return fmt.Errorf(format, args...)
	}
	return nil
}

// runeEntropy returns the Shannon entropy of text in bits a byte, as rule files
// mean it: what is counted are characters.
func runeEntropy(text string) float64 {
	count := map[rune]int{}
	for _, r := range text {
		count[r]++
	}
	bits := 0.0
	for _, n := range count {
		share := float64(n) / float64(len(text))
		bits -= share * math.Log2(share)
	}
	return bits
}

func lowerAll(words []string) []string {
	folded := make([]string, len(words))
	for i, word := range words {
		folded[i] = strings.ToLower(word)
	}
	return folded
}

// maxSteps bounds an expression by how long it is when all that it repeats is
// written out, because that is what each byte of a text may cost.
const maxSteps = 10_000

// CompileExpr compiles an expression of a rule file. The error says what is
// wrong but does not repeat the expression, which may quote a secret.
func CompileExpr(expr string) (*regexp.Regexp, error) {
	if _, err := parseExpr(expr); err != nil {
		return nil, err
	}
	return regexp.Compile(expr)
}

// ExprSteps returns how long an expression is when all that it repeats is
// written out, or 0 for one that CompileExpr refuses. What expressions cost
// together is bounded by the sum of their steps.
func ExprSteps(expr string) int {
	parsed, err := parseExpr(expr)
	if err != nil {
		return 0
	}
	return countSteps(parsed)
}

// parseExpr reads an expression and holds it to maxSteps.
func parseExpr(expr string) (*syntax.Regexp, error) {
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
	if n := countSteps(parsed); n > maxSteps {
		return nil, fmt.Errorf("too large: %d steps when written out, of %d", n, maxSteps)
	}
	return parsed, nil
}

// countSteps returns how long re is with its repetitions written out.
func countSteps(re *syntax.Regexp) int {
	n := 1
	if re.Op == syntax.OpLiteral {
		n = len(re.Rune)
	}
	for _, sub := range re.Sub {
		n += countSteps(sub)
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
