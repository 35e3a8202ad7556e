package main

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/recall"
)

// forget takes out of the index what is not among the records any more. Where that fails, nothing of it is
// told all the same: the index is asked for places only, and the records are read.
func (e *env) forget(ctx context.Context, m *memory.Memory) {
	if err := recall.Refresh(ctx, m, recall.Options{Now: e.now}); err != nil {
		e.warnf("the index still holds words of what is gone; delete %q: %v", recall.IndexPath(m), err)
	}
}
