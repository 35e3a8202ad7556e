package git

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// errNoRefs says that a call names no ref.
var errNoRefs = errors.New("no ref is named")

// CreateBundle writes refs, by their full names, and all their objects into a file that git can fetch from. A file of that
// name is replaced. A relative name counts from where the repository was opened.
func (r *Repo) CreateBundle(ctx context.Context, file string, refs []string) error {
	if len(refs) == 0 {
		return fmt.Errorf("write bundle %q: %w", file, errNoRefs)
	}
	var lines strings.Builder
	for _, ref := range refs {
		if !fullName(ref) {
			return fmt.Errorf("write bundle %q: ref %q: not a full name", file, ref)
		}
		lines.WriteString(ref + "\n")
	}
	path := file
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.Dir, path)
	}
	args := append(quiet(), "bundle", "create", "--quiet", path, "--stdin")
	if _, err := r.run.output(ctx, strings.NewReader(lines.String()), args...); err != nil {
		return fmt.Errorf("write bundle %q: %w", file, err)
	}
	return nil
}
