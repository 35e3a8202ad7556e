package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// ErrPrivate says that a record which travels would tell of one that is private.
var ErrPrivate = errors.New("it is private to this clone, and what travels must not name it")

// untold refuses a record that travels and names one that is private.
func (w *Writer) untold(ctx context.Context, rec *packet.Record, reach Reach) error {
	if reach == Private {
		return nil
	}
	for _, l := range check.Links(rec) {
		id, err := packet.ParseID(l.Id)
		if err != nil {
			continue
		}
		private, err := w.reader.isPrivate(ctx, id)
		if err != nil {
			return err
		}
		if private {
			return fmt.Errorf("packet %s: %w", id, ErrPrivate)
		}
	}
	return nil
}

// byReach parts drafts so that an event about private records is private, and none tells of both.
func (w *Writer) byReach(ctx context.Context, drafts []draft) ([]draft, error) {
	parted := make([]draft, 0, len(drafts))
	for _, d := range drafts {
		var private, shared []packet.ID
		for _, id := range d.targets {
			is, err := w.reader.isPrivate(ctx, id)
			if err != nil {
				return nil, err
			}
			if is {
				private = append(private, id)
			} else {
				shared = append(shared, id)
			}
		}
		if err := w.untoldBy(ctx, d, len(shared)); err != nil {
			return nil, err
		}
		for reach, targets := range [][]packet.ID{Shared: shared, Private: private} {
			if len(targets) > 0 {
				part := d
				part.targets, part.reach = targets, Reach(reach)
				parted = append(parted, part)
			}
		}
	}
	return parted, nil
}

// untoldBy refuses an event that travels, because it has shared targets, and names a private record beside them.
func (w *Writer) untoldBy(ctx context.Context, d draft, shared int) error {
	for _, id := range d.by {
		private, err := w.reader.isPrivate(ctx, id)
		if err != nil {
			return err
		}
		if private && shared > 0 {
			return fmt.Errorf("record %s: %w", id, ErrPrivate)
		}
	}
	return nil
}
