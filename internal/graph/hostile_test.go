package graph_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"html"
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
			{ID: "x" + text, Kind: graph.Packet, Label: said(text, text), Branch: text, States: []graph.State{graph.State(text)}, At: at(1)},
			{ID: other, Kind: graph.Kind(text), Short: text, Label: said(text, text), At: at(2)},
			{ID: text + "/file", Kind: graph.File},
		},
		Edges: []graph.Edge{
			{From: other, To: "x" + text, Kind: graph.Continues},
			{From: other, To: text + "/file", Kind: graph.Cites, Lines: text},
			{From: other, To: text + "/commit", Kind: graph.AtCommit},
			{From: other, To: text + "/gone", Kind: graph.Relation(text), Label: said(text, text)},
			{From: other, To: "x" + text, Label: said(text, text)},
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
		if r != '\n' && (unicode.Is(unicode.C, r) || unicode.In(r, unicode.Zl, unicode.Zp)) {
			return fmt.Errorf("it holds the character %U", r)
		}
	}
	if len(got) > 200_000 {
		return fmt.Errorf("it is %d bytes long", len(got))
	}
	bones := map[string]func(string) (string, error){"txt": textBones, "dot": dotBones, "mmd": mermaidBones, "html": htmlBones}[form]
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

var rail = regexp.MustCompile(`^(?:\| )*(?:\* |\|/$|~$|      |    )?`)

// textBones keeps how each line begins.
func textBones(s string) (string, error) {
	var bones []string
	for line := range strings.Lines(s) {
		if len(line) > 1000 {
			return "", fmt.Errorf("a line of %d bytes", len(line))
		}
		bones = append(bones, rail.FindString(strings.TrimSuffix(line, "\n")))
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

var (
	tag       = regexp.MustCompile(`<[^>]*>`)
	attribute = regexp.MustCompile(`"[^"]*"`)
	data      = regexp.MustCompile(`(?s)<script id="data" type="application/json">(.*?)</script>`)
	text      = regexp.MustCompile(`>[^<]*`)
)

// htmlBones keeps the tags without what stands in their attributes.
func htmlBones(s string) (string, error) {
	_, body, _ := strings.Cut(s, "</style>")
	body, _, _ = strings.Cut(body, "<script id=")
	if strings.Count(s, "<script") != 2 || strings.Count(s, "</script") != 2 || strings.Count(s, "<style") != 1 {
		return "", errors.New("not one style and two scripts")
	}
	found := data.FindStringSubmatch(s)
	if found == nil || !json.Valid([]byte(found[1])) || strings.ContainsAny(found[1], "<>&\u2028\u2029") {
		return "", errors.New("the data are no JSON that is safe in a page")
	}
	for _, piece := range text.FindAllString(body, -1) {
		if strings.ContainsAny(piece[1:], "\"'`>") {
			return "", fmt.Errorf("the text %q is not escaped", piece)
		}
	}
	return strings.Join(tag.FindAllString(attribute.ReplaceAllString(body, `""`), -1), "\n"), nil
}

// The data of the page say what its list says.
func TestGraph_HTML_data(t *testing.T) {
	t.Parallel()
	for name, label := range hostile {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := draw(t, everywhere(label), "html")
			var page struct {
				Nodes []struct{ Label, Author, Branch string }
			}
			if err := json.Unmarshal([]byte(data.FindStringSubmatch(got)[1]), &page); err != nil {
				t.Fatal(err)
			}
			var listed []string
			for _, p := range regexp.MustCompile(`<p class="label">([^<]*)</p>`).FindAllStringSubmatch(got, -1) {
				listed = append(listed, html.UnescapeString(p[1]))
			}
			if len(listed) != len(page.Nodes) {
				t.Fatalf("%d labels in the list and %d in the data", len(listed), len(page.Nodes))
			}
			for _, n := range page.Nodes {
				if !slices.Contains(listed, n.Label) {
					t.Errorf("the label %q of the data is not in the list %q", n.Label, listed)
				}
			}
		})
	}
}

// A label without anything to hide reaches the page as it is.
func TestGraph_HTML_saysWhatIsSaid(t *testing.T) {
	t.Parallel()
	label := `a < b && "c" </script> \u0041 ` + "\u6f22 \u00e9"
	got := draw(t, graph.Graph{Nodes: []graph.Node{{ID: "1", Label: said(label, "")}}}, "html")
	var page struct{ Nodes []struct{ Label string } }
	if err := json.Unmarshal([]byte(data.FindStringSubmatch(got)[1]), &page); err != nil {
		t.Fatal(err)
	}
	if page.Nodes[0].Label != label {
		t.Errorf("label = %q, want %q", page.Nodes[0].Label, label)
	}
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
	f.Fuzz(func(t *testing.T, text string) {
		if strings.TrimSpace(text) == "" || slices.Contains(meant, text) {
			return // Without words there are no quotes around them; and some words are drawn in their own way.
		}
		for form := range forms {
			if err := judge(form, draw(t, everywhere(text), form), draw(t, benign(), form)); err != nil {
				t.Errorf("%s: %v", form, err)
			}
		}
	})
}
