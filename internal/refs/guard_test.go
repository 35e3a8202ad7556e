package refs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// goGit is the path of the module that only this package may use, and only for objects.
const goGit = "github.com/go-git/go-git/v5"

// goGitAllowed are the packages of it that read and write objects.
var goGitAllowed = []string{
	goGit + "/plumbing", goGit + "/plumbing/cache", goGit + "/plumbing/format/idxfile",
	goGit + "/plumbing/format/objfile", goGit + "/plumbing/format/packfile",
}

// goGitForbidden are the names that change refs, open repositories or talk with remotes.
var goGitForbidden = []string{
	"SetReference", "RemoveReference", "CheckAndSetReference", "IterReferences", "PlainOpen",
	"PlainOpenWithOptions",
	"PlainClone", "PlainInit", "FetchContext", "PushContext", "CloneContext",
}

// goGitOnly are names that are fine elsewhere, but not on a package of go-git.
var goGitOnly = []string{"PackRefs", "Fetch", "Push", "Clone", "Open", "Init"}

// go-git does not take git's locks, so a ref that it changes can take the user's branches with it. It is used
// for objects, here, and nowhere else. SPEC.
func TestGoGit_readsObjectsOnly(t *testing.T) {
	t.Parallel()
	top := filepath.Join("..", "..")
	checked := 0
	err := filepath.WalkDir(top, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != top &&
			(strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		checked++
		relative, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		checkFile(t, path, filepath.ToSlash(relative))
		return nil
	})
	if err != nil || checked < 10 {
		t.Fatalf("checked %d files: %v", checked, err)
	}
}

// checkFile looks at the imports and at every selector of a file.
func checkFile(t *testing.T, path, relative string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Errorf("%s: %v", relative, err)
		return
	}
	imported := checkImports(t, file, relative)
	ast.Inspect(file, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok {
			return true
		}
		if slices.Contains(goGitForbidden, selector.Sel.Name) {
			t.Errorf("%s mentions %s", relative, selector.Sel.Name)
		}
		base, ok := selector.X.(*ast.Ident)
		if ok && slices.Contains(imported, base.Name) && slices.Contains(goGitOnly, selector.Sel.Name) {
			t.Errorf("%s mentions %s of go-git", relative, selector.Sel.Name)
		}
		return true
	})
}

// checkImports refuses go-git outside this package and all but its object packages inside, and returns the
// names under which a file knows it.
func checkImports(t *testing.T, file *ast.File, relative string) []string {
	t.Helper()
	var names []string
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !strings.HasPrefix(path, "github.com/go-git/") {
			continue
		}
		if !strings.HasPrefix(relative, "internal/refs/") || !slices.Contains(goGitAllowed, path) {
			t.Errorf("%s imports %s", relative, path)
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names = append(names, name)
	}
	return names
}
