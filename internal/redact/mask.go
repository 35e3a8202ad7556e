package redact

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/redact/judge"
	"github.com/git-ltm/git-ltm/internal/redact/lex"
)

const (
	// maxRounds bounds how often a masked document is masked again. In the
	// last rounds a string that is still found is replaced whole.
	maxRounds   = 6
	wholeRounds = 3
)

// ErrUnmaskable says that a document still holds a secret after masking.
var ErrUnmaskable = errors.New("a secret is left after masking")

// maskLabel returns what stands in place of the nth value that a rule found.
func maskLabel(rule string, n int) string {
	if n < 2 {
		return judge.LabelOpen + rule + "]"
	}
	return judge.LabelOpen + rule + "#" + strconv.Itoa(n) + "]"
}

// Mask returns doc with each blocking finding, in values and in names,
// replaced by "[REDACTED:<rule>]", and the findings that it replaced. A second
// value of one rule gets "#2" in its label, and so does a masked name that
// would collide with another of its object. Everything else stays as it is,
// byte for byte. The result scans clean of blocking findings.
//
// Where masking brings a further secret to light, its finding tells the
// place in the document as it was masked until then.
func (s *Scanner) Mask(doc []byte) ([]byte, []Finding, error) {
	known, used := map[maskedValue]string{}, map[string]int{} // Of each rule the highest number in a label.
	for _, label := range labels().FindAllSubmatch(doc, -1) { // An earlier masking left them.
		rule := string(label[1])
		n, _ := strconv.Atoi(string(label[2]))
		used[rule] = max(used[rule], n, 1)
	}
	labelOf := func(rule, value string) string {
		key := maskedValue{rule, value}
		if known[key] == "" {
			used[rule]++
			known[key] = maskLabel(rule, used[rule])
		}
		return known[key]
	}
	var masked []Finding
	for round := range maxRounds {
		// Names that a mask makes must differ from all, and what was found may stand in every string.
		texts, err := s.scanDocument(doc, true)
		if err != nil {
			return nil, nil, fmt.Errorf("mask document: %w", err)
		}
		blocking := len(masked)
		for i := range texts {
			masked = append(masked, Blocking(texts[i].findings)...)
		}
		if len(masked) == blocking {
			return doc, masked, nil
		}
		names := nameSet{} // Those that stay as they are.
		for i := range texts {
			for _, f := range Blocking(texts[i].findings) {
				labelOf(f.Rule, texts[i].text[f.Start:f.End])
			}
			if texts[i].isName && len(Blocking(texts[i].findings)) == 0 {
				names[memberName{texts[i].object, texts[i].text}] = 1
			}
		}
		repeats := repeatsOf(known)
		doc = editStrings(doc, texts, func(t *scanned) (string, bool) {
			blocking := Blocking(t.findings)
			text := t.text
			if len(blocking) > 0 && round >= wholeRounds {
				text = labelOf(blocking[0].Rule, text)
			} else {
				text = Replace(text, blocking, func(f Finding) string { return labelOf(f.Rule, text[f.Start:f.End]) })
				text = repeats.Replace(text)
			}
			if t.isName && text != t.text {
				text = names.uniqueName(t.object, text)
			}
			return text, text != t.text
		})
	}
	return nil, nil, fmt.Errorf("mask document: %w", ErrUnmaskable)
}

// A maskedValue is what a rule found, and what stands for it everywhere.
type maskedValue struct{ rule, value string }

// repeatsOf masks what a rule found elsewhere in the document: the output of a command may repeat the key that
// the command was given. A value that a word could be is not looked for.
func repeatsOf(known map[maskedValue]string) *strings.Replacer {
	var pairs []string
	for _, key := range slices.SortedFunc(maps.Keys(known), func(a, b maskedValue) int {
		return strings.Compare(b.value+b.rule, a.value+a.rule) // Of two that begin alike the longer is first.
	}) {
		if len(key.value) >= 8 && lex.HasDigit(key.value) {
			pairs = append(pairs, key.value, known[key])
		}
	}
	return strings.NewReplacer(pairs...)
}

// quoteJSON returns text as a JSON string.
func quoteJSON(text string) string {
	escapes := []string{`"`, `\"`, `\`, `\\`}
	for c := range ' ' {
		escapes = append(escapes, string(c), fmt.Sprintf(`\u%04x`, c))
	}
	return `"` + strings.NewReplacer(escapes...).Replace(strings.ToValidUTF8(text, "\ufffd")) + `"`
}

// A memberName is a name in one object of a document.
type memberName struct {
	object int
	name   string
}

// nameSet counts the names of a document.
type nameSet map[memberName]int

// uniqueName returns a name that no other of its object has, and takes it.
func (n nameSet) uniqueName(object int, name string) string {
	unique := name
	for n[memberName{object, unique}] > 0 {
		n[memberName{object, name}]++
		unique = name + "#" + strconv.Itoa(n[memberName{object, name}])
	}
	n[memberName{object, unique}] = 1
	return unique
}

// editStrings returns doc with those of its strings written anew for which edit has
// another text. Everything else stays as it is, byte for byte.
func editStrings(doc []byte, texts []scanned, edit func(*scanned) (text string, ok bool)) []byte {
	var out bytes.Buffer
	from := 0
	for i := range texts {
		if text, ok := edit(&texts[i]); ok {
			out.Write(doc[from:texts[i].raw.Start])
			out.WriteString(quoteJSON(text))
			from = texts[i].raw.End
		}
	}
	out.Write(doc[from:])
	return out.Bytes()
}
