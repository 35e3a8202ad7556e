package foreign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// ourMark is the member of front matter that says the kind of a record of ours.
// All other members are those of the record, but for the one that is the body.
const ourMark = "ltm"

// bodyOf returns the member that stands below the front matter.
func bodyOf(kind packet.Kind) (member string, ok bool) {
	switch kind {
	case packet.KindNote:
		return "text", true
	case packet.KindSkip:
		return "item", true
	default:
		return "", false
	}
}

// readNote reads a note or a skip that [WriteMarkdown] wrote.
func (r *reader) readNote(front object, body string) error {
	kind := front.text(ourMark)
	member, ok := bodyOf(packet.Kind(kind))
	if !ok {
		return fmt.Errorf("the member %q must be note or skip", ourMark)
	}
	delete(front, ourMark)
	front["type"] = kind
	front[member] = strings.TrimSuffix(strings.TrimPrefix(body, "\n"), "\n")
	r.own(r.at(1), bytes.TrimSpace(marshal(front)))
	return nil
}

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
	v, err := decode(data)
	if err != nil {
		return nil, err
	}
	o := asObject(v)
	names, err := order(data)
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

// order returns the names of the members as they stand in the record.
func order(data []byte) ([]string, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	if _, err := d.Token(); err != nil {
		return nil, notJSON(err)
	}
	var names []string
	for d.More() {
		token, err := d.Token()
		if err != nil {
			return nil, notJSON(err)
		}
		name, _ := token.(string)
		names = append(names, name)
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, notJSON(err)
		}
	}
	return names, nil
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
