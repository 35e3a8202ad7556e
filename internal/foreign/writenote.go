package foreign

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// writeNote returns the file of a note or a skip, which reads back as the same
// bytes.
func writeNote(data []byte) ([]byte, error) {
	record, err := packet.Parse(data, packet.Draft)
	if err != nil {
		return nil, err
	}
	kind := record.Kind()
	member, ok := bodyOf(kind)
	if !ok {
		return nil, fmt.Errorf("a record of the kind %s has no form in Markdown", kind)
	}
	v, err := decodeJSON(data)
	if err != nil {
		return nil, err
	}
	o := asObject(v)
	names, _, err := splitMembers(data)
	if err != nil {
		return nil, err
	}
	out := bytes.NewBufferString(fence + "\n" + ourMark + ": " + string(kind) + "\n")
	for _, name := range names {
		if name != member && name != "type" {
			fmt.Fprintf(out, "%s: %s\n", frontName(name), frontText(o[name]))
		}
	}
	body, _ := o[member].(string)
	fmt.Fprintf(out, "%s\n\n%s\n", fence, body)
	return out.Bytes(), nil
}

// frontName returns a name as YAML writes it.
func frontName(name string) string {
	if name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") == "" {
		return name
	}
	return strconv.QuoteToGraphic(name)
}

// frontText returns a value as YAML writes it on one line. The escapes of Go are
// among those of YAML.
func frontText(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.QuoteToGraphic(v)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = frontText(v[i])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case object:
		var parts []string
		for name := range v {
			parts = append(parts, frontName(name)+": "+frontText(v[name]))
		}
		slices.Sort(parts)
		return "{" + strings.Join(parts, ", ") + "}"
	case nil:
		return "null"
	default:
		return fmt.Sprint(v)
	}
}
