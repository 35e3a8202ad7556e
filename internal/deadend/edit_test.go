package deadend_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/git-ltm/git-ltm/internal/deadend"
)

// An edit is met by what it writes and takes out; what stood there, what files are called and what comments
// tell is no deed alone.
func TestCheck_edits(t *testing.T) {
	t.Parallel()
	rules := []deadend.Rule{
		{Words: "raising the connection pool to 100", Derived: true, Confidence: "high"},
		{Words: "replacing the mutex of SessionCache with sync.Map", Derived: true, Confidence: "high"},
		{Words: "global logger singleton"},
		{Command: "npm install --force"},
		{
			Words: "switching the allocator to jemalloc with tikv-jemallocator", Derived: true,
			Adds: "tikv-jemallocator", Confidence: "high",
		},
		{Words: "removing the retry in the uploader", Derived: true, Confidence: "high"},
	}
	tests := map[string]struct {
		path, removed, added string
		want                 []string
	}{
		"a number goes up": {
			"db/pool.go", "\tmaxConns: 25,", "\tmaxConns: 100,",
			[]string{"0 [Conns 100 pool], medium"},
		},
		"another number":            {"db/pool.go", "\tmaxConns: 25,", "\tmaxConns: 50,", nil},
		"the line is there already": {"db/pool.go", "maxConns: 100", "maxConns: 100\nidle: 2", nil},
		"one takes another's place": {
			"cache.go", "type SessionCache struct {\n\tmu sync.Mutex",
			"type SessionCache struct {\n\tm sync.Map",
			[]string{"1 [SessionCache sync.Map], medium"},
		},
		"the other way round": {
			"cache.go", "type SessionCache struct {\n\tm sync.Map",
			"type SessionCache struct {\n\tmu sync.Mutex", nil,
		},
		"a comment tells": {
			"cache.go", "",
			"// The mutex of SessionCache was no worse than a sync.Map.", nil,
		},
		"a comment and code": {
			"log.go", "", "// A global singleton.\nvar logger = new()",
			[]string{"2 [global singleton logger], medium"},
		},
		"a text for people": {"README.md", "", "Use a global logger singleton", nil},
		"a command in a file": {
			"ci.yml", "", "- run: npm install --force",
			[]string{"3 [npm install --force], medium"},
		},
		"a package in a manifest": {
			"Cargo.toml", "", "tikv-jemallocator = \"0.6\"",
			[]string{"4 [tikv jemallocator], medium"},
		},
		"a package that stays": {
			"Cargo.toml", "tikv-jemallocator = \"0.6\"",
			"tikv-jemallocator = \"0.6\"\nserde = \"1\"", nil,
		},
		"a package that goes": {"Cargo.toml", "tikv-jemallocator = \"0.6\"", "", nil},
		"what goes": {
			"uploader.go", "\tretry(3, send)", "\tsend()",
			[]string{"5 [retry uploader], medium"},
		},
		"what comes instead of going": {"uploader.go", "\tsend()", "\tretry(3, send)", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, m := range deadend.New(rules).Check(
				deadend.Action{Paths: []string{tt.path}, Added: tt.added, Removed: tt.removed}) {
				got = append(got, fmt.Sprintf("%d %v, %s", m.Rule, m.On, m.Sure))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// What a command exports, where it goes, and what it installs, count.
func TestCheck_commands(t *testing.T) {
	t.Parallel()
	rules := []deadend.Rule{
		{Command: "NODE_OPTIONS=--openssl-legacy-provider npm run build"},
		{Command: "pytest -n auto ml/tests"},
		{Words: "compressing the binary with upx --best", Derived: true, Confidence: "high"},
		{
			Words: "switching the allocator to jemalloc with tikv-jemallocator", Derived: true,
			Command: "cargo add tikv-jemallocator", Confidence: "high",
		},
		{Path: "notebooks/**"},
		{Command: "git push --force"},
		{Adds: "GOGC=400"},
		{Command: "npm install react@17", Derived: true},
	}
	tests := map[string]string{
		"export NODE_OPTIONS=--openssl-legacy-provider && npm run build": "0 command high",
		"export NODE_ENV=production; npm run build":                      "",
		"cd ml && pytest -x -n auto tests":                               "1 command high",
		"cd ml && pytest ./tests -n auto":                                "1 command high",
		"cd web && pytest -n auto tests":                                 "",
		"upx -q --best bin/api":                                          "2 command medium",
		"upx bin/api":                                                    "",
		"cargo add tikv-jemallocator@0.6":                                "3 command medium",
		"cargo doc -p tikv-jemallocator":                                 "",
		"jupyter nbconvert --inplace notebooks/a.ipynb":                  "4 path medium",
		"jupyter nbconvert --to html notebooks/a.ipynb":                  "",
		"rm -rf notebooks":                                               "4 path medium",
		"curl -o notebooks/a.ipynb https://example.com":                  "4 path medium",
		"cp notebooks/a.ipynb /tmp/":                                     "",
		"git \\\n  push \\\n  --force":                                   "5 command high",
		"git stash push --force":                                         "",
		"cat <<EOF >.env\nGOGC=400\nEOF\n":                               "6 words high",
		"echo GOGC=400 >notes.md":                                        "",
		"cat <<EOF >.env\n# GOGC=400\nEOF\n":                             "",
		"npm install react@17.0.2":                                       "7 words medium",
		"npm install react":                                              "",
	}
	for command, want := range tests {
		var got []string
		for _, m := range deadend.New(rules).Check(deadend.Action{Command: command}) {
			got = append(got, fmt.Sprintf("%d %s %s", m.Rule, m.By, m.Sure))
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}
