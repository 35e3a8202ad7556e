package briefing_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// TestTexts holds that docs/agents.md lists every text of texts.go, with its characters and when it is said.
// With LTM_TEXTS=write it writes the list.
func TestTexts(t *testing.T) {
	t.Parallel()
	const page, head, end = "../../docs/agents.md", "| text | characters | what it is |\n|---|---|---|\n", "\n\n"
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "texts.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("briefing", files, []*ast.File{file}, nil)
	if err != nil {
		t.Fatalf("texts.go needs what stands elsewhere: %v", err)
	}
	var want strings.Builder
	for _, decl := range file.Decls {
		consts, ok := decl.(*ast.GenDecl)
		if !ok || consts.Tok != token.CONST {
			t.Fatalf("%s: texts.go holds constants alone", files.Position(decl.Pos()))
		}
		for _, spec := range consts.Specs {
			value := spec.(*ast.ValueSpec)
			name, doc := value.Names[0].Name, value.Doc.Text()
			if doc == "" {
				doc = consts.Doc.Text()
			}
			text := constant.StringVal(pkg.Scope().Lookup(name).(*types.Const).Val())
			when, isSentence := strings.CutPrefix(strings.Join(strings.Fields(doc), " "), name+" ")
			if !isSentence {
				t.Errorf("%s has no comment that begins with its name", name)
			}
			fmt.Fprintf(&want, "| `%s` | %d | %s |\n", name, utf8.RuneCountInString(text), when)
		}
	}
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), head)
	got, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no table of texts", page)
	}
	if diff := cmp.Diff(got+"\n", want.String()); diff != "" {
		if os.Getenv("LTM_TEXTS") != "write" {
			t.Fatalf("%s (-has +texts.go); LTM_TEXTS=write go test ./internal/briefing -run TestTexts "+
				"writes it\n%s", page, diff)
		}
		if err := os.WriteFile(page, []byte(before+head+want.String()[:want.Len()-1]+end+after),
			0o644); err != nil { //nolint:gosec // A page is read by all.
			t.Fatal(err)
		}
	}
}

// TestTexts_nowhereElse holds that the packages which speak to a model without being asked have no other
// sentence: no text of four plain words stands in their code, but for errors, which no model reads, and for
// the files named here.
func TestTexts_nowhereElse(t *testing.T) {
	t.Parallel()
	others := map[string]string{
		"briefing/texts.go":   "the sentences",
		"briefing/person.go":  "what a person reads at a terminal",
		"session/newdraft.go": "what a host shows the person",
		"session/finish.go":   "why a thread was closed, which an event says",
		"session/prompt.go":   "words with which people ask",
		"agent/failure.go":    "how hosts say that a command failed",
	}
	for _, pattern := range []string{
		"../briefing/*.go", "../session/*.go", "../agent/*.go", "../provenance/*.go", "../../cmd/git-ltm/agent.go",
	} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range paths {
			if others[strings.TrimPrefix(filepath.ToSlash(path), "../")] != "" || strings.HasSuffix(path, "_test.go") {
				continue
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					called, _ := n.Fun.(*ast.SelectorExpr)
					return called == nil || !slices.Contains([]string{"Errorf", "warnf", "New"}, called.Sel.Name)
				case *ast.FuncDecl:
					return n.Name.Name != "Error"
				case *ast.BasicLit:
					text, _ := strconv.Unquote(n.Value)
					if n.Kind == token.STRING && isSentence(text) {
						t.Errorf("%s: %q belongs into texts.go", files.Position(n.Pos()), text)
					}
				}
				return true
			})
		}
	}
}

// isSentence tells whether a text has four plain words.
func isSentence(text string) bool {
	words := 0
	for _, word := range strings.Fields(text) {
		if plainWord.MatchString(word) {
			words++
		}
	}
	return words >= 4
}

var plainWord = regexp.MustCompile(`^[A-Za-z][a-z']*[,.;:]?$`)
