package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// compacted makes a repository that holds the records in archives.
func (s *syncing) compacted(ctx context.Context) (string, error) {
	dir := s.place("compacted")
	if err := s.holdsAll(ctx, s.dir, dir, "+refs/ltm/*:refs/ltm/*"); err != nil {
		return "", err
	}
	_, err := s.measureIn(ctx, dir, nil, nil, filepath.Join(s.bin, "git-ltm"), "compact", "--older-than", "0d", "--keep", "0", "--local")
	return dir, err
}

// place is a folder of this number of records.
func (s *syncing) place(name string) string {
	return filepath.Join(s.bin, fmt.Sprintf("%s-%s-%d", name, s.kind, s.n))
}

// serve makes a remote that holds what a repository does, and the clones that exchange with it.
func (s *syncing) serve(ctx context.Context, origin string) error {
	s.remote, s.clone, s.plain = s.place("remote"), s.place("clone"), s.place("plain")
	if err := s.bare(ctx, origin, s.remote); err != nil {
		return err
	}
	for _, dir := range []string{s.clone, s.plain} {
		if err := s.holdsAll(ctx, s.remote, dir, "+refs/ltm/*:refs/ltm/*", tracked); err != nil {
			return err
		}
	}
	_, err := s.exchange(ctx, s.clone, "sync") // The format of the memory goes with the first one.
	return err
}

// bare makes a bare repository that holds the branch and the records of another.
func (s *syncing) bare(ctx context.Context, from, to string) error {
	if _, err := s.git(ctx, nil, s.bin, "init", "-q", "--bare", "-b", "main", to); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"fetch", "-q", "file://" + from, "refs/heads/main:refs/heads/main", "+refs/ltm/*:refs/ltm/*"},
		{"pack-refs", "--all"},
		{"config", "gc.auto", "0"},
	} {
		if _, err := s.git(ctx, nil, to, args...); err != nil {
			return err
		}
	}
	return nil
}

// holdsAll clones a repository with the refs that the refspecs name, all packed.
func (s *syncing) holdsAll(ctx context.Context, from, to string, refspecs ...string) error {
	args := []string{"clone", "-q"}
	for _, refspec := range refspecs {
		args = append(args, "-c", "remote.origin.fetch="+refspec)
	}
	if _, err := s.git(ctx, nil, s.bin, append(args, "file://"+from, to)...); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"config", "--replace-all", "remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"},
		{"config", "gc.auto", "0"},
	} {
		if _, err := s.git(ctx, nil, to, args...); err != nil {
			return err
		}
	}
	return nil
}

// freshClone makes a clone that holds no records.
func (s *syncing) freshClone(ctx context.Context) (string, error) {
	s.fresh++
	dir := fmt.Sprintf("%s-%d", s.place("fresh"), s.fresh)
	if err := s.holdsAll(ctx, s.remote, dir); err != nil {
		return "", err
	}
	return dir, os.RemoveAll(filepath.Join(dir, ".git", "hooks"))
}
