package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/git-ltm/git-ltm/internal/git"
)

// story is a demonstration in a folder of its own.
type story struct {
	env
	dir     string
	failure error
}

func runDemo(ctx context.Context, e *env, _ []string) (err error) {
	dir, err := os.MkdirTemp("", "git-ltm-demo-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s := &story{env: *e, dir: dir}
	s.vars = append(append([]string{}, e.vars...),
		"GIT_AUTHOR_NAME=Demo", "GIT_AUTHOR_EMAIL=demo@example.com", "GIT_COMMITTER_NAME=Demo",
		"GIT_COMMITTER_EMAIL=demo@example.com",
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	s.setUp(ctx)
	s.laptop(ctx)
	s.desktop(ctx)
	if s.failure != nil {
		return fmt.Errorf("demo: %w", s.failure)
	}
	s.tell("Done: the packet travelled from laptop to desktop through a git remote that knows nothing of it.")
	return nil
}

func (s *story) tell(text string) {
	if s.failure == nil {
		_, s.failure = fmt.Fprintf(s.stdout, "\n# %s\n", text)
	}
}

// step shows a command and runs it, unless an earlier one failed.
func (s *story) step(command string, run func() error) {
	if s.failure != nil {
		return
	}
	if _, s.failure = fmt.Fprintf(s.stdout, "$ %s\n", command); s.failure == nil {
		s.failure = run()
	}
}

// ltm runs this program in a clone.
func (s *story) ltm(ctx context.Context, clone, shown string, args ...string) {
	s.step("git ltm "+shown, func() error {
		e := s.env
		e.dir = filepath.Join(s.dir, clone)
		if code := run(ctx, &e, args); code != codeDone {
			return fmt.Errorf("git ltm %s ended with %d", shown, code)
		}
		return nil
	})
}

// in opens a clone for one step.
func (s *story) in(ctx context.Context, clone string, do func(r *git.Repo) error) func() error {
	return func() error {
		r, err := git.Open(ctx, filepath.Join(s.dir, clone), s.vars)
		if err != nil {
			return err
		}
		return do(r)
	}
}

func (s *story) setUp(ctx context.Context) {
	bare := filepath.Join(s.dir, "remote.git")
	s.tell("A remote, and two machines that clone it.")
	s.step("git init --bare remote.git", func() error {
		return git.Init(ctx, bare, git.WithoutWorkTree, s.vars)
	})
	for _, name := range []string{"laptop", "desktop"} {
		s.step("git clone remote.git "+name, func() error {
			return git.Clone(ctx, bare, filepath.Join(s.dir, name), s.vars)
		})
	}
	s.step("cd laptop && git commit --allow-empty -m start && git push origin HEAD",
		s.in(ctx, "laptop", func(r *git.Repo) error {
			return errors.Join(r.CommitEmpty(ctx, "start"), r.Push(ctx, "origin", "HEAD"))
		}))
}

func (s *story) laptop(ctx context.Context) {
	s.tell("On the laptop a session ends. It leaves what it ran into.")
	s.ltm(ctx, "laptop", `save --goal "Cut the build to 5 minutes" --next "Cache the module downloads" ...`,
		"save", "--goal", "Cut the build to 5 minutes", "--next", "Cache the module downloads",
		"--decision", "Keep one build job :: Two jobs doubled the queue", "--lock",
		"--attempt", "Split the tests over four runners :: failed :: start-up costs more than it saves")
	s.ltm(ctx, "laptop", "push", "push")
}

func (s *story) desktop(ctx context.Context) {
	s.tell("On the desktop the next session begins.")
	s.ltm(ctx, "desktop", "pull", "pull")
	s.ltm(ctx, "desktop", "ls", "ls")
	s.ltm(ctx, "desktop", "resume --latest", "resume", "--latest")
}
