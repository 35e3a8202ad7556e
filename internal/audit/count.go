package audit

import (
	"context"
	"errors"

	"github.com/git-ltm/git-ltm/internal/replay"
)

// Held counts the refs of this clone that every push speaks of, and stops at most.
func (u *Auditor) Held(ctx context.Context, most int) (int, error) {
	return u.opts.Store.CountRefs(ctx, most)
}

// Broken returns the refs below refs/ltm that are broken.
func (u *Auditor) Broken(ctx context.Context) ([]replay.RecordError, error) {
	found, err := u.opts.Store.Broken(ctx)
	var broken []replay.RecordError
	for _, b := range found {
		broken = append(broken, replay.RecordError{Ref: b.Ref, Err: errors.New(b.Reason)})
	}
	return broken, err
}

// Inspect looks for refs below refs/ltm that are broken, and for names that are
// not ours.
func (u *Auditor) Inspect(ctx context.Context) (broken []replay.RecordError, stray []string, err error) {
	if broken, err = u.Broken(ctx); err == nil {
		stray, err = u.opts.Store.Stray(ctx)
	}
	return broken, stray, err
}
