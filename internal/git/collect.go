package git

import (
	"context"
	"fmt"
)

// Collect drops every object that nothing in the repository refers to, of any age. It must not run beside other programs that
// write objects.
func (r *Repo) Collect(ctx context.Context) error {
	if _, err := r.run.output(ctx, nil, "gc", "--quiet", "--prune=now"); err != nil {
		return fmt.Errorf("collect garbage: %w", err)
	}
	return nil
}
