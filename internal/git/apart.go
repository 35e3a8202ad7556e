package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/local"
)

// ErrNotBare says that a repository has a work tree, or that its configuration does not say that it has none.
var ErrNotBare = errors.New("not a bare repository")

// At returns an environment in which git uses the repository in gitDir, whatever the given one says of repositories.
func At(env []string, gitDir string) []string { return append(apart(env), "GIT_DIR="+gitDir) }

// apart leaves out what says where a repository lies and how it is read.
func apart(env []string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		switch name {
		case "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY",
			"GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_SHALLOW_FILE",
			"GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE", "GIT_DEFAULT_REF_FORMAT", "GIT_REFERENCE_BACKEND":
			return true
		}
		return false
	})
}

// FindBare returns the bare repository in gitDir, whatever the environment says of repositories, and asks git only where the
// case is not plain. Nobody works in it, so its Head is empty.
func FindBare(ctx context.Context, gitDir string, env []string) (*Repo, error) {
	if repo := PlainBare(gitDir, env); repo != nil {
		return repo, nil
	}
	repo, err := Open(ctx, gitDir, At(env, gitDir))
	if err != nil {
		return nil, err
	}
	if !repo.Bare {
		return nil, fmt.Errorf("open repository at %q: %w", gitDir, ErrNotBare)
	}
	repo.Head = Head{}
	return repo, nil
}

// PlainBare returns what FindBare does where the case is plain, or nil, and starts no process.
func PlainBare(gitDir string, env []string) *Repo {
	own := apart(env)
	if _, ok := plainHead(gitDir); !ok || !filepath.IsAbs(gitDir) || !plainEnv(own) || !plainConfig(gitDir, "true") {
		return nil
	}
	run, err := newRunner(gitDir, At(env, gitDir))
	if err != nil {
		return nil
	}
	return &Repo{Dir: gitDir, GitDir: gitDir, CommonDir: gitDir, Bare: true, ObjectFormat: "sha1", RefFormat: "files", run: run}
}

// InitBare makes a bare repository that only this user can read, with no hooks. It appears whole or not at all; one that is
// there already is left as it is.
func InitBare(ctx context.Context, dir string, env []string) (err error) {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return fmt.Errorf("make repository: %w", err)
	}
	made, err := os.MkdirTemp(parent, ".making-")
	if err != nil {
		return fmt.Errorf("make repository: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(made)) }()
	run, err := newRunner(parent, apart(env))
	if err != nil {
		return err
	}
	if _, err := run.output(ctx, nil, "init", "-q", "--bare", "--template=", made); err != nil {
		return fmt.Errorf("make repository: %w", err)
	}
	for _, path := range []string{filepath.Join(made, "HEAD"), filepath.Join(made, "config"), made} {
		if err := local.SyncPath(path); err != nil {
			return fmt.Errorf("make repository: %w", err)
		}
	}
	err = os.Rename(made, dir)
	if err != nil && exists(filepath.Join(dir, "HEAD")) {
		return nil // Another process was faster.
	}
	if err != nil {
		return fmt.Errorf("make repository %q: %w", dir, err)
	}
	return local.SyncPath(parent)
}

// WithRemote returns an environment in which git knows one more remote, which stands in no file of the configuration.
func WithRemote(env []string, name, address string) []string {
	given, _ := LookupEnv(env, "GIT_CONFIG_COUNT")
	count, err := strconv.Atoi(given)
	if err != nil || count < 0 {
		count = 0
	}
	n := strconv.Itoa(count)
	return append(slices.Clone(env), "GIT_CONFIG_COUNT="+strconv.Itoa(count+1),
		"GIT_CONFIG_KEY_"+n+"=remote."+name+".url", "GIT_CONFIG_VALUE_"+n+"="+address)
}
