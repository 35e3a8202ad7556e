package gate

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// ErrPrivate says that a record which travels would tell of one that is private.
var ErrPrivate = errors.New("it is private to this clone, and what travels must not name it")

// untold refuses a record that travels and names one that is private.
func (w *Writer) untold(ctx context.Context, rec *packet.Record, reach replay.Reach) error {
	if reach == replay.Private {
		return nil
	}
	for _, l := range check.Links(rec) {
		id, err := packet.ParseID(l.Id)
		if err != nil {
			continue
		}
		private, err := w.opts.Reader.IsPrivate(ctx, id)
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
func (w *Writer) byReach(ctx context.Context, drafts []Event) ([]Event, error) {
	parted := make([]Event, 0, len(drafts))
	for _, d := range drafts {
		var private, shared []packet.ID
		for _, id := range d.Targets {
			is, err := w.opts.Reader.IsPrivate(ctx, id)
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
		for reach, targets := range [][]packet.ID{replay.Shared: shared, replay.Private: private} {
			if len(targets) > 0 {
				part := d
				part.Targets, part.reach = targets, replay.Reach(reach)
				parted = append(parted, part)
			}
		}
	}
	return parted, nil
}

// untoldBy refuses an event that travels, because it has shared targets, and names a private record beside them.
func (w *Writer) untoldBy(ctx context.Context, d Event, shared int) error {
	for _, id := range d.by {
		private, err := w.opts.Reader.IsPrivate(ctx, id)
		if err != nil {
			return err
		}
		if private && shared > 0 {
			return fmt.Errorf("record %s: %w", id, ErrPrivate)
		}
	}
	return nil
}
