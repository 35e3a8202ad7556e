package graph_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/git-ltm/git-ltm/internal/graph"
)

// hostile are texts that try to leave the place where they stand.
var hostile = map[string]string{
	"quotes":            `a"]; n9 [label="owned`,
	"backslash":         `ends with \`,
	"backslash quote":   `\" ]; evil [label=\"x`,
	"DOT escape":        `\N\G\l\r\E`,
	"HTML label":        `<b>bold</b><img src=x onerror=alert(1)>`,
	"end of script":     `</script><script>alert(1)</script>`,
	"comment":           `<!-- <script>`,
	"end of style":      `</style></title></textarea>`,
	"attribute":         `" onmouseover="alert(1)" x='`,
	"entity":            `&lt;script&gt; &#34; &quot;`,
	"mermaid click":     "x\"]\n  click n1 \"javascript:alert(1)\"",
	"mermaid directive": `%%{init: {"securityLevel": "loose"}}%%`,
	"mermaid end":       "end",
	"mermaid entity":    `#quot; #35; #60;`,
	"mermaid inside":    "\ufb02\u00b0\u00b060\u00b6\u00df",
	"mermaid style":     `style n1 fill:#f9f; x:#40;`,
	"mermaid class":     `a:::b classDef x fill:#000;`,
	"markdown list":     "1. one\n- two",
	"backticks":         "`**bold**`",
	"formula":           `$$x^2$$`,
	"lines":             "one\ntwo\r\nthree\u2028four\u2029five\u0085six",
	"colour":            "\x1b[31mred\x1b[0m\x07\x08\x7f\u009b31m",
	"direction":         "a\u202egnp.exe\u2066\u200f",
	"nothing to see":    "\u200b\u3164\u2800\ufe0f\U000e0041\U000e0100",
	"no UTF-8":          "a\xff\xc3(",
	"very long":         strings.Repeat("long ", 2000),
	"very long word":    strings.Repeat("\u6f22", 4000),
	"marks":             "a" + strings.Repeat("\u0301", 5000),
	"brackets":          `[({|<>|})] --> n2`,
	"template":          `{{.}} ${x} {% x %}`,
}

// everywhere is a graph in which a text stands in every place there is.
func everywhere(text string) graph.Graph {
	other := "01KJP00000000000000000THER"
	return graph.Graph{
		Nodes: []graph.Node{
			{
				ID: "x" + text, Kind: graph.Packet, Label: relationWords(text, text), Branch: text,
				States: []graph.State{graph.State(text)}, At: at(1),
			},
			{ID: other, Kind: graph.Note, Label: relationWords(text, text), At: at(2)},
			{ID: text + "/file", Kind: graph.File},
		},
		Edges: []graph.Edge{
			{From: other, To: "x" + text, Kind: graph.Continues},
			{From: other, To: text + "/file", Kind: graph.Cites, Lines: text},
			{From: other, To: text + "/commit", Kind: graph.AtCommit},
			{From: other, To: text + "/gone", Kind: graph.Links, Label: relationWords(text, text)},
			{From: other, To: "x" + text, Kind: graph.Supersedes, Label: relationWords(text, text)},
		},
	}
}

// benign has the shape of everywhere and nothing in it that means anything.
func benign() graph.Graph { return everywhere("word") }

func TestGraph_attack(t *testing.T) {
	t.Parallel()
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for form := range forms {
				if err := judge(form, draw(t, everywhere(text), form), draw(t, benign(), form)); err != nil {
					t.Errorf("%s with %.60q: %v", form, text, err)
				}
			}
		})
	}
}

// judge says what is wrong with a picture. Its structure, that is all but the
// texts, has to be that of a picture with harmless texts.
func judge(form, got, harmless string) error {
	for _, r := range got {
		if r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co, unicode.Zl, unicode.Zp) {
			return fmt.Errorf("it holds the character %U", r)
		}
	}
	if len(got) > 200_000 {
		return fmt.Errorf("it is %d bytes long", len(got))
	}
	bones := map[string]func(string) (string, error){
		"txt": textBones, "dot": dotBones,
		"mmd": mermaidBones,
	}[form]
	have, err := bones(got)
	if err != nil {
		return err
	}
	want, err := bones(harmless)
	if err != nil {
		return fmt.Errorf("harmless: %w", err)
	}
	if diff := cmp.Diff(want, have); diff != "" {
		return fmt.Errorf("its structure is not that of a harmless one (-want +got):\n%s", diff)
	}
	return nil
}

var begins = regexp.MustCompile(`^(?:\* |      )?`)

// textBones keeps how each line begins.
func textBones(s string) (string, error) {
	var bones []string
	for line := range strings.Lines(s) {
		if len(line) > 1000 {
			return "", fmt.Errorf("a line of %d bytes", len(line))
		}
		bones = append(bones, begins.FindString(strings.TrimSuffix(line, "\n")))
	}
	return strings.Join(bones, "\n"), nil
}

// dotBones takes out what stands in quotes, as Graphviz reads it: a backslash
// takes the character after it along.
func dotBones(s string) (string, error) {
	var bones strings.Builder
	for i := 0; i < len(s); i++ {
		if bones.WriteByte(s[i]); s[i] != '"' {
			continue
		}
		for i++; i < len(s) && s[i] != '"'; i++ {
			if s[i] == '\\' {
				i++
			}
			if i < len(s) && s[i] == '\n' {
				return "", errors.New("a string goes over the end of a line")
			}
		}
		if i >= len(s) {
			return "", errors.New("a string does not end")
		}
		bones.WriteByte('"')
	}
	return bones.String(), nil
}

var (
	mermaidLabel = regexp.MustCompile(`"(?:[\p{L}\p{M}\p{Nd} ]|#[0-9]+;|<br/>)*"`)
	entity       = regexp.MustCompile(`#[0-9]+;`)
)

// mermaidBones takes out labels, which are letters, digits, blanks and numbers
// of characters.
func mermaidBones(s string) (string, error) {
	if strings.Contains(s, "%%") || strings.Contains(s, "javascript:") {
		return "", errors.New("a directive or a link")
	}
	bones := mermaidLabel.ReplaceAllString(s, `""`)
	if entity.MatchString(bones) {
		return "", fmt.Errorf("an entity outside of a label: %s", bones)
	}
	return bones, nil
}

// meant are the words that have a meaning as a kind, a relation or a state.
var meant = []string{
	"packet", "note", "skip", "file", "commit", "missing",
	"continues", "supersedes", "consolidates", "links", "cites", "at-commit",
	"retracted", "superseded", "consolidated", "archived", "expired",
}

func FuzzGraph(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Add("\U0008f0410") // What Unicode has not given to anybody does nothing.
	f.Fuzz(func(t *testing.T, text string) {
		if strings.TrimSpace(text) == "" || slices.Contains(meant, text) {
			// Without words there are no quotes around them; and some words are drawn in their own way.
			return
		}
		for form := range forms {
			if err := judge(form, draw(t, everywhere(text), form), draw(t, benign(), form)); err != nil {
				t.Errorf("%s: %v", form, err)
			}
		}
	})
}
