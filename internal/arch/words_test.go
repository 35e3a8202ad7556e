package arch_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// privateWords are words that only we understand at first sight. Texts for users do without.
var privateWords = regexp.MustCompile(`(?i)\b(?:unasked|vouch\w*|standings?|told|hand(?:s|ed|ing)? on|` +
	`that counts?|is none|shel(?:f|ves)|parcels?|sieves?)\b|\w\(e?s\)`)

// code is what a page or a manual page shows as typed, where a word may be a name of something.
var code = regexp.MustCompile("(?s)\n```.*?\n```|`[^`\n]*`")

// A literal that is an identifier names something, such as a member of an answer, and so does an attribute.
var (
	identifier = regexp.MustCompile(`^[a-z0-9_/.-]*$`)
	attribute  = regexp.MustCompile(`[a-z]+=%`)
)

// TestWords_code holds that no text of the program that a user may read has a private word. A text is a
// literal of more than one word in lower case.
func TestWords_code(t *testing.T) {
	t.Parallel()

	for path, data := range textFiles(t, "cmd", "internal") {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			continue
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec:
				return false
			case *ast.Field:
				n.Tag = nil
			case *ast.BasicLit:
				if n.Kind != token.STRING {
					break
				}
				text, err := strconv.Unquote(n.Value)
				if err != nil {
					t.Fatal(err)
				}
				word := privateWords.FindString(attribute.ReplaceAllString(text, ""))
				if word != "" && !identifier.MatchString(text) {
					t.Errorf("%s: a user may read %q in %q", files.Position(n.Pos()), word, text)
				}
			}
			return true
		})
	}
}

// TestWords_pages holds the same of the pages, and of what is installed for agents. SPEC.md, ARCHITECTURE.md
// and the decisions are for those who change the program, and the figures and the manual are made from it.
func TestWords_pages(t *testing.T) {
	t.Parallel()
	made := []string{"docs/costs.md", "docs/benchmarks.md", "docs/decisions/"}
	pages := textFiles(t, "docs", "internal/setup/files", "README.md", "SECURITY.md", "CONTRIBUTING.md",
		"CHANGELOG.md")
	for path, data := range pages {
		if hasPrefix(path, made) || strings.HasSuffix(path, ".js") || strings.HasSuffix(path, ".png") {
			continue
		}
		page := code.ReplaceAllStringFunc("\n"+data, func(shown string) string {
			return strings.Repeat("\n", strings.Count(shown, "\n"))
		})
		for i, line := range strings.Split(page, "\n")[1:] {
			if word := privateWords.FindString(line); word != "" {
				t.Errorf("%s:%d: a user may read %q in %q", path, i+1, word, line)
			}
		}
	}
}

// TestReadme_length holds that the first page takes few minutes to read.
func TestReadme_length(t *testing.T) {
	t.Parallel()
	for _, data := range textFiles(t, "README.md") {
		if words := len(strings.Fields(data)); words > 900 {
			t.Errorf("README.md has %d words, want at most 900: what is for reference belongs in docs", words)
		}
	}
}

func hasPrefix(path string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

// textFiles returns what lies below the given places of the repository, by path, without the data of tests.
func textFiles(t *testing.T, places ...string) map[string]string {
	t.Helper()
	top, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, place := range places {
		err := filepath.WalkDir(filepath.Join(top, place), func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testdata" || strings.HasSuffix(d.Name(), "test")):
				return filepath.SkipDir
			case d.IsDir():
				return nil
			}
			data, err := os.ReadFile(path)
			name, _ := filepath.Rel(top, path)
			found[filepath.ToSlash(name)] = string(data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}
