package ruleset

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

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
func readTOML(data []byte) (doc *document, problems []string) {
	if len(data) > MaxSize {
		return nil, []string{fmt.Sprintf(" larger than %d bytes", MaxSize)}
	}
	var tables map[string]any
	err := toml.Unmarshal(data, &tables)
	// The decoder would refuse unknown keys too, but takes its time over each.
	checkKeys("", tables, reflect.TypeFor[document](), func(text string) { problems = append(problems, " "+text) })
	if err == nil {
		err = toml.Unmarshal(data, &doc)
	}
	if d, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, column := d.Position()
		text := quoteKey(strings.TrimPrefix(d.Error(), "toml: "))
		if _, want, ok := strings.Cut(d.Error(), " of type "); ok {
			text = fmt.Sprintf("%s must be %s", quoteKey(strings.Join(d.Key(), ".")), cmp.Or(kinds[want], "a table"))
		}
		return nil, append(problems, fmt.Sprintf("%d:%d: %s", line, column, text))
	}
	if err != nil {
		return nil, append(problems, " "+quoteKey(strings.TrimPrefix(err.Error(), "toml: ")))
	}
	return doc, problems
}

// checkKeys tells of keys that the format does not have, and of those that stand twice: it does not tell upper
// from lower case.
func checkKeys(path string, value any, of reflect.Type, tell func(text string)) {
	for of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	list, _ := value.([]any)
	for i, element := range list {
		checkKeys(fmt.Sprintf("%s[%d]", path, i), element, of, tell)
	}
	table, ok := value.(map[string]any)
	if !ok || of.Kind() != reflect.Struct {
		return
	}
	spelled := map[string]string{}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		at, folded := joinPath(path, key), strings.ToLower(key)
		field, known := of.FieldByNameFunc(func(name string) bool { return strings.ToLower(name) == folded })
		switch before, twice := spelled[folded]; {
		case !known:
			tell("there is no key " + quoteKey(at))
		case twice:
			tell(fmt.Sprintf("%s stands twice, as %s and as %s", quoteKey(folded), quoteKey(before), quoteKey(key)))
		default:
			checkKeys(at, table[key], field.Type, tell)
		}
		spelled[folded] = key
	}
}

func joinPath(table, key string) string {
	if table == "" {
		return key
	}
	return table + "." + key
}

// quoteKey returns text in quotes, without its end if it is long.
func quoteKey(text string) string {
	const most = 80
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return strconv.Quote(text)
}
