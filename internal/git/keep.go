package git

import (
	"context"
	"errors"
	"time"
)

// RawObject is an object that shall be stored.
type RawObject struct {
	Type string // Type is blob, tree, commit or tag.
	Data []byte
}

// PackKept stores objects as one pack that no garbage collection takes apart or removes, durably, and returns the path of
// the file that keeps it. Objects that are here already go along: that is how they are kept from a collection that runs.
func (r *Repo) PackKept(ctx context.Context, objects []RawObject) (keep string, err error) {
	return "", errors.ErrUnsupported
}

// ReleasePacks gives the packs that PackKept made before that time back to garbage collection. The objects stay.
func (r *Repo) ReleasePacks(ctx context.Context, olderThan time.Duration) error {
	return errors.ErrUnsupported
}
