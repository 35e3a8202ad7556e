package arch_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What a page may name between backticks, and where it has to be.
var (
	backticked  = regexp.MustCompile("`([^`\n]+)`")
	pathName    = regexp.MustCompile(`^(?:internal|cmd|docs|testdata|packaging|schema|\.ci)/[\w./-]+$`)
	goFile      = regexp.MustCompile(`^[a-z_]+\.go$`)
	goName      = regexp.MustCompile(`^([a-z]+)\.([A-Z]\w*)(?:\.([A-Z]\w*))?$`)
	testName    = regexp.MustCompile(`^(?:Test|Benchmark|Fuzz)[A-Z]\w*$`)
	makeTarget  = regexp.MustCompile("(?m)(?:^|`)make ([a-z-]+)")
	goPackage   = regexp.MustCompile(`\./((?:internal|cmd)/[\w/-]+)`)
	setting     = regexp.MustCompile(`^ltm\.[a-z][A-Za-z]+$`)
	commandLine = regexp.MustCompile(`(?:^|[^/\w-])git[ -]ltm ([a-z][a-z-]*)([^\n|&;#` + "`" + `]*)`)
	longFlag    = regexp.MustCompile(`--[a-z][a-z-]+`)
	loneFlag    = regexp.MustCompile(`^--[a-z]`)
)

// otherFlags are those of every command, and those of other programs that pages name alone.
var otherFlags = []string{
	"--json", "--help", "--user",
	"--no-verify", "--lenient", "--namespace", "--progress", "--unset", "--status-fd",
}

// TestPages_names holds that what the pages name is there: files, exported names, tests, targets, settings,
// commands and their flags. Decisions that were replaced may speak of what is gone, and a page that a test
// makes shows slips.
func TestPages_names(t *testing.T) {
	t.Parallel()
	top := filepath.Join("..", "..")
	goCode, files, words := "", map[string]bool{}, textFiles(t, "cmd", "internal")
	for name, text := range words {
		files[path.Base(name)] = true
		if strings.HasSuffix(name, ".go") {
			goCode += text
		}
	}
	commands := "\n" + words["cmd/git-ltm/commands.txt"]
	makefile := textFiles(t, "Makefile")["Makefile"]
	pages := textFiles(t, "docs", "ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "SECURITY.md", "SPEC.md")
	replaced, _, _ := strings.Cut(pages["docs/decisions/README.md"], "\n## Current")
	for page, text := range pages {
		if !strings.HasSuffix(page, ".md") || page == "docs/first-ten-minutes.md" ||
			strings.Contains(replaced, "]("+path.Base(page)+")") {
			continue
		}
		for _, m := range backticked.FindAllStringSubmatch(text, -1) {
			name, ok := m[1], true
			switch {
			case name == "testdata/fuzz": // Go makes it.
			case pathName.MatchString(name):
				_, err := os.Stat(filepath.Join(top, filepath.FromSlash(name)))
				ok = err == nil
			case goFile.MatchString(name):
				ok = files[name]
			case goName.MatchString(name):
				of := goName.FindStringSubmatch(name)
				ok = declares(words, of[1], of[2]) && (of[3] == "" || declares(words, of[1], of[3])) ||
					of[1] == "fs" // It is of the standard library.
			case testName.MatchString(name):
				ok = strings.Contains(goCode, "func "+name)
			case loneFlag.MatchString(name):
				flag := longFlag.FindString(name)
				ok = strings.Contains(commands, "\n"+flag+":") || strings.Contains(commands, " "+flag+":") ||
					slices.Contains(otherFlags, flag)
			case setting.MatchString(name):
				ok = strings.Contains(goCode, name)
			}
			if !ok {
				t.Errorf("%s names %q, which is not there", page, name)
			}
		}
		for _, shown := range code.FindAllString(text, -1) {
			for _, m := range makeTarget.FindAllStringSubmatch(shown, -1) {
				if !strings.Contains(makefile, "\n"+m[1]+":") {
					t.Errorf("%s shows the target %q, which is not there", page, m[1])
				}
			}
			for _, m := range goPackage.FindAllStringSubmatch(shown, -1) {
				if _, err := os.Stat(filepath.Join(top, filepath.FromSlash(m[1]))); err != nil {
					t.Errorf("%s shows a package: %v", page, err)
				}
			}
			for _, m := range commandLine.FindAllStringSubmatch(shown, -1) {
				ok := m[1] == "help" || strings.Contains(commands, "\n= "+m[1])
				for _, flag := range longFlag.FindAllString(m[2], -1) {
					ok = ok && (strings.Contains(commands, "\n"+flag+":") ||
						strings.Contains(commands, " "+flag+":") ||
						slices.Contains(otherFlags, flag))
				}
				if !ok {
					t.Errorf("%s shows %q, which is no command or has no such flag", page, m[0])
				}
			}
		}
	}
}

// TestHints_commands holds that a command to be pasted, in single quotes in a text of the program, is one.
func TestHints_commands(t *testing.T) {
	t.Parallel()
	words := textFiles(t, "cmd", "internal")
	commands, found := "\n"+words["cmd/git-ltm/commands.txt"], 0
	pasted := regexp.MustCompile(`'git ltm ([a-z]+)`)
	for file, text := range words {
		if strings.HasSuffix(file, "_test.go") || path.Ext(file) != ".go" && path.Ext(file) != ".txt" {
			continue
		}
		for _, m := range pasted.FindAllStringSubmatch(text, -1) {
			if found++; m[1] != "help" && !strings.Contains(commands, "\n= "+m[1]) {
				t.Errorf("%s names %q, which is no command", file, m[0])
			}
		}
	}
	if found < 100 {
		t.Errorf("%d commands were found, so that this test sees nothing", found)
	}
}

// declares tells whether a package declares an exported name.
func declares(words map[string]string, pkg, name string) bool {
	declared := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |var |const |\t)` + name + `\b`)
	found := false
	for file, text := range words {
		if path.Base(path.Dir(file)) == pkg && strings.HasSuffix(file, ".go") && declared.MatchString(text) {
			found = true
		}
	}
	return found
}

// TestArchitecture_files holds that the table of the files of a clone's own folder and the code name the same.
func TestArchitecture_files(t *testing.T) {
	t.Parallel()
	page := textFiles(t, "ARCHITECTURE.md")["ARCHITECTURE.md"]
	named := regexp.MustCompile(`\.(?:OwnFile|File|Sub)\("([a-z][\w-]*(?:\.[a-z]+)?)"`)
	found := 0
	var code strings.Builder
	for file, text := range textFiles(t, "cmd", "internal") {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		code.WriteString(text)
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if found++; !strings.Contains(page, "`"+m[1]) {
				t.Errorf("ARCHITECTURE.md does not name %q, which %s keeps", m[1], file)
			}
		}
	}
	if found < 20 {
		t.Errorf("%d names of files were found, so that this test sees nothing", found)
	}
	_, table, _ := strings.Cut(page, "\n| file | what it is |")
	table, _, _ = strings.Cut(table, "\n\n")
	for row := range strings.Lines(table) {
		names, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		for _, m := range regexp.MustCompile("`([A-Za-z][\\w.-]*)").FindAllStringSubmatch(names, -1) {
			if !strings.Contains(code.String(), `"`+strings.TrimSuffix(m[1], "-")) { // A sum may follow.
				t.Errorf("ARCHITECTURE.md names the file %q, which no code does", m[1])
			}
		}
	}
}

// TestRules_settings holds that each setting that the code names stands among the rules.
func TestRules_settings(t *testing.T) {
	t.Parallel()
	rules := strings.ToLower(textFiles(t, "docs/rules.md")["docs/rules.md"])
	named, found := regexp.MustCompile(`"(ltm\.[a-zA-Z]+)"`), 0
	for file, text := range textFiles(t, "cmd", "internal") {
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, m := range named.FindAllStringSubmatch(text, -1) {
			if found++; !strings.Contains(rules, "`"+strings.ToLower(m[1])+"`") {
				t.Errorf("docs/rules.md does not name %s, which %s has", m[1], file)
			}
		}
	}
	if found < 20 {
		t.Errorf("%d settings were found, so that this test sees nothing", found)
	}
}
