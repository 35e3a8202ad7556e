package memory

import (
	"context"
	"errors"

	"github.com/git-ltm/git-ltm/internal/refs"
)

// Held is the number of records of this clone, of every kind that this version
// writes.
func (m *Memory) Held(ctx context.Context) (int, error) {
	sum := 0
	for _, kind := range refs.Kinds() {
		n, err := m.store.Count(ctx, kind)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

// Broken returns the refs below refs/ltm that are broken.
func (m *Memory) Broken(ctx context.Context) ([]RecordError, error) {
	found, err := m.store.Broken(ctx)
	var broken []RecordError
	for _, b := range found {
		broken = append(broken, RecordError{Ref: b.Ref, Err: errors.New(b.Reason)})
	}
	return broken, err
}

// Inspect looks for refs below refs/ltm that are broken, and for names that are
// not ours.
func (m *Memory) Inspect(ctx context.Context) (broken []RecordError, stray []string, err error) {
	if broken, err = m.Broken(ctx); err == nil {
		stray, err = m.store.Stray(ctx)
	}
	return broken, stray, err
}
