package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/setup"
)

// isAnySetUp reports whether agents use the memory of the repository at hand, which the user-wide one is not.
func (e *env) isAnySetUp(ctx context.Context) bool {
	site, err := e.bareSite(ctx)
	return err == nil && e.userStore == "" && slices.ContainsFunc(setup.Agents(), func(a setup.Agent) bool {
		return a.Plugin(site) != "" ||
			slices.ContainsFunc(setup.Look(site, a), func(s setup.State) bool { return s.Told })
	})
}

// site is where the agents of this person are, and how they call the program.
func (e *env) site(ctx context.Context) (setup.Site, error) {
	site, err := e.bareSite(ctx)
	if err != nil {
		return site, err
	}
	if !site.Callable() {
		if site.Program, err = os.Executable(); err != nil {
			return site, err
		}
		e.warnf("git-ltm is not on the PATH, so agents get its place: %s; files of a project name the "+
			"program alone", site.Program)
	}
	site.Quick = site.FindQuick()
	return site, nil
}

// bareSite is where the agents of this person are, in the repository at hand or outside of any.
func (e *env) bareSite(ctx context.Context) (setup.Site, error) {
	site := setup.Site{Getenv: e.getenv, Home: e.home(), Program: "git-ltm"}
	if site.Home == "" {
		return site, errNoHome
	}
	repo, err := git.Open(ctx, e.dir, e.vars)
	switch {
	case errors.Is(err, git.ErrNotRepository):
	case err != nil:
		return site, err
	default:
		site.Top, site.Common = repo.WorkTree, repo.CommonDir
		site.Hidden = func(path string) bool {
			hidden, err := repo.Ignores(ctx, path)
			return err == nil && hidden
		}
	}
	return site, nil
}

// home is the folder of the person; empty where nothing says it.
func (e *env) home() string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir, _ := e.getenv(name); filepath.IsAbs(dir) {
			return dir
		}
	}
	return ""
}
