package git

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// HooksDir returns the directory in which git looks for the hooks of the repository, absolute. It need not exist.
func (r *Repo) HooksDir(ctx context.Context) (string, error) {
	// A relative core.hooksPath counts from where hooks run, not from here.
	top := r.WorkTree
	if top == "" {
		top = r.GitDir
	}
	out, err := r.run.output(ctx, nil, "-C", top, "--git-dir="+r.GitDir, "rev-parse", "--path-format=absolute", "--git-path", "hooks")
	if err != nil {
		return "", fmt.Errorf("find the hooks of %q: %w", r.GitDir, err)
	}
	return filepath.FromSlash(strings.TrimSuffix(string(out), "\n")), nil
}

// MakesRefsAlike reports whether git would make a new ref by writing its file and nothing else: refs are files, no hook looks at
// them, and nothing waits in a quarantine of a push. It starts no process, and says no where it is not sure.
func (r *Repo) MakesRefsAlike() bool {
	if _, quarantine := r.Env("GIT_QUARANTINE_PATH"); r.RefFormat != "files" || quarantine || r.MaybeSet("core.hooksPath") {
		return false
	}
	hooks, _ := filepath.Glob(filepath.Join(r.CommonDir, "hooks", "reference-transaction*"))
	return !slices.ContainsFunc(hooks, func(hook string) bool { return !strings.HasSuffix(hook, ".sample") })
}
