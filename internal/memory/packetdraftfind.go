package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// ErrNoDraft says that there is no draft that answers to what was asked for.
var ErrNoDraft = errors.New("there is no draft")

// Branch is the branch that the session of a draft worked on; "" where it does not say.
func (d PacketDraft) Branch() string {
	if d.Record == nil {
		return ""
	}
	return d.Record.Packet().Anchor.Branch
}

// Drafts returns the drafts of this clone, the one that was kept last first. One that cannot be read is among [Memory.Skipped].
func (b *Box) Drafts(ctx context.Context) ([]PacketDraft, error) {
	found, damaged, err := b.ReadDrafts(ctx)
	for _, d := range damaged {
		err = errors.Join(err, b.reader.skip(d.Ref, d.Err))
	}
	return found, err
}

// ReadDrafts returns the drafts as [Memory.Drafts] does, and beside them those that cannot be read.
func (b *Box) ReadDrafts(ctx context.Context) (found []PacketDraft, damaged []RecordError, err error) {
	all, err := b.store.Drafts(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, at := range all {
		d, err := b.readDraft(ctx, at)
		switch {
		case err == nil:
			found = append(found, d)
		case IsUnreadable(err):
			damaged = append(damaged, RecordError{Ref: at.Ref(), Err: err})
		default:
			return nil, nil, err
		}
	}
	slices.SortStableFunc(found, func(a, b PacketDraft) int { return b.Kept.Compare(a.Kept) })
	return found, damaged, nil
}

// CountDrafts counts the drafts without reading them.
func (b *Box) CountDrafts(ctx context.Context) (int, error) {
	all, err := b.store.Drafts(ctx)
	return len(all), err
}

// Draft returns a draft by its id or by a part of it. "" asks for the last one of this branch, of which one counts that does not
// say where its session worked.
func (b *Box) Draft(ctx context.Context, spec string) (PacketDraft, error) {
	if spec != "" {
		at, err := b.draftNamed(ctx, spec)
		if err != nil {
			return PacketDraft{}, err
		}
		d, err := b.readDraft(ctx, at)
		if err != nil {
			return PacketDraft{}, &ReadError{Ref: at.Ref(), Err: err}
		}
		return d, nil
	}
	all, err := b.Drafts(ctx)
	if err != nil {
		return PacketDraft{}, err
	}
	branch := b.repo.Head.Branch
	for _, d := range all {
		if on := d.Branch(); on == "" || on == branch {
			return d, nil
		}
	}
	if len(all) > 0 {
		return PacketDraft{}, fmt.Errorf("%w of this branch, and %d of others", ErrNoDraft, len(all))
	}
	return PacketDraft{}, ErrNoDraft
}

// draftNamed finds a draft by its id, or by the beginning or the end of it.
func (b *Box) draftNamed(ctx context.Context, spec string) (refs.Draft, error) {
	all, err := b.store.Drafts(ctx)
	if err != nil {
		return refs.Draft{}, err
	}
	part := strings.ToUpper(spec)
	fits := slices.DeleteFunc(all, func(d refs.Draft) bool {
		whole := string(d.ID)
		return len(part) < minPart || !strings.HasPrefix(whole, part) && !strings.HasSuffix(whole, part)
	})
	switch len(fits) {
	case 0:
		return refs.Draft{}, fmt.Errorf("%w %q", ErrNoDraft, quotable(spec))
	case 1:
		return fits[0], nil
	}
	several := &AmbiguousError{Part: quotable(spec)}
	for _, d := range fits {
		several.IDs = append(several.IDs, d.ID)
	}
	return refs.Draft{}, several
}

// FindDraft returns the id of a draft by a part of it, also of one that cannot be read.
func (b *Box) FindDraft(ctx context.Context, spec string) (packet.ID, error) {
	at, err := b.draftNamed(ctx, spec)
	return at.ID, err
}

// DropDraft removes a draft, whatever it holds now.
func (b *Box) DropDraft(ctx context.Context, id packet.ID) error {
	at, err := b.draftNamed(ctx, cmp.Or(string(id), "-"))
	if err != nil {
		return err
	}
	return b.store.DropDrafts(ctx, at)
}

// FinishDraft removes a draft that was read, as long as nobody replaced it since then: that is [git.ErrConflict].
func (b *Box) FinishDraft(ctx context.Context, d PacketDraft) error {
	return b.store.DropDrafts(ctx, refs.Draft{ID: d.ID, Object: d.object})
}

// Mask returns a JSON text with masks in the place of what must not travel, and how many. Where the scan cannot run, it fails.
func (b *Box) Mask(ctx context.Context, text []byte) ([]byte, int, error) {
	rules, err := b.rules.Rules(ctx)
	if err != nil {
		return nil, 0, err
	}
	masked, hits, err := rules.Mask(text)
	if err != nil {
		return nil, 0, fmt.Errorf("mask secrets: %w", err)
	}
	return masked, len(hits), nil
}
