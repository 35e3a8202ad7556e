package git

import (
	"context"
	"fmt"
)

// Layout is whether a repository has a work tree.
type Layout int

// The layouts of a new repository.
const (
	WithWorkTree Layout = iota
	WithoutWorkTree
)

// Init makes a repository in dir whose first branch is main.
func Init(ctx context.Context, dir string, layout Layout, env []string) error {
	args := []string{"init", "--quiet", "--initial-branch=main"}
	if layout == WithoutWorkTree {
		args = append(args, "--bare")
	}
	return porcelain(ctx, ".", env, append(args, "--", dir)...)
}

// Clone clones the repository at source into dir.
func Clone(ctx context.Context, source, dir string, env []string) error {
	return porcelain(ctx, ".", env, "clone", "--quiet", "--", source, dir)
}

// CommitEmpty makes a commit that changes no file.
func (r *Repo) CommitEmpty(ctx context.Context, message string) error {
	_, err := r.run.output(ctx, nil, "commit", "--quiet", "--allow-empty", "--message="+message)
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

// Push sends refs to a remote. Each refspec is as git push takes it.
func (r *Repo) Push(ctx context.Context, remote string, refspecs ...string) error {
	args := append([]string{"push", "--quiet", "--", remote}, refspecs...)
	if _, err := r.outward().output(ctx, nil, args...); err != nil {
		return fmt.Errorf("push to %q: %w", remote, err)
	}
	return nil
}

// FetchRefs brings what the refspecs name and nothing else: no tags, nothing of the configuration, no FETCH_HEAD. What
// the remote no longer holds stays.
func (r *Repo) FetchRefs(ctx context.Context, remote string, refspecs ...string) error {
	args := append([]string{
		"fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-prune", "--no-auto-maintenance",
		"--no-recurse-submodules", "--refmap=", "--", remote,
	}, refspecs...)
	if _, err := r.outward().output(ctx, nil, args...); err != nil {
		return fmt.Errorf("fetch from %q: %w", remote, err)
	}
	return nil
}

func porcelain(ctx context.Context, dir string, env []string, args ...string) error {
	run, err := newRunner(dir, env)
	if err != nil {
		return err
	}
	if _, err := run.output(ctx, nil, args...); err != nil {
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	return nil
}
