package foreign

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// The bounds of front matter.
const (
	fence         = "---"
	maxFront      = 16 << 10 // bytes
	maxFrontNodes = 2000
)

var (
	errNoFront = errors.New("it has no front matter between two lines of ---")
	errFront   = errors.New("the front matter is not YAML that can be read")
	errTricks  = errors.New("the front matter has anchors, aliases or types of its own")
	errMapping = errors.New("the front matter is no mapping of names to values")
	errNodes   = fmt.Errorf("the front matter has more than %d values", maxFrontNodes)
)

// cutFront parts a file into its front matter and its body.
func cutFront(text string) (front object, body string, err error) {
	rest, ok := strings.CutPrefix(text, fence+"\n")
	if !ok {
		return nil, "", errNoFront
	}
	head, body, ok := strings.Cut("\n"+rest, "\n"+fence+"\n")
	if !ok {
		if head, ok = strings.CutSuffix("\n"+rest, "\n"+fence); !ok {
			return nil, "", errNoFront
		}
		body = ""
	}
	front, err = parseFront(head)
	return front, body, err
}

// parseFront reads front matter. It asks the library for the tree alone, in
// which aliases are not followed, and takes none: a few lines of them can stand
// for more than a memory can hold. Every scalar is the string that was written.
func parseFront(head string) (object, error) {
	if len(head) > maxFront {
		return nil, fmt.Errorf("the front matter is %d bytes, at most %d are read", len(head), maxFront)
	}
	var root yaml.Node
	// The error of the library may quote the text.
	if yaml.Unmarshal([]byte(head), &root) != nil {
		return parseLines(head)
	}
	if root.Kind == 0 {
		return object{}, nil
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return nil, errMapping
	}
	nodes := 0
	v, err := frontValue(root.Content[0], 0, &nodes)
	if err != nil {
		return nil, err
	}
	o, ok := v.(object)
	if !ok {
		return nil, errMapping
	}
	return o, nil
}

// parseLines reads front matter that is no YAML, because a text in it has a colon and no quotation marks: a name
// and a text a line, and below a name without a text what is indented.
func parseLines(head string) (object, error) {
	all := object{}
	into := all
	for line := range strings.Lines(head) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch {
		case strings.TrimSpace(line) == "":
			continue
		case !ok || name == "" || strings.ContainsAny(name, " \t\"'#&*!{[-") || strings.Contains(line, "\t") ||
			value != "" && strings.ContainsAny(value[:1], "[{&*!|>%@\"'"):
			return nil, errFront
		case !isIndented(line):
			into = all
		}
		if into.hasMember(name) {
			return nil, errTwice
		}
		into[name] = value
		if value == "" && !isIndented(line) {
			into = object{}
			all[name] = into
		}
	}
	return all, nil
}

func frontValue(n *yaml.Node, depth int, nodes *int) (any, error) {
	*nodes++
	switch {
	case depth > maxDepth:
		return nil, errDepth
	case *nodes > maxFrontNodes:
		return nil, errNodes
	case n.Kind == yaml.AliasNode || n.Anchor != "" || n.Style&yaml.TaggedStyle != 0:
		return nil, errTricks
	}
	switch n.Kind {
	case yaml.MappingNode:
		o := object{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i]
			if name.Kind != yaml.ScalarNode || name.Tag == "!!merge" || name.Anchor != "" ||
				name.Style&yaml.TaggedStyle != 0 {
				return nil, errTricks
			}
			if o.hasMember(name.Value) {
				return nil, errTwice
			}
			v, err := frontValue(n.Content[i+1], depth+1, nodes)
			if err != nil {
				return nil, err
			}
			if text, ok := v.(string); ok && n.Content[i+1].LineComment != "" &&
				slices.Contains([]string{"name", "title", "description"}, name.Value) {
				v = text + " " + n.Content[i+1].LineComment // It is no comment, but a text with a number sign.
			}
			o[name.Value] = v
		}
		return o, nil
	case yaml.SequenceNode:
		list := []any{}
		for _, item := range n.Content {
			v, err := frontValue(item, depth+1, nodes)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		return list, nil
	case yaml.ScalarNode:
		return frontScalar(n), nil
	default:
		return nil, errFront
	}
}

// frontScalar returns a number or a boolean only where it is written as JSON
// writes it, and without quotation marks; else the string.
func frontScalar(n *yaml.Node) any {
	if n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		return n.Value
	}
	switch n.Tag {
	case "!!null":
		return nil
	case "!!int", "!!float", "!!bool":
		if v, err := decodeJSON([]byte(n.Value)); err == nil {
			return v
		}
	}
	return n.Value
}
