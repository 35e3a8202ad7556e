package git

import (
	"context"
	"fmt"
	"path/filepath"
)

// notIgnored is the exit code of git check-ignore for a path that no rule leaves out.
const notIgnored = 1

// Ignores reports whether git leaves a path out of the work tree, seen from its top. It need not be there; one that ends in a
// slash is a directory. A file that git tracks is not ignored.
func (r *Repo) Ignores(ctx context.Context, path string) (bool, error) {
	full := filepath.Join(r.WorkTree, filepath.FromSlash(path))
	if path != "" && path[len(path)-1] == '/' {
		full += string(filepath.Separator)
	}
	_, err := r.run.output(ctx, nil, "check-ignore", "-q", "--", full)
	switch {
	case err == nil:
		return true, nil
	case exitCode(err) == notIgnored:
		return false, nil
	}
	return false, fmt.Errorf("ask whether %q is ignored: %w", path, err)
}
