package web

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTemplates_places holds what the escapes of the templates rest on: a value stands in text, or in an
// attribute between double quotes.
func TestTemplates_places(t *testing.T) {
	t.Parallel()
	names, err := filepath.Glob(filepath.Join("files", "*.html"))
	if err != nil || len(names) == 0 {
		t.Fatalf("there are %d templates: %v", len(names), err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		tag, quoted, values := false, false, 0
		for rest := string(text); rest != ""; {
			if action, ok := strings.CutPrefix(rest, "{{"); ok {
				action, rest, _ = strings.Cut(action, "}}")
				word, _, _ := strings.Cut(strings.Trim(action, "- "), " ")
				switch word {
				case "if", "else", "end", "range", "with", "define", "template":
					continue
				}
				values++
				if tag && !quoted {
					t.Errorf("%s: {{%s}} stands in a tag, and in no attribute between quotes", name, action)
				}
				continue
			}
			switch c := rest[0]; {
			case c == '<' && !quoted:
				tag = true
			case c == '>' && !quoted:
				tag = false
			case c == '"' && tag:
				quoted = !quoted
			case c == '\'' && tag && !quoted:
				t.Errorf("%s: an attribute stands between single quotes: %.40s", name, rest)
			}
			if strings.HasPrefix(rest, "<script>") &&
				!strings.HasPrefix(rest, "<script>{{.Script}}</script>") ||
				strings.HasPrefix(rest, " on") && tag && !quoted {
				t.Errorf("%s: a script holds another value: %.40s", name, rest)
			}
			rest = rest[1:]
		}
		if tag || quoted || values == 0 {
			t.Errorf("%s: a tag does not end, or no value was seen", name)
		}
	}
}

// TestTemplates_write holds that a value cannot leave its place, and that a field which is not there is an
// error.
func TestTemplates_write(t *testing.T) {
	t.Parallel()
	all, err := parseTemplates(os.DirFS("files"), "*.html")
	if err != nil {
		t.Fatal(err)
	}
	f := frame{Title: `</title><script>"`, Name: "n", Question: `" onfocus='x'`, Body: message{Text: "<b>&'"}}
	page, err := all.write("message", f)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"<title>&lt;/title&gt;&lt;script&gt;&#34; · n</title>", `value="&#34; onfocus=&#39;x&#39;"`,
		`<p class="empty">&lt;b&gt;&amp;&#39;</p>`,
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page does not hold %s:\n%s", want, page)
		}
	}
	if _, err := all.write("message", 7); err == nil {
		t.Error("a template writes a field that is not there")
	}
	if _, err := all.write("nothing", f); err == nil {
		t.Error("a template that is not there is written")
	}
}
