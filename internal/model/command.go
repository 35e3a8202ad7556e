package model

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// command asks by running a program.
type command struct{ settings Settings }

// endPatience is how long a program may take to end after it was told to.
const endPatience = 2 * time.Second

// shellMarks are the characters with which git hands a command line to a shell, and so do we.
const shellMarks = "|&;<>()$`\\\"' \t\n*?[#~=%"

// Ask runs the program in an empty directory. The task and the facts are on its standard input, the answer is what it prints.
func (c *command) Ask(ctx context.Context, q Question) (answer []byte, err error) {
	ctx, cancel := within(ctx, c.settings.Timeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "git-ltm-model-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the command: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	cmd, err := c.start(ctx, dir)
	if err != nil {
		return nil, err
	}
	cmd.Env = append(cmd.Env, schemaVar+"="+string(q.Schema))
	cmd.Stdin = strings.NewReader(q.Task + "\n\n" + string(q.Facts) + "\n")
	out, messages := &bounded{limit: maxAnswer, over: cancel}, &last{limit: 2048}
	cmd.Stdout, cmd.Stderr = out, messages
	if err := cmd.Run(); err != nil || out.full {
		return nil, c.failure(ctx, err, out, messages)
	}
	return object(out.data.Bytes())
}

// start prepares the process.
func (c *command) start(ctx context.Context, dir string) (*exec.Cmd, error) {
	program, args := strings.TrimSpace(c.settings.Command), []string(nil)
	if strings.ContainsAny(program, shellMarks) {
		program, args = "sh", []string{"-c", program}
	}
	file, err := find(program, c.settings.Env)
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, file, args...) //nolint:gosec // The user named it in a configuration that no repository brings.
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, childEnv(c.settings.Env), endPatience
	alone(cmd)
	return cmd, nil
}

// failure says why there is no answer. What the program said last is told, for it mostly says what to do.
func (c *command) failure(ctx context.Context, err error, out *bounded, messages *last) error {
	switch {
	case out.full:
		return ErrTooLong
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	said := ""
	if words := messages.line(); words != "" {
		said = ": " + words
	}
	return fmt.Errorf("run the command for the model: %w%s", err, said)
}

// find finds a program on the PATH of an environment.
func find(program string, env []string) (string, error) {
	if filepath.IsAbs(program) {
		return program, nil
	}
	for _, dir := range filepath.SplitList(value(env, "PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if file, err := exec.LookPath(filepath.Join(dir, program)); err == nil {
			return file, nil
		}
	}
	return "", fmt.Errorf("find the program %q: %w", program, exec.ErrNotFound)
}

// childEnv is the environment of a command: without what names a repository, and without what tells a client of a model that
// it is run inside of another one, or of which session.
func childEnv(env []string) []string {
	kept := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		name = strings.ToUpper(name)
		for _, prefix := range []string{"GIT_", "CODEX_MANAGED_", "CURSOR_", "QWEN_CODE_", "OPENCODE_SESSION", "CLAUDE_PLUGIN_", "COPILOT_PROJECT_", "GEMINI_PROJECT_"} {
			if strings.HasPrefix(name, prefix) {
				return true
			}
		}
		switch name {
		case "CLAUDECODE", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID", "CLAUDE_ENV_FILE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_EFFORT", "COPILOT_CLI", "GEMINI_SESSION_ID", "GEMINI_CLI",
			"PLUGIN_ROOT", "PWD", "OLDPWD":
			return true
		}
		return false
	})
	return append(kept, mark+"=1", disable+"=1")
}

// bounded keeps what is printed up to a limit, and says so when there is more.
type bounded struct {
	data  bytes.Buffer
	limit int
	full  bool
	over  func()
}

// Write ends the process that writes too much.
func (b *bounded) Write(p []byte) (int, error) {
	if b.data.Len()+len(p) > b.limit {
		b.full = true
		b.over()
		return 0, ErrTooLong
	}
	return b.data.Write(p)
}

// last keeps the end of what is printed.
type last struct {
	data  []byte
	limit int
}

// Write keeps at most limit bytes.
func (l *last) Write(p []byte) (int, error) {
	l.data = append(l.data, p...)
	if over := len(l.data) - l.limit; over > 0 {
		l.data = append(l.data[:0], l.data[over:]...)
	}
	return len(p), nil
}

// line is the last line that says something.
func (l *last) line() string {
	all := strings.Split(strings.TrimSpace(string(l.data)), "\n")
	words := strings.TrimSpace(all[len(all)-1])
	if runes := []rune(words); len(runes) > 200 {
		words = string(runes[:200]) + "…"
	}
	return words
}
