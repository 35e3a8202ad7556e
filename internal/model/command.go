package model

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/program"
)

// command asks by running a program.
type command struct{ settings Settings }

// shellMarks are the characters with which git hands a command line to a shell, and so do we.
const shellMarks = "|&;<>()$`\\\"' \t\n*?[#~=%"

// Ask runs the program in an empty directory. The task and the facts are on its standard input, the answer
// is what it prints.
func (c *command) Ask(ctx context.Context, q Question) (answer []byte, err error) {
	ctx, cancel := limitTime(ctx, c.settings.Timeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "git-ltm-model-")
	if err != nil {
		return nil, fmt.Errorf("make a directory for the command: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	name, args := strings.TrimSpace(c.settings.Command), []string(nil)
	if strings.ContainsAny(name, shellMarks) {
		name, args = "sh", []string{"-c", name}
	}
	path, _ := program.LookupEnv(c.settings.Env, "PATH")
	file, err := program.Find(name, "", path)
	if err != nil {
		return nil, err
	}
	done, err := program.Command{
		File: file, Args: args, Dir: dir,
		Env:   append(childEnv(c.settings.Env), schemaVar+"="+string(q.Schema)),
		Stdin: strings.NewReader(q.Task + "\n\n" + string(q.Facts) + "\n"), Limit: maxAnswer,
		Group: program.Own,
	}.Run(ctx)
	switch exit, failed := errors.AsType[*program.ExitError](err); {
	case err == nil:
		return jsonObject(done.Stdout)
	case errors.Is(err, program.ErrTooLarge):
		return nil, ErrTooLong
	case failed:
		words := strings.TrimSpace(exit.Stderr[strings.LastIndexByte(exit.Stderr, '\n')+1:])
		if runes := []rune(words); len(runes) > 200 {
			words = string(runes[:200]) + "…"
		}
		exit.Stderr = words // It mostly says what to do.
		return nil, fmt.Errorf("run the command for the model: %w", exit)
	case ctx.Err() != nil:
		return nil, err
	}
	return nil, fmt.Errorf("run the command for the model: %w", err)
}

// childEnv is the environment of a command: without what names a repository, and without what tells a
// client of a model that it is run inside of another one, or of which session.
func childEnv(env []string) []string {
	prefixes := []string{
		"GIT_", "CODEX_MANAGED_", "CURSOR_", "QWEN_CODE_", "OPENCODE_SESSION",
		"CLAUDE_PLUGIN_", "COPILOT_PROJECT_", "GEMINI_PROJECT_",
	}
	names := []string{
		"CLAUDECODE", "CLAUDE_PROJECT_DIR", "CLAUDE_CODE_SESSION_ID", "CLAUDE_ENV_FILE",
		"CLAUDE_CODE_ENTRYPOINT", "CLAUDE_EFFORT", "COPILOT_CLI", "GEMINI_SESSION_ID", "GEMINI_CLI",
		"PLUGIN_ROOT", "PWD", "OLDPWD",
	}
	kept := slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(strings.ToUpper(entry), "=")
		return slices.Contains(names, name) || slices.ContainsFunc(prefixes, func(prefix string) bool {
			return strings.HasPrefix(name, prefix)
		})
	})
	return append(kept, mark+"=1", disable+"=1")
}
