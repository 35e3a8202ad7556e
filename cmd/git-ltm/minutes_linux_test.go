package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
)

// minutes are what somebody new types, one after the other.
const minutes = `git init -q project && cd project && git commit -q --allow-empty -m start
git ltm save --goal 'Upload large files' --next 'Try parts of 8 MB' --attempt 'One PUT :: failed :: The proxy cuts requests at 60 s'
git ltm note --kind pitfall 'The proxy cuts each request at 60 s' --why 'Its timeout is fixed'
git ltm task add 'Ask for the log of the proxy'
git ltm ls
git ltm lst
git ltm recall proxy timeout
git ltm resume --latest
git ltm rm $(git ltm ls --kind task --format '%(id)')
git ltm undo --yes
git ltm status
git ltm context
`

// TestFirstMinutes keeps docs/first-ten-minutes.md equal to what a terminal shows, at two widths, with and
// without colour.
func TestFirstMinutes(t *testing.T) {
	t.Parallel()
	wide, narrow, colored := showMinutes(t, 80, true), showMinutes(t, 50, true), showMinutes(t, 80, false)
	bare := regexp.MustCompile(`\x1b\[[0-9]*m`).ReplaceAllString(colored, "")
	if was, now := settled(wide), settled(bare); was != now || bare == colored {
		t.Errorf("with colours it is another text, or there is no colour:\n%s",
			diff.Diff("without", []byte(was), "with", []byte(now)))
	}
	for columns, text := range map[int]string{80: wide, 50: narrow} {
		for line := range strings.Lines(text) {
			// The terminal breaks them.
			hint := strings.HasPrefix(line, "git-ltm: ") || strings.HasPrefix(line, "$ ")
			label := columns < 80 && (strings.Contains(line, ":    ") || strings.HasPrefix(line, "Agents see:"))
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > columns && !hint && !label {
				t.Errorf("a line has %d of %d columns: %q", n, columns, line)
			}
		}
	}
	_, list, _ := strings.Cut(colored, "$ git ltm ls\n")
	list, _, _ = strings.Cut(list, "$ git ltm lst\n")
	page := "# The first ten minutes\n\nWhat a terminal shows somebody new. A test runs the commands and keeps this page as it is.\n\n" +
		"## 80 columns\n\n```text\n" + wide + "```\n\n## 50 columns\n\n```text\n" + narrow +
		"```\n\n## Colour\n\n" +
		"Without `NO_COLOR`, and unless `color.ui` says no, the same text has colours: ids are yellow, what stands beside a text is faint.\n" +
		"`git ltm ls` writes, with `ESC` for the character of that name:\n\n```text\n" +
		strings.ReplaceAll(list, "\x1b", "ESC") + "```\n"
	file := filepath.Join("..", "..", "docs", "first-ten-minutes.md")
	if *update {
		if err := os.WriteFile(file, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if now, was := settled(page), settled(string(kept)); now != was {
		t.Errorf("%s is out of date; run 'make docs':\n%s", file,
			diff.Diff("now", []byte(now), "page", []byte(was)))
	}
}

// showMinutes returns what a terminal of some columns shows.
func showMinutes(t *testing.T, columns uint16, plain bool) string {
	t.Helper()
	dir := t.TempDir()
	config := filepath.Join(dir, ".gitconfig")
	if err := os.WriteFile(config, []byte(gitConfig), 0o600); err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	for line := range strings.Lines(minutes) {
		fmt.Fprintf(&script, "cat <<'SHOWN'\n$ %sSHOWN\n%[1]s", line)
	}
	master, slave, err := openTerminal(columns, 1000)
	if err != nil {
		t.Fatal(err)
	}
	sh := exec.CommandContext(t.Context(), "sh", "-c", script.String())
	sh.Stdin, sh.Stdout, sh.Stderr, sh.Dir = slave, slave, slave, dir
	sh.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	sh.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + config,
		"LC_ALL=C.UTF-8", "TZ=UTC", "TERM=xterm", "GIT_AUTHOR_NAME=Your Name",
	}
	if plain {
		sh.Env = append(sh.Env, "NO_COLOR=1")
	}
	if err := sh.Start(); err != nil {
		t.Fatal(err)
	}
	_ = slave.Close()
	var shown bytes.Buffer
	_, _ = io.Copy(&shown, master) // It ends with an error when the shell does.
	if err := sh.Wait(); err != nil {
		t.Fatalf("run the first minutes: %v\n%s", err, shown.String())
	}
	return strings.ReplaceAll(shown.String(), "\r\n", "\n")
}
