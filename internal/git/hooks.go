package git

import (
	"context"
	"fmt"
	"path/filepath"
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
