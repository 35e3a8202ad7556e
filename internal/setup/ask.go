package setup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/program"
)

// The bounds of a question to an agent.
const (
	mostWait   = 30 * time.Second
	mostAnswer = 1 << 20
)

// Ask asks the program of an agent itself what became of our server of tools, and returns the lines about it.
// What it prints is hostile.
func (a Agent) Ask(ctx context.Context, site Site, env []string) ([]string, error) {
	file, err := site.findProgram(a.Program)
	if err != nil {
		return nil, fmt.Errorf("ask %q: it is not on the path", a.Program)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, mostWait, fmt.Errorf("it said nothing for %v", mostWait))
	defer cancel()
	cmd := program.Command{
		File: file, Args: a.asks, Dir: site.Top, Env: env, Limit: mostAnswer,
		Tail: mostAnswer,
	}
	if site.Top == "" {
		cmd.Dir = site.Home
	}
	done, err := cmd.Run(ctx)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("ask %q: %w", a.Program, err)
	}
	lines := linesAbout(string(done.Stdout) + "\n" + done.Stderr)
	if err != nil && len(lines) == 0 {
		return nil, fmt.Errorf("ask %q: %w", a.Program, err)
	}
	return lines, nil
}

// linesAbout picks the lines that speak of the server, and of what it is.
func linesAbout(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.Contains(strings.ToLower(line), "remove") {
			continue // How to undo it is another's to say.
		}
		for _, word := range []string{serverName, "Status:", "enabled:"} {
			if strings.Contains(line, word) && len(lines) < 8 {
				lines = append(lines, line)
				break
			}
		}
	}
	return lines
}

// findProgram finds a program on the path of the site.
func (s Site) findProgram(name string) (string, error) {
	path, _ := s.Getenv("PATH")
	return program.Find(name, "", path)
}

// isDir tells whether a path is a directory.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// FindQuick returns how agents call the program for hooks, where it lies beside the one that does everything:
// by its name, where the path finds that one, or by its path; "" where it does not.
func (s Site) FindQuick() string {
	file, err := s.findProgram(s.Program)
	if err != nil {
		return ""
	}
	ending := filepath.Ext(file)
	beside := strings.TrimSuffix(file, ending) + "-hook" + ending
	if s.Program == programName {
		if found, err := s.findProgram(programName + "-hook"); err != nil || found != beside {
			return ""
		}
		return programName + "-hook"
	}
	if _, err := s.findProgram(beside); err != nil {
		return ""
	}
	return beside
}

// Callable tells whether agents find the program as they are told to call it.
func (s Site) Callable() bool {
	_, err := s.findProgram(s.Program)
	return err == nil
}
