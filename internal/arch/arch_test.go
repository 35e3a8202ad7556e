// Package arch_test holds the drawing in ARCHITECTURE.md against the imports of the code.
package arch_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/git-ltm/git-ltm/"

// owners lists, for each guarded import, the only packages that may have it.
var owners = map[string][]string{
	"os/exec":                                 {"internal/program"},
	"github.com/go-git/go-git/v5":             {"internal/refs"},
	"github.com/klauspost/compress":           {"internal/refs"},
	"github.com/go-git/go-billy/v5":           {"internal/refs"},
	"github.com/blevesearch/go-porterstemmer": {"internal/words"},
	"github.com/spf13/cobra":                  {"cmd/git-ltm", "internal/bench/empty"},
	"github.com/aymanbagabas/go-osc52/v2":     {"cmd/git-ltm"},
	"golang.org/x/term":                       {"cmd/git-ltm"},
	"golang.org/x/sys":                        {"internal/local"},
	"github.com/tidwall/gjson":                {"internal/packet", "internal/agent", "internal/transcript"},
	"github.com/oklog/ulid/v2":                {"internal/packet"},
	"github.com/ProtonMail/go-crypto":         {"internal/sign"},
	"github.com/hiddeco/sshsig":               {"internal/sign"},
	"golang.org/x/crypto":                     {"internal/sign"},
	"github.com/pelletier/go-toml/v2":         {"internal/ruleset", "internal/settings"},
	"net/http":                                {"internal/web", "internal/model"},
	"github.com/modelcontextprotocol/go-sdk":  {},
	"log":                                     {},
	"github.com/santhosh-tekuri/jsonschema":   {},
	module + "internal/refs": {
		"internal/memory", "internal/ledger", "internal/replay",
		"internal/gate", "internal/purge", "internal/accept", "internal/audit", "internal/draft",
		"internal/remote", "internal/quiet", "internal/trust", "internal/check",
	},
}

func TestFloors(t *testing.T) {
	t.Parallel()
	floors := readFloors(t, filepath.Join("..", "..", "ARCHITECTURE.md"))
	seen := map[string]bool{}
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		if name == "internal/arch" || strings.HasSuffix(name, "test") {
			continue
		}
		seen[name] = true
		floor, ok := floors[name]
		if !ok {
			t.Errorf("%s stands on no floor of ARCHITECTURE.md", name)
			continue
		}
		for _, imp := range p.Imports {
			if dep, ok := strings.CutPrefix(imp, module); ok && floors[dep] >= floor {
				t.Errorf("%s (floor %d) imports %s (floor %d)", name, floor, dep, floors[dep])
			}
			for path, allowed := range owners {
				if (imp == path || strings.HasPrefix(imp, path+"/")) && !slices.Contains(allowed, name) {
					t.Errorf("%s imports %s, which only %v may", name, imp, allowed)
				}
			}
		}
	}
	for name := range floors {
		if !seen[name] {
			t.Errorf("ARCHITECTURE.md draws %s, which does not exist", name)
		}
	}
}

// TestSealers: only the gate says where a text comes from, and of the drafts of a user, which are no records,
// who keeps them. Whoever else could, could lend a stranger's words another name.
func TestSealers(t *testing.T) {
	t.Parallel()
	sealers := []string{"internal/replay", "internal/provenance", "internal/draft/own.go"}
	seals := 0
	for _, top := range []string{"internal", "cmd"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top),
			func(path string, _ fs.DirEntry, err error) error {
				if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
					return err
				}
				data, err := os.ReadFile(path)
				if err != nil || !strings.Contains(string(data), "provenance.Of(") {
					return err
				}
				name := filepath.ToSlash(
					strings.TrimPrefix(path, filepath.Join("..", "..")+string(filepath.Separator)))
				seals++
				if !slices.ContainsFunc(sealers, func(of string) bool {
					return strings.HasPrefix(name, of)
				}) {
					t.Errorf("%s calls provenance.Of, which only %v may", name, sealers)
				}
				return nil
			})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seals == 0 {
		t.Error("nobody calls provenance.Of, so that this test sees nothing")
	}
}

// TestLinks holds what no program may bring along, however it comes: each package that is linked begins
// before main, in every hook and every command. What is here was measured, and went (decision 68).
func TestLinks(t *testing.T) {
	t.Parallel()
	everywhere := []string{
		"charm.land/", "github.com/charmbracelet/", "github.com/modelcontextprotocol/",
		"github.com/google/jsonschema-go/",
		"encoding/gob", "encoding/xml", "html/template", "testing", "modernc.org/", "database/sql",
	}
	for program, more := range map[string][]string{
		"cmd/git-ltm": nil,
		"cmd/git-ltm-hook": {
			"net", "net/http", "crypto/tls", "crypto/x509", "text/template", "github.com/ProtonMail/",
			"github.com/spf13/", "golang.org/x/crypto/", module + "internal/memory",
			module + "internal/index",
		},
	} {
		out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", module+program).Output()
		if err != nil {
			t.Fatal(err)
		}
		linked := strings.Fields(string(out))
		if len(linked) < 50 {
			t.Fatalf("%s links %d packages, so that this test sees nothing", program, len(linked))
		}
		for _, path := range linked {
			for _, no := range slices.Concat(everywhere, more) {
				if path == no || strings.HasSuffix(no, "/") && strings.HasPrefix(path, no) {
					t.Errorf("%s links %s", program, path)
				}
			}
		}
	}
}

// TestFloors_drawing shows that a drawing that allows nothing would be noticed.
func TestFloors_drawing(t *testing.T) {
	t.Parallel()
	floors := readFloors(t, filepath.Join("..", "..", "ARCHITECTURE.md"))
	if floors["cmd/git-ltm"] <= floors["internal/memory"] ||
		floors["internal/memory"] <= floors["internal/refs"] {
		t.Errorf("floors = %v, want commands above memory above refs", floors)
	}
}

func readFloors(t *testing.T, file string) map[string]int {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(data), "```floors\n")
	block, _, ok2 := strings.Cut(rest, "```")
	if !ok || !ok2 {
		t.Fatalf("%s has no floors block", file)
	}
	floors := map[string]int{}
	for line := range strings.Lines(block) {
		f := strings.Fields(line)
		n, err := strconv.Atoi(f[0])
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range f[1:] {
			if !strings.Contains(name, "/") {
				name = "internal/" + name
			}
			floors[name] = n
		}
	}
	return floors
}

type listed struct {
	ImportPath string
	Imports    []string
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", module+"...")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &stderr)
	}
	var pkgs []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}
