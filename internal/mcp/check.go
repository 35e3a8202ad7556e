package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// checker collects what is wrong with values, in the words of package packet.
type checker struct{ problems []packet.Problem }

func (c *checker) refuse(at, format string, args ...any) {
	c.problems = append(c.problems, packet.Problem{Path: at, Text: fmt.Sprintf(format, args...)})
}

// add adds what package packet finds wrong with a draft, where nothing is said of that place yet.
func (c *checker) add(kind packet.Kind, draft arguments) {
	if kind != packet.KindPacket {
		draft["type"] = json.RawMessage(strconv.Quote(string(kind)))
	}
	data, err := json.Marshal(draft)
	if err != nil {
		return
	}
	var invalid *packet.InvalidError
	if _, err = packet.Parse(data, packet.Draft); !errors.As(err, &invalid) {
		return
	}
	for _, p := range invalid.Problems {
		known := func(q packet.Problem) bool { return p.Path == q.Path || strings.HasPrefix(p.Path, q.Path+"/") }
		if !slices.ContainsFunc(c.problems, known) {
			c.problems = append(c.problems, p)
		}
	}
}

// value checks one value.
func (c *checker) value(at string, v any, s *schema) {
	switch v := v.(type) {
	case map[string]any:
		if s.is == isObject {
			c.object(at, v, s)
			return
		}
	case []any:
		if s.is == isArray {
			c.array(at, v, s)
			return
		}
	case string:
		if s.is == isString {
			c.text(at, v, s)
			return
		}
	case bool:
		if s.is == isBoolean {
			return
		}
	case json.Number:
		if s.is == isInteger {
			n, err := strconv.Atoi(v.String())
			if err != nil || n < s.least || s.most > 0 && n > s.most {
				c.refuse(at, "must be a whole number from %d to %d", s.least, s.most)
			}
			return
		}
	}
	c.refuse(at, "must be %s", wanted(s.is))
}

func wanted(t valueType) string {
	switch t {
	case isArray, isObject:
		return "an " + string(t)
	case isInteger:
		return "a whole number"
	case isBoolean:
		return "true or false"
	default:
		return "a " + string(t)
	}
}

func (c *checker) object(at string, v map[string]any, s *schema) {
	names := make([]string, 0, len(v))
	for name := range v {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, f := range s.fields {
		if value, ok := v[f.name]; ok {
			c.value(at+"/"+f.name, value, &f.schema)
		} else if f.needed {
			c.refuse(at+"/"+f.name, "is missing")
		}
	}
	for _, name := range names {
		if s.find(name) == nil {
			c.refuse(at+"/"+pointer(name), "is not known here")
		}
	}
}

// pointer is a name that somebody made up, as a part of a JSON pointer that is safe to show.
func pointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(clean.Truncate(clean.Line(name), 64))
}

func (c *checker) array(at string, v []any, s *schema) {
	switch n := len(v); {
	case s.most > 0 && n > s.most:
		c.refuse(at, "must have at most %d items, not %d", s.most, n)
		return
	case n < s.least:
		c.refuse(at, "must have at least %d items, not %d", s.least, n)
	}
	for i, item := range v {
		c.value(at+"/"+strconv.Itoa(i), item, s.items)
	}
}

func (c *checker) text(at, v string, s *schema) {
	if s.words != nil {
		if !slices.Contains(s.words, v) {
			c.refuse(at, "must be one of %s", strings.Join(s.words, ", "))
		}
		return
	}
	switch n := utf8.RuneCountInString(v); {
	case s.most > 0 && n > s.most:
		c.refuse(at, "must be at most %d characters long, not %d", s.most, n)
	case n == 0 && s.least > 0:
		c.refuse(at, "must not be empty")
	case n < s.least:
		c.refuse(at, "must be at least %d characters long, not %d", s.least, n)
	}
}
