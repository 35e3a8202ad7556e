package deadend_test

import (
	"testing"

	"github.com/git-ltm/git-ltm/internal/deadend"
)

// TestMatch_Certain holds what an agent may be held back for: the very command or the very file of a rule,
// however it is wrapped, and nothing like it.
func TestMatch_Certain(t *testing.T) {
	t.Parallel()
	command := func(line string) deadend.Action { return deadend.Action{Command: line} }
	edit := func(path string) deadend.Action { return deadend.Action{Paths: []string{path}} }
	skip := func(line string) deadend.Rule { return deadend.Rule{Command: line} }
	tried := func(line string) deadend.Rule { return deadend.Rule{Derived: true, Command: line} }
	prose := func(text string) deadend.Rule { return deadend.Rule{Derived: true, Words: text} }
	for name, tt := range map[string]struct {
		rule deadend.Rule
		act  deadend.Action
		want bool
	}{
		"the command":  {skip("make bench"), command("make bench"), true},
		"more than it": {skip("make bench"), command("make bench -j8"), false},
		"options in another order": {
			skip("npm i --force x"), command("npm install x --force"),
			false,
		},
		"two spellings of one word": {skip("npm i --force"), command("npm install --force"), true},
		"another case":              {skip("git branch -d old"), command("git branch -D old"), false},
		"quotes and white space": {
			skip("git commit -m 'a b'"), command(`git  commit -m "a b"`),
			true,
		},
		"another quoting of other words": {
			skip("git commit -m 'a b'"), command("git commit -m a b"),
			false,
		},
		"behind programs that run another": {
			tried("make bench"),
			command("cd /srv/project && time sudo -E make bench 2>&1 | tail -5"), true,
		},
		"as a word of another shell":    {tried("make bench"), command("bash -lc 'make bench'"), true},
		"as an argument of another one": {tried("make bench"), command("echo make bench"), false},
		"with a variable":               {tried("make bench"), command("CC=clang make bench"), false},
		"with a variable of env":        {tried("make bench"), command("env CC=clang make bench"), false},
		"with the same variable": {
			tried("CC=clang make bench"), command("env CC=clang make bench"),
			true,
		},
		"without the variable": {tried("CC=clang make bench"), command("make bench"), false},
		"after a variable for all": {
			tried("make bench"), command("export CC=clang; make bench"),
			false,
		},
		"somewhere else": {
			tried("cd web && npm run pack"),
			command("cd api && npm run pack"), false,
		},
		"in the same place": {
			tried("cd web && npm run pack"),
			command("cd ./web/; npm run pack"), true,
		},
		"of no place, anywhere": {tried("npm run pack"), command("cd web && npm run pack"), true},
		"both of two":           {skip("a --x | b --y"), command("a --x | b --y"), true},
		"one of two":            {skip("a --x | b --y"), command("a --x"), false},
		"a single word":         {tried("./bench.sh"), command("./bench.sh"), true},
		"a text that is a command": {
			prose("qemu-bench --board arm64"),
			command("qemu-bench --board arm64"), false,
		},
		"a text that holds one": {
			prose("run `make bench -x` in qemu"), command("make bench -x"),
			false,
		},
		"a text of one word": {prose("qemu"), command("qemu"), false},
		"nobody is sure": {deadend.Rule{
			Derived: true, Command: "make bench",
			Confidence: "low",
		}, command("make bench"), false},
		"the file":        {deadend.Rule{Path: "./gen/api.go"}, edit("gen/api.go"), true},
		"a file of many":  {deadend.Rule{Path: "gen/**"}, edit("gen/api.go"), false},
		"a file below it": {deadend.Rule{Path: "gen"}, edit("gen/api.go"), false},
		"the file of an attempt": {
			deadend.Rule{Derived: true, Path: "gen/api.go"},
			edit("gen/api.go"), true,
		},
		"the file, and what was written": {deadend.Rule{
			Derived: true, Path: "gen/api.go",
			Words: "raise the pool",
		}, edit("gen/api.go"), false},
		"a file that a command writes": {
			deadend.Rule{Path: "gen/api.go"},
			command("echo >gen/api.go"),
			false,
		},
	} {
		matches := deadend.New([]deadend.Rule{tt.rule}).Check(tt.act)
		if got := len(matches) == 1 && matches[0].Certain; got != tt.want {
			t.Errorf("%s: %+v meets %+v certainly: %t, want %t", name, tt.act, tt.rule, got, tt.want)
		}
	}
}
