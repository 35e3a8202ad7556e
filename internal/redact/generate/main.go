// Command generate writes the table of rules that come from gitleaks.
//
// It reads the rule file that the gitleaks module embeds, in the version that go.mod here names, and prints
// Go source. It is a module of its own so that nothing of gitleaks but data reaches the program.
package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"go/format"
	"os"
	"regexp/syntax"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/zricethezav/gitleaks/v8/config"
)

// Parts that the expressions of gitleaks share.
const (
	nameBefore = `[\w.-]{0,50}?`
	sign       = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)[\x60'"\s=]{0,5}`
	ending     = `(?:[\x60'"\s;]|\\[nr]|$)`
)

// maxWindow bounds how far around a keyword an expression is looked for.
const maxWindow = 512

// source is a rule as the file has it.
type source struct {
	ID       string   `toml:"id"`
	Regex    string   `toml:"regex"`
	Path     string   `toml:"path"`
	Keywords []string `toml:"keywords"`
	Entropy  float64  `toml:"entropy"`
}

// row is a rule as the table has it.
type row struct {
	source
	place  string // Where the secret stands: how the table's reader spells it.
	window int
	least  int // Least bytes of the secret.
}

func main() {
	out, err := writeTable(config.DefaultConfig)
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
	_, err = os.Stdout.Write(out)
	if err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func writeTable(text string) ([]byte, error) {
	var file struct {
		Rules []source `toml:"rules"`
	}
	if err := toml.Unmarshal([]byte(text), &file); err != nil {
		return nil, fmt.Errorf("read rules: %w", err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, header, moduleVersion(), license)
	kept := 0
	for _, s := range file.Rules {
		if leftOut(s) {
			continue
		}
		r, err := convertRule(s)
		if err != nil {
			return nil, fmt.Errorf("rule %q: %w", s.ID, err)
		}
		if len(r.Keywords) == 0 {
			continue
		}
		kept++
		fmt.Fprintf(&b, "{%q, []string{%s}, %s, %d, %d, %v, %q},\n", r.ID, quoteWords(r.Keywords), r.place,
			r.window, r.least, r.Entropy, r.Regex)
	}
	fmt.Fprintf(&b, "}\n")
	fmt.Fprintf(os.Stderr, "%d of %d rules\n", kept, len(file.Rules))
	return format.Source(b.Bytes())
}

// leftOut says whether a rule is bound to files, or has a better one of our
// own in its place.
func leftOut(s source) bool {
	own := []string{
		"generic-api-key", "private-key", "jwt", "jwt-base64", "curl-auth-header", "curl-auth-user",
		"sourcegraph-access-token",
		"twilio-api-key", "azure-ad-client-secret", "vault-service-token", "slack-webhook-url",
		"microsoft-teams-webhook",
	}
	return s.Path != "" || s.Regex == "" || slices.Contains(own, s.ID)
}

// convertRule takes the surroundings off an expression, which the table's reader
// judges itself.
func convertRule(s source) (row, error) {
	r := row{source: s}
	expr := strings.ReplaceAll(s.Regex, ending, "")
	if before, secret, ok := strings.Cut(expr, sign); ok && strings.Contains(before, nameBefore) {
		fold := strings.HasPrefix(expr, "(?i)")
		expr = secret
		if first, other, two := strings.Cut(secret, `|\b`); two {
			expr = "(?:" + first + "|" + other + ")"
		}
		if fold {
			expr = "(?i)" + expr
		}
		if inAny(before, s.Keywords) {
			r.place = "behindName"
		}
	}
	expr = strings.TrimPrefix(expr, `\b`)
	expr = strings.TrimSuffix(expr, `\b`)
	r.Regex = strings.Replace(expr, `(?i)\b`, `(?i)`, 1)
	r.Keywords = slices.DeleteFunc(slices.Clone(s.Keywords), func(k string) bool {
		return len(k) < 3 || strings.ContainsRune(k, ' ')
	})
	parsed, err := syntax.Parse(r.Regex, syntax.Perl)
	if err != nil {
		return row{}, fmt.Errorf("parse %q: %w", r.Regex, err)
	}
	least, most := lengthsOf(parsed.Simplify())
	r.least, r.window = least, min(most, maxWindow)
	switch {
	case r.place != "":
	case beginsWith(parsed, r.Keywords):
		r.place = "atKeyword"
	default:
		r.place = "aroundKeyword"
	}
	return r, nil
}

func inAny(text string, keywords []string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc(keywords, func(k string) bool {
		return strings.Contains(text, k) ||
			strings.Contains(text, strings.ReplaceAll(strings.ReplaceAll(k, "_", "[_-]?"), "-", "[_-]?"))
	})
}

// lengthsOf returns the least and the most bytes that re matches, the most being
// maxWindow where it has no end.
func lengthsOf(re *syntax.Regexp) (least, most int) {
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune), len(re.Rune)
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return 1, 1
	case syntax.OpStar, syntax.OpPlus:
		least, _ = lengthsOf(re.Sub[0])
		if re.Op == syntax.OpStar {
			least = 0
		}
		return least, maxWindow
	case syntax.OpQuest:
		_, most = lengthsOf(re.Sub[0])
		return 0, most
	case syntax.OpCapture:
		return lengthsOf(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			l, m := lengthsOf(sub)
			least, most = least+l, min(most+m, maxWindow)
		}
		return least, most
	case syntax.OpAlternate:
		least = maxWindow
		for _, sub := range re.Sub {
			l, m := lengthsOf(sub)
			least, most = min(least, l), max(most, m)
		}
		return least, most
	default:
		return 0, 0
	}
}

func quoteWords(words []string) string {
	var all []string
	for _, word := range words {
		all = append(all, fmt.Sprintf("%q", word))
	}
	return strings.Join(all, ", ")
}

func moduleVersion() string {
	info, ok := debug.ReadBuildInfo()
	if ok {
		for _, dep := range info.Deps {
			if dep.Path == "github.com/zricethezav/gitleaks/v8" {
				return dep.Version
			}
		}
	}
	return "of an unknown version"
}

//go:embed LICENSE.gitleaks
var license string
