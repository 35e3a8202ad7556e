package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// A terminalStep is one command of a terminal block and what it prints.
type terminalStep struct{ command, output string }

// TestReadme runs the console blocks of the pages for readers, each page in an empty folder and in one shell,
// and compares what they print.
//
// Both sides may differ in what no two runs share: any ULID stands for any other, and so do times and nonces.
func TestReadme(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"README.md", "docs/guide.md"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(page)))
			if err != nil {
				t.Fatal(err)
			}
			steps := terminalSteps(string(data))
			if len(steps) < 3 {
				t.Fatalf("%s has %d commands in console blocks, want a save and a resume at least", page,
					len(steps))
			}
			var want strings.Builder
			for _, s := range steps {
				want.WriteString("$ " + s.command + "\n" + s.output)
			}
			if was, now := settled(want.String()), settled(runTerminal(t, steps)); was != now {
				t.Errorf("%s shows another terminal than this one:\n%s", page,
					diff.Diff("page", []byte(was), "now", []byte(now)))
			}
		})
	}
}

// TestReadme_links finds the files that the pages for readers point to.
func TestReadme_links(t *testing.T) {
	t.Parallel()
	top := filepath.Join("..", "..")
	link := regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)
	for _, page := range pages(t, top) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s: %v", page, m[1], err)
			}
		}
	}
}

func pages(t *testing.T, top string) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{
		"*.md", "docs/*.md", "docs/decisions/*.md", "schema/*.md",
		"testdata/packet/*.md",
	} {
		found, err := filepath.Glob(filepath.Join(top, pattern))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, found...)
	}
	return all
}

// terminalSteps reads the console blocks of a page. A command begins with "$ " and goes on in lines that
// begin with "> "; the lines up to the next one are its output.
func terminalSteps(page string) []terminalStep {
	var steps []terminalStep
	for _, block := range strings.Split(page, "\n```console\n")[1:] {
		block, _, _ = strings.Cut(block, "```\n")
		for line := range strings.Lines(block) {
			command, begins := strings.CutPrefix(line, "$ ")
			more, goesOn := strings.CutPrefix(line, "> ")
			switch {
			case begins:
				steps = append(steps, terminalStep{command: strings.TrimSuffix(command, "\n")})
			case goesOn:
				steps[len(steps)-1].command += "\n" + strings.TrimSuffix(more, "\n")
			default:
				steps[len(steps)-1].output += line
			}
		}
	}
	return steps
}

// runTerminal runs the commands one after the other and returns what a terminal would show.
func runTerminal(t *testing.T, steps []terminalStep) string {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, ".gitconfig")
	if err := os.WriteFile(config, []byte(gitConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	script.WriteString("set -e\n")
	for _, s := range steps {
		fmt.Fprintf(&script, "cat <<'SHOWN'\n$ %s\nSHOWN\n%[1]s\n", s.command)
	}
	sh := exec.CommandContext(t.Context(), "sh", "-c", script.String())
	sh.Dir = dir
	sh.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + config,
		"LC_ALL=C", "TZ=UTC", "TERM=dumb", "GIT_AUTHOR_NAME=Your Name",
	}
	out, err := sh.CombinedOutput()
	if err != nil {
		t.Fatalf("run the commands of README.md: %v\n%s", err, out)
	}
	return string(out)
}

// settled puts one word in the place of each thing that differs from run to run.
func settled(text string) string {
	for _, r := range []struct{ pattern, word string }{
		{`[0-7][0-9A-HJKMNP-TV-Z]{25}`, "ULID"},
		{`\b[0-9A-HJKMNP-TV-Z]{8}\b`, "SHORT"},
		{`ESC\[33m[0-9A-HJKMNP-TV-Z]{8}`, "ESC[33mSHORT"},
		{`[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z`, "TIME"},
		{`(nonce="|ltm-packet )[0-9a-f]{16}`, "${1}NONCE"},
	} {
		text = regexp.MustCompile(r.pattern).ReplaceAllString(text, r.word)
	}
	return text
}
