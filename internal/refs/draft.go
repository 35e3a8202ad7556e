package refs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// draftRoot is where drafts lie: packets that nobody has finished. No kind of record has this name, so no
// list and no lookup of records finds one.
const draftRoot = PrivateRoot + "drafts/"

// Draft is the place of a draft. Other than a record it may be written again.
type Draft struct {
	ID     packet.ID
	Object string // what the ref names; "" for a draft that is not there yet
}

// Ref is the full name of the ref.
func (d Draft) Ref() string { return draftRoot + string(d.ID) }

// Drafts returns the drafts, the one with the latest name first.
func (s *Store) Drafts(ctx context.Context) ([]Draft, error) {
	var found []Draft
	for e, err := range listRefs(ctx, s.reader, scan{prefix: draftRoot, newest: true}) {
		if err != nil {
			return nil, wrap("list refs below", draftRoot, err)
		}
		if id, err := packet.ParseID(strings.TrimPrefix(e.ref, draftRoot)); err == nil && e.oid != "" {
			found = append(found, Draft{id, e.oid})
		}
	}
	return found, nil
}

// ReadDraft returns the bytes of a draft, which must be a blob of at most limit bytes.
func (s *Store) ReadDraft(ctx context.Context, d Draft, limit int64) ([]byte, error) {
	typ, data, err := s.archive.readObject(ctx, d.Object, limit)
	if err == nil && typ != "blob" {
		err = fmt.Errorf("object %s is a %s: %w", d.Object, typ, ErrShape)
	}
	return data, wrap("read draft", d.Ref(), err)
}

// WriteDraft stores a draft where there is none, or in the place of the object that d names. Where another
// process was faster it fails with [git.ErrConflict], and nothing is changed.
func (s *Store) WriteDraft(ctx context.Context, d Draft, data []byte) (Draft, error) {
	if _, err := packet.ParseID(string(d.ID)); err != nil {
		return Draft{}, wrap("store draft", d.Ref(), err)
	}
	blob := s.BlobOID(data)
	change := git.Change{Kind: git.Create, Ref: d.Ref(), New: blob}
	if d.Object != "" {
		change.Kind, change.Old = git.Update, d.Object
	}
	for range writeTries {
		if err := s.writeObjects(ctx, saving{blob: data, blobOID: blob}); err != nil {
			return Draft{}, wrap("store draft", d.Ref(), err)
		}
		if err := s.repo.Update(ctx, []git.Change{change}); err != nil {
			return Draft{}, wrap("store draft", d.Ref(), err)
		}
		if s.holdsObject(ctx, blob) { // A garbage collection that ran meanwhile has not taken it.
			return Draft{d.ID, blob}, nil
		}
	}
	return Draft{}, wrap("store draft", d.Ref(), ErrMissing)
}

// DropDrafts removes drafts, each as long as it is the one that was read; one that was replaced meanwhile is
// [git.ErrConflict], and then all stay.
func (s *Store) DropDrafts(ctx context.Context, drafts ...Draft) error {
	changes := make([]git.Change, 0, len(drafts))
	for _, d := range drafts {
		if _, err := packet.ParseID(string(d.ID)); err != nil || d.Object == "" {
			return wrap("drop draft", d.Ref(), errors.Join(err, ErrNotFound))
		}
		changes = append(changes, git.Change{Kind: git.Delete, Ref: d.Ref(), Old: d.Object})
	}
	if len(changes) == 0 {
		return nil
	}
	return wrap("drop draft", changes[0].Ref, s.repo.Update(ctx, changes))
}
