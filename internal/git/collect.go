package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Collect drops every object that nothing in the repository refers to, of any age. It must not run beside other programs that
// write objects.
func (r *Repo) Collect(ctx context.Context) error {
	if _, err := r.run.output(ctx, nil, "gc", "--quiet", "--prune=now"); err != nil {
		return fmt.Errorf("collect garbage: %w", err)
	}
	return nil
}

// Uncollected is what no collection reaches.
type Uncollected struct {
	Lenders  []string // object directories that this repository borrows from
	Promised bool     // a partial clone has packs of its remote, of which git drops nothing
}

// Uncollected tells where objects lie that [Repo.Collect] does not drop, although nothing refers to them.
func (r *Repo) Uncollected() (Uncollected, error) {
	objects := filepath.Join(r.CommonDir, "objects")
	list, err := os.ReadFile(filepath.Join(objects, "info", "alternates"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Uncollected{}, fmt.Errorf("find what is borrowed: %w", err)
	}
	var u Uncollected
	for line := range strings.Lines(string(list)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" && !strings.HasPrefix(line, "#") {
			u.Lenders = append(u.Lenders, line)
		}
	}
	packs, err := os.ReadDir(filepath.Join(objects, "pack"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return u, fmt.Errorf("find what a remote promised: %w", err)
	}
	for _, pack := range packs {
		u.Promised = u.Promised || strings.HasSuffix(pack.Name(), ".promisor")
	}
	return u, nil
}
