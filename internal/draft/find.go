package draft

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/view"
)

// ErrNoDraft says that there is no draft that answers to what was asked for.
var ErrNoDraft = errors.New("there is no draft")

// Branch is the branch that the session of a draft worked on; "" where it does not say.
func (d Draft) Branch() string {
	if d.Record == nil {
		return ""
	}
	return d.Record.Packet().Anchor.Branch
}

// All returns the drafts of this clone, the one that was kept last first. One that cannot be read is among
// [replay.Reader.Skipped].
func (b *Box) All(ctx context.Context) ([]Draft, error) {
	found, damaged, err := b.Read(ctx)
	for _, d := range damaged {
		err = errors.Join(err, b.opts.Reader.Skip(d.Ref, d.Err))
	}
	return found, err
}

// Read returns the drafts as [Box.All] does, and beside them those that cannot be read.
func (b *Box) Read(ctx context.Context) (found []Draft, damaged []replay.RecordError, err error) {
	all, err := b.opts.Store.Drafts(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, at := range all {
		d, err := b.readDraft(ctx, at)
		switch {
		case err == nil:
			found = append(found, d)
		case replay.IsUnreadable(err):
			damaged = append(damaged, replay.RecordError{Ref: at.Ref(), Err: err})
		default:
			return nil, nil, err
		}
	}
	slices.SortStableFunc(found, func(a, b Draft) int { return b.Kept.Compare(a.Kept) })
	return found, damaged, nil
}

// Count counts the drafts without reading them.
func (b *Box) Count(ctx context.Context) (int, error) {
	all, err := b.opts.Store.Drafts(ctx)
	return len(all), err
}

// Find returns a draft by its id or by a part of it. "" asks for the last one of this branch, of which one
// counts that does not say where its session worked; where this branch has none, the error names the last one of
// all: what another branch is about is not finished here by chance.
func (b *Box) Find(ctx context.Context, spec string) (Draft, error) {
	if spec != "" {
		at, err := b.draftNamed(ctx, spec)
		if err != nil {
			return Draft{}, err
		}
		d, err := b.readDraft(ctx, at)
		if err != nil {
			return Draft{}, &replay.ReadError{Ref: at.Ref(), Err: err}
		}
		return d, nil
	}
	all, err := b.All(ctx)
	if err != nil {
		return Draft{}, err
	}
	branch := b.opts.Repo.Head.Branch
	for _, d := range all {
		if on := d.Branch(); on == "" || on == branch {
			return d, nil
		}
	}
	if len(all) > 0 {
		return Draft{}, fmt.Errorf("%w of this branch; the last one is %s, of %s", ErrNoDraft, all[0].ID,
			clean.Line(all[0].Branch()))
	}
	return Draft{}, ErrNoDraft
}

// draftNamed finds a draft by its id, or by the beginning or the end of it.
func (b *Box) draftNamed(ctx context.Context, spec string) (refs.Draft, error) {
	all, err := b.opts.Store.Drafts(ctx)
	if err != nil {
		return refs.Draft{}, err
	}
	part := strings.ToUpper(spec)
	fits := slices.DeleteFunc(all, func(d refs.Draft) bool {
		whole := string(d.ID)
		return len(part) < replay.MinPart ||
			!strings.HasPrefix(whole, part) && !strings.HasSuffix(whole, part)
	})
	switch len(fits) {
	case 0:
		return refs.Draft{}, fmt.Errorf("%w %q", ErrNoDraft, replay.Quotable(spec))
	case 1:
		return fits[0], nil
	}
	several := &replay.AmbiguousError{Part: replay.Quotable(spec)}
	for _, d := range fits {
		several.IDs = append(several.IDs, d.ID)
	}
	return refs.Draft{}, several
}

// Named returns the id of a draft by a part of it, also of one that cannot be read.
func (b *Box) Named(ctx context.Context, spec string) (packet.ID, error) {
	at, err := b.draftNamed(ctx, spec)
	return at.ID, err
}

// Drop removes a draft, whatever it holds now.
func (b *Box) Drop(ctx context.Context, id packet.ID) error {
	at, err := b.draftNamed(ctx, cmp.Or(string(id), "-"))
	if err != nil {
		return err
	}
	return b.dropDraft(ctx, at)
}

// Finish removes a draft that was read, as long as nobody replaced it since then: that is [git.ErrConflict].
func (b *Box) Finish(ctx context.Context, d Draft) error {
	return b.dropDraft(ctx, refs.Draft{ID: d.ID, Object: d.object})
}

// dropDraft removes a draft, and what sessions are shown of it.
func (b *Box) dropDraft(ctx context.Context, at refs.Draft) error {
	if err := b.opts.Store.DropDrafts(ctx, at); err != nil || len(b.Listed()) == 0 {
		return err
	}
	return b.updateList(ctx, func(all []view.Drafted) []view.Drafted { return all })
}

// Mask returns a JSON text with masks in the place of what must not travel, and how many. Where the scan
// cannot run, it fails.
func (b *Box) Mask(ctx context.Context, text []byte) ([]byte, int, error) {
	rules, err := b.opts.Rules.Rules(ctx)
	if err != nil {
		return nil, 0, err
	}
	masked, hits, err := rules.Mask(text)
	if err != nil {
		return nil, 0, fmt.Errorf("mask secrets: %w", err)
	}
	return masked, len(hits), nil
}
