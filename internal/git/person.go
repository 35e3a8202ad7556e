package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/program"
)

// Identity returns the name and the address that git would write as the committer. Both are "" when none is
// configured: nothing is guessed from the machine.
func (r *Repo) Identity(ctx context.Context) (name, email string, err error) {
	out, err := r.run.output(ctx, nil, "-c", "user.useConfigOnly=true", "var", "GIT_COMMITTER_IDENT")
	if exitCode(err) > 0 {
		return "", "", nil
	}
	if err != nil {
		return "", "", fmt.Errorf("read identity: %w", err)
	}
	before, _, found := strings.Cut(string(out), ">")
	name, email, split := strings.Cut(before, "<")
	if !found || !split {
		return "", "", errors.New("read identity: git answered in another form")
	}
	return strings.TrimSpace(name), email, nil
}

// Streams are the files of a program that talks with a person.
type Streams struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// Edit opens file in the editor that git would use, and waits for its end. It works outside of repositories too.
func Edit(ctx context.Context, dir string, env []string, streams Streams, file string) error {
	run, err := newRunner(dir, env)
	if err != nil {
		return err
	}
	out, err := run.output(ctx, nil, "var", "GIT_EDITOR")
	if err != nil {
		return fmt.Errorf("find the editor: %w", err)
	}
	editor := strings.TrimSuffix(string(out), "\n")
	shell, err := lookPath("sh", env)
	if err != nil {
		shell = filepath.FromSlash("/bin/sh")
	}
	cmd := program.Command{
		File: shell, Args: []string{"-c", editor + ` "$@"`, editor, file}, Dir: dir, Env: env,
		Stdin: streams.In, Stdout: streams.Out, Stderr: streams.Err,
	}
	if _, err := cmd.Run(ctx); err != nil {
		return fmt.Errorf("edit %q: %w", file, err)
	}
	return nil
}
