package ruleset

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"
)

// MaxSize is how large a rule file may be.
const MaxSize = 1 << 20

// A document is a rule file as TOML has it.
type document struct {
	Title       string      `toml:"title"`
	Description string      `toml:"description"`
	MinVersion  string      `toml:"minVersion"`
	Extend      extend      `toml:"extend"`
	Rules       []rule      `toml:"rules"`
	AllowList   *allowlist  `toml:"allowlist"`
	Allowlists  []allowlist `toml:"allowlists"`
}

type extend struct {
	UseDefault    bool     `toml:"useDefault"`
	Path          string   `toml:"path"`
	URL           string   `toml:"url"`
	DisabledRules []string `toml:"disabledRules"`
}

type rule struct {
	ID          string      `toml:"id"`
	Description string      `toml:"description"`
	Regex       string      `toml:"regex"`
	Path        string      `toml:"path"`
	SecretGroup int         `toml:"secretGroup"`
	Entropy     float64     `toml:"entropy"`
	Keywords    []string    `toml:"keywords"`
	Tags        []string    `toml:"tags"`
	SkipReport  bool        `toml:"skipReport"`
	Required    []required  `toml:"required"`
	AllowList   *allowlist  `toml:"allowlist"`
	Allowlists  []allowlist `toml:"allowlists"`
}

type required struct {
	ID            string `toml:"id"`
	WithinLines   *int   `toml:"withinLines"`
	WithinColumns *int   `toml:"withinColumns"`
}

type allowlist struct {
	Description string   `toml:"description"`
	Condition   string   `toml:"condition"`
	Commits     []string `toml:"commits"`
	Paths       []string `toml:"paths"`
	RegexTarget string   `toml:"regexTarget"`
	Regexes     []string `toml:"regexes"`
	StopWords   []string `toml:"stopwords"`
	TargetRules []string `toml:"targetRules"`
}

// kinds says what a value of the format should be, by its type in Go.
var kinds = map[string]string{
	"string": "a string", "[]string": "an array of strings", "int": "a whole number", "float64": "a number",
	"bool": "true or false", "[]ruleset.rule": "an array of tables", "[]ruleset.allowlist": "an array of tables",
}

// readTOML decodes a file. It returns no document if it is not one of the format.
func readTOML(data []byte) (*document, *outline, []Problem) {
	if len(data) > MaxSize {
		return nil, nil, []Problem{{Text: fmt.Sprintf("larger than %d bytes", MaxSize)}}
	}
	o := outlineOf(data)
	if !utf8.Valid(data) {
		at := o.positionOf(invalidAt(data))
		return nil, nil, []Problem{{at.line, at.column, "not UTF-8"}}
	}
	// The decoder would refuse unknown keys too, but takes its time over each.
	var doc document
	err := toml.Unmarshal(data, &doc)
	if d, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := d.Position()
		text := quoteKey(strings.TrimPrefix(d.Error(), "toml: "))
		if _, want, ok := strings.Cut(d.Error(), " of type "); ok {
			text = fmt.Sprintf("%s must be %s", quoteKey(strings.Join(d.Key(), ".")), cmp.Or(kinds[want], "a table"))
		}
		return nil, nil, append(o.problems, Problem{line, column, text})
	}
	if err != nil {
		return nil, nil, append(o.problems, Problem{Text: quoteKey(strings.TrimPrefix(err.Error(), "toml: "))})
	}
	return &doc, o, o.problems
}

// invalidAt returns where data ceases to be UTF-8.
func invalidAt(data []byte) int {
	at := 0
	for at < len(data) {
		r, size := utf8.DecodeRune(data[at:])
		if r == utf8.RuneError && size == 1 {
			return at
		}
		at += size
	}
	return at
}
