package redact

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// A Custom describes a rule that a rule file brings. Unlike a built-in rule it
// reads a text from end to end, and every match counts.
type Custom struct {
	ID          string // Required: letters, digits and "._/+-", at most 64 of them.
	Description string // What it finds, for people.
	Advice      string // What to do about a finding. Default: to take it out.

	Severity Severity // Default: Block.

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

// A CustomError tells what is wrong with a Custom.
type CustomError struct {
	Rule   string       // ID of the rule as it was given.
	Fields []FieldError // In the order of the fields, never empty.
}

// A FieldError tells what is wrong with one field.
type FieldError struct {
	Field string // Name of the field of Custom.
	Err   error
}

func (e *CustomError) Error() string {
	all := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		all[i] = f.Field + ": " + f.Err.Error()
	}
	return fmt.Sprintf("rule %q: %s", e.Rule, strings.Join(all, "; "))
}

// Rule returns the rule. Expr is checked here and compiled when it is first
// needed. The error is a *CustomError that tells of every field.
func (c Custom) Rule() (Rule, error) {
	w := &whole{group: c.Group, entropy: c.Entropy, keywords: lower(c.Keywords)}
	except, errExcept := prepared(c.Except)
	errExpr, errGroup := w.read(c.Expr)
	fields := slices.DeleteFunc([]FieldError{
		{"ID", checkID(c.ID)},
		{"Severity", checkSeverity(c.Severity)},
		{"Expr", errExpr},
		{"Group", errGroup},
		{"Keywords", checkWords(c.Keywords)},
		{"Entropy", checkEntropy(c.Entropy)},
		{"Except", errExcept},
	}, func(f FieldError) bool { return f.Err == nil })
	if len(fields) > 0 {
		return Rule{}, &CustomError{c.ID, fields}
	}
	r := Rule{
		ID: c.ID, Severity: c.Severity, Why: "matches a rule of your own", Advice: c.Advice,
		whole: w, except: except,
	}
	if r.Severity == 0 {
		r.Severity = Block
	}
	if what := printable(c.Description); what != "" {
		r.Why += ": " + what
	}
	if r.Advice == "" {
		r.Advice = "replace the secret where it is used, then leave it out"
	}
	return r, nil
}

// read takes over an expression and, where there are no keywords yet, what a
// text must hold for it to match.
func (w *whole) read(expr string) (errExpr, errGroup error) {
	parsed, err := parse(expr)
	if err != nil {
		return err, nil
	}
	if matchesEmpty(parsed) {
		return errors.New("matches an empty text"), nil
	}
	if groups := parsed.MaxCap(); w.group < 0 || w.group > groups {
		errGroup = fmt.Errorf("%d is not between 0 and %d", w.group, groups)
	}
	w.expr = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
	if len(w.keywords) == 0 {
		w.keywords = required(parsed)
	}
	return nil, errGroup
}

const maxID = 64

func checkID(id string) error {
	switch {
	case id == "":
		return errors.New("missing")
	case len(id) > maxID:
		return fmt.Errorf("longer than %d bytes", maxID)
	case run(id, 0, len(id), isID) < len(id):
		return errors.New(`has a character that is not a letter, a digit or one of "._/+-"`)
	default:
		return nil
	}
}

func isID(c byte) bool { return isAlnum(c) || strings.IndexByte("._/+-", c) >= 0 }

func checkSeverity(s Severity) error {
	if s < 0 || s > Block {
		return errors.New("unknown")
	}
	return nil
}

func checkWords(words []string) error {
	for _, word := range words {
		if strings.TrimSpace(word) == "" {
			return errors.New("one is empty")
		}
	}
	return nil
}

// checkEntropy holds that e is between 0 and 8, which excludes NaN.
func checkEntropy(e float64) error {
	if e >= 0 && e <= 8 {
		return nil
	}
	return errors.New("not between 0 and 8 bits a byte")
}

// printable returns text on one line, without what a terminal acts on.
func printable(text string) string {
	const most = 200
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, text[:min(len(text), most)])
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
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

func lower(words []string) []string {
	folded := make([]string, len(words))
	for i, word := range words {
		folded[i] = strings.ToLower(word)
	}
	return folded
}
