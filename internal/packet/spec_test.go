package packet

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestFields_spec holds that the tables of SPEC.md have the members of ours in their order, with the same
// bounds, words and versions. A row that says where else it is told is compared by its name alone.
func TestFields_spec(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join("..", "..", "SPEC.md"))
	if err != nil {
		t.Fatal(err)
	}
	tables := regexp.MustCompile(`(?m)(?:^\|.*\n)+`).FindAllString(string(data), -1)
	if len(tables) != 5 {
		t.Fatalf("SPEC.md has %d tables, want that of refs and four of members", len(tables))
	}
	for i, s := range []*shape{&packetShape, &eventShape, &noteShape, &skipShape} {
		var got, want []string
		for _, row := range strings.Split(strings.TrimSpace(tables[i+1]), "\n")[2:] {
			cells := strings.Split(row, "|")
			for _, name := range strings.Split(strings.TrimSpace(cells[1]), ", ") {
				got = append(got, name)
				f := s.findField(strings.Trim(name, " `*"))
				if f == nil {
					t.Errorf("SPEC.md has %s, which no field is", name)
					continue
				}
				value := cells[2]
				if regexp.MustCompile(` (?:as in|as of) a `).MatchString(value) {
					continue
				}
				if shown, own := facts(value), facts(describe(*f)); shown != own {
					t.Errorf("SPEC.md says %q of %s, want %q", shown, name, own)
				}
				if len(cells) == 5 && strings.TrimSpace(cells[3]) != max(f.since, "0.1") {
					t.Errorf("SPEC.md says that %s is of %s", name, cells[3])
				}
			}
		}
		for _, f := range s.fields {
			want = append(want, star(f))
		}
		if strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("SPEC.md has the members %v, want %v", got, want)
		}
	}
}

func star(f field) string {
	if f.needed {
		return "`" + f.name + "`*"
	}
	return "`" + f.name + "`"
}

// describe says of a field what a row of the specification says. There members of an object share the bound
// behind the last of them, and an object within an object has a row elsewhere.
func describe(f field) string {
	var b strings.Builder
	if f.fewest > 0 {
		fmt.Fprintf(&b, "%d to ", f.fewest)
	}
	if f.items > 0 {
		fmt.Fprintf(&b, "%d of ", f.items)
	}
	for _, word := range f.words {
		fmt.Fprintf(&b, "`%s` ", word)
	}
	if f.object != nil {
		for i, member := range f.object.fields {
			fmt.Fprintf(&b, "%s ", star(member))
			next := f.object.fields[min(i+1, len(f.object.fields)-1)]
			if member.object == nil && (next.name == member.name || describe(next) != describe(member)) {
				b.WriteString(describe(member) + " ")
			}
		}
		return b.String()
	}
	if f.least > 0 && f.form != formPath || f.form == formCount && f.limit > 0 {
		fmt.Fprintf(&b, "%d ", f.least)
	}
	if bound := max(f.most, f.limit); bound > 0 {
		fmt.Fprintf(&b, "%d", bound)
	}
	return b.String()
}

// facts are the names, words and numbers of a text, without versions in brackets.
func facts(text string) string {
	text = regexp.MustCompile(`\(0\.[0-9]\)|[",]`).ReplaceAllString(text, "")
	return strings.Join(regexp.MustCompile("`[^`]+`\\*?|\\b[0-9]+\\b").FindAllString(text, -1), " ")
}
