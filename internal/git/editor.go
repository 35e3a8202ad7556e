package git

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/program"
)

// Streams are the files of a program that talks with a person.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Edit opens file in the editor that git would use, and waits for its end. It works outside of repositories
// too.
func Edit(ctx context.Context, dir string, env []string, streams Streams, file string) error {
	editor, err := chosenProgram(ctx, dir, env, "GIT_EDITOR")
	if err == nil {
		err = inShell(ctx, dir, env, streams, editor, file)
	}
	if err != nil {
		return fmt.Errorf("edit %q: %w", file, err)
	}
	return nil
}

// Page shows text in the pager that git would use, and waits for its end. Where the user chose none it is
// written as it is.
func Page(ctx context.Context, dir string, env []string, streams Streams, text string) error {
	pager, err := chosenProgram(ctx, dir, env, "GIT_PAGER")
	if err != nil || pager == "" || pager == "cat" {
		_, err := io.WriteString(streams.Out, text)
		return err
	}
	for name, value := range map[string]string{ // As git does.
		"LESS": "FRX", "LV": "-c", "LESSCHARSET": "utf-8",
	} {
		if _, set := LookupEnv(env, name); !set {
			env = append(slices.Clone(env), name+"="+value)
		}
	}
	streams.In = strings.NewReader(text)
	if err := inShell(ctx, dir, env, streams, pager); err != nil {
		return fmt.Errorf("show in the pager: %w", err)
	}
	return nil
}

// chosenProgram is the program that the user chose for something, as git finds it.
func chosenProgram(ctx context.Context, dir string, env []string, variable string) (string, error) {
	run, err := newRunner(dir, env)
	if err != nil {
		return "", err
	}
	out, err := run.readOutput(ctx, nil, "var", variable)
	return strings.TrimSuffix(string(out), "\n"), err
}

// inShell runs a command that the user wrote for the shell.
func inShell(ctx context.Context, dir string, env []string, streams Streams, command string,
	args ...string,
) error {
	shell, err := lookPath("sh", env)
	if err != nil {
		shell = filepath.FromSlash("/bin/sh")
	}
	cmd := program.Command{
		File: shell, Args: append([]string{"-c", command + ` "$@"`, command}, args...), Dir: dir, Env: env,
		Stdin: streams.In, Stdout: streams.Out, Stderr: streams.Err,
	}
	_, err = cmd.Run(ctx)
	return err
}
