package setup

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The bounds of a question to an agent.
const (
	mostWait   = 60 * time.Second
	mostAnswer = 1 << 20
)

// Ask asks the program of an agent itself what became of our server of tools, and returns the lines about it. What it prints is
// hostile.
func (a Agent) Ask(ctx context.Context, site Site, env []string) ([]string, error) {
	program, ok := site.program(a.Program)
	if !ok {
		return nil, fmt.Errorf("ask %q: it is not on the path", a.Program)
	}
	ctx, cancel := context.WithTimeout(ctx, mostWait)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, a.asks...) //nolint:gosec // The program is one of a list, found on the user's path.
	cmd.Dir, cmd.Env, cmd.WaitDelay = site.Top, env, time.Second
	if site.Top == "" {
		cmd.Dir = site.Home
	}
	out := &bounded{}
	cmd.Stdout, cmd.Stderr = out, out
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, fmt.Errorf("ask %q: it said nothing for %v", a.Program, mostWait)
	}
	lines := about(out.data.String())
	if err != nil && len(lines) == 0 {
		return nil, fmt.Errorf("ask %q: %w", a.Program, err)
	}
	return lines, nil
}

// about picks the lines that speak of the server, and of what it is.
func about(text string) []string {
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

// bounded keeps the beginning of what is written to it.
type bounded struct{ data bytes.Buffer }

// Write takes all and keeps what fits.
func (b *bounded) Write(p []byte) (int, error) {
	if room := mostAnswer - b.data.Len(); room > 0 {
		b.data.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

// program finds a program on the path of the site. Directories that are not absolute are skipped.
func (s Site) program(name string) (string, bool) {
	path, _ := s.Getenv("PATH")
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, true
		}
	}
	return "", false
}

// isDir tells whether a path is a directory.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Callable tells whether agents find the program as they are told to call it.
func (s Site) Callable() bool {
	if filepath.IsAbs(s.Program) {
		_, err := exec.LookPath(s.Program)
		return err == nil
	}
	_, ok := s.program(s.Program)
	return ok
}
