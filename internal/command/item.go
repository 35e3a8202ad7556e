package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// itemForm is how an item of a list is written on one line: its members with :: between them.
type itemForm struct {
	flag, takes string   // of the command line
	names       []string // of the members
	least       int      // of them
}

// itemForms are the forms of the lists of a packet that have one.
func itemForms() map[string]itemForm {
	return map[string]itemForm{
		"decisions": {"decision", "WHAT :: WHY [:: CONSEQUENCES]", []string{"what", "why", "consequences"}, 2},
		"attempts": {
			"attempt", "TRIED :: OUTCOME [:: LEARNED [:: MATCH]]",
			[]string{"tried", "outcome", "learned", "match"},
			2,
		},
		"methods": {"method", "NAME :: WHEN :: HOW", []string{"name", "when_applicable", "how"}, 3},
	}
}

// matchWays are the members of what an attempt is met by. It has one of them on a line.
var matchWays = []string{"command", "path", "adds", "words"}

// readItem reads an item, which has members whatever is wrong with it. A path is as seen from prefix.
func (f itemForm) readItem(line, prefix string) (map[string]any, error) {
	item, parts := map[string]any{}, splitParts(line)
	said := parts
	if len(parts) == 4 { // What was learned of an attempt may be left out before what meets it.
		said = slices.Delete(slices.Clone(parts), 2, 3)
	}
	if len(parts) < f.least || len(parts) > len(f.names) || slices.Contains(said, "") {
		return item, fmt.Errorf("--%s takes '%s'", f.flag, f.takes)
	}
	var wrong []error
	for i, part := range parts {
		switch name := f.names[i]; {
		case part == "":
		case name == "outcome" && len(strings.Fields(part)) == 1 && !slices.Contains(packet.Outcomes(), part):
			// Whatever is not succeeded counts as failed, which nobody who says "success" means.
			wrong = append(wrong, fmt.Errorf("--attempt: OUTCOME is %s, or says in several words how it failed",
				strings.Join(packet.Outcomes(), ", ")))
		case name == "match":
			way, text, _ := strings.Cut(part, ":")
			if text = strings.TrimSpace(text); text == "" || !slices.Contains(matchWays, way) {
				wrong = append(wrong,
					errors.New("--attempt: MATCH is 'command: TEXT', or begins with path:, adds: or words: instead"))
			}
			if way == "path" {
				text = git.Below(prefix, text)
			}
			item[name] = map[string]string{way: text}
		default:
			item[name] = part
		}
	}
	return item, errors.Join(wrong...)
}

// writeItem is an item as readItem reads it; empty where it is none.
func (f itemForm) writeItem(raw json.RawMessage) string {
	var item map[string]any
	_ = json.Unmarshal(raw, &item) // Of another shape there is nothing to show.
	parts := make([]string, len(f.names))
	for i, name := range f.names {
		parts[i], _ = item[name].(string)
		by, _ := item[name].(map[string]any)
		for _, way := range matchWays {
			if text, _ := by[way].(string); text != "" {
				parts[i] = way + ": " + text
			}
		}
	}
	for len(parts) > 1 && parts[len(parts)-1] == "" {
		parts = parts[:len(parts)-1]
	}
	return strings.Join(parts, " :: ")
}

// splitParts parts a text at each "::" that stands between blanks; one inside a
// word, as in std::vector, belongs to the text.
func splitParts(text string) []string {
	const mark = "::"
	var parts []string
	rest := text
	for at := 0; at < len(rest); {
		i := strings.Index(rest[at:], mark)
		if i < 0 {
			break
		}
		i += at
		before, after := rest[:i], rest[i+len(mark):]
		last, _ := utf8.DecodeLastRuneInString(before)
		next, _ := utf8.DecodeRuneInString(after)
		if before != "" && !unicode.IsSpace(last) || after != "" && !unicode.IsSpace(next) {
			at = i + 1
			continue
		}
		parts = append(parts, strings.TrimSpace(before))
		rest, at = after, 0
	}
	return append(parts, strings.TrimSpace(rest))
}
