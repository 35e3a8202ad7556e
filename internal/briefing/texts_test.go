package briefing_test

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"os"
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
