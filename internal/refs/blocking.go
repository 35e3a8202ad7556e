package refs

import (
	"context"
	"fmt"
	"strings"
)

// BlockedError says that a record could not be stored because the folder that its ref needs is a ref itself.
type BlockedError struct {
	Ref string // what is in the way
	Err error
}

func (e *BlockedError) Error() string {
	return fmt.Sprintf("%s is a ref, so that none can be made below it: %v", e.Ref, e.Err)
}

func (e *BlockedError) Unwrap() error { return e.Err }

// Blocking returns the refs that lie where the refs of records need folders.
func (s *Store) Blocking(ctx context.Context) (all []string, err error) {
	for _, place := range places() {
		folders := []string{strings.TrimSuffix(place, "/"), place + endorsements}
		for _, kind := range Kinds() {
			folders = append(folders, place+string(kind))
		}
		for _, folder := range folders {
			oid, err := s.reader.resolveRef(ctx, folder)
			if err != nil {
				return nil, wrap("read ref", folder, err)
			}
			if oid != "" {
				all = append(all, folder)
			}
		}
	}
	return all, nil
}

// explainBlocked returns the error of a save, with the ref that is in its way where there is one.
func (s *Store) explainBlocked(ctx context.Context, names []Name, err error) error {
	blocking, _ := s.Blocking(context.WithoutCancel(ctx)) // The error is of the save.
	for _, ref := range blocking {
		for _, name := range names {
			if strings.HasPrefix(name.Ref(), ref+"/") {
				return &BlockedError{Ref: ref, Err: err}
			}
		}
	}
	return err
}
