package refs

import (
	"context"
	"errors"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
)

// Held lists every ref below refs/ltm, or with the name of a remote those that are tracked of it, by the names that they
// have below refs/ltm, whatever their shape. No object is opened; broken and symbolic refs are left out.
func (s *Store) Held(ctx context.Context, remote string) (map[string]string, error) {
	place := Root
	if remote != "" {
		place = TrackingRoot + remote + "/"
	}
	held := map[string]string{}
	for e, err := range s.reader.list(ctx, place, false) {
		if err != nil {
			return nil, err
		}
		held[Root+strings.TrimPrefix(e.ref, place)] = e.oid
	}
	return held, nil
}

// CountRefs counts the refs below refs/ltm, whatever their shape, and stops at most.
func (s *Store) CountRefs(ctx context.Context, most int) (n int, err error) {
	for _, err := range s.reader.names(ctx, Root, "") {
		if err != nil {
			return n, err
		}
		if n++; n >= most {
			break
		}
	}
	return n, nil
}

// Import makes the refs of records and later signatures whose objects are here, as those that a remote has sent are. A
// name that holds the same object already is fine. A name that holds another one keeps it, and is returned.
func (s *Store) Import(ctx context.Context, wanted []Ref) (taken []Ref, err error) {
	changes := make([]git.Change, 0, len(wanted))
	for _, ref := range wanted {
		if !ref.Name.valid() {
			return nil, wrap("import record", ref.Name.Ref(), ErrNotFound)
		}
		changes = append(changes, git.Change{Kind: git.Create, Ref: ref.Name.Ref(), New: ref.Object})
	}
	if len(changes) == 0 {
		return nil, nil
	}
	update := s.repo.Update
	if len(changes) > manyLoose {
		update = s.repo.UpdateMany // The remote holds what a power cut would take.
	}
	err = update(ctx, changes)
	if errors.Is(err, git.ErrConflict) {
		taken, err = s.importEach(ctx, wanted)
	}
	if err != nil {
		return nil, wrap("import record", wanted[0].Name.Ref(), err)
	}
	return taken, nil
}

// importEach makes the refs one by one, after one of them was refused.
func (s *Store) importEach(ctx context.Context, wanted []Ref) (taken []Ref, err error) {
	for _, ref := range wanted {
		err := s.repo.Update(ctx, []git.Change{{Kind: git.Create, Ref: ref.Name.Ref(), New: ref.Object}})
		if errors.Is(err, git.ErrConflict) {
			taken = append(taken, ref)
			continue
		}
		if err != nil {
			return taken, err
		}
	}
	return taken, nil
}

// Here tells whether an object is here, and where it is a tag of a blob, whether that is here too.
func (s *Store) Here(ctx context.Context, oid string) bool {
	typ, size, err := s.objects.info(ctx, oid)
	if err != nil || typ != "tag" || size > maxTag {
		return err == nil
	}
	blob, err := s.blobBehind(ctx, oid)
	if err == nil && blob != "" {
		_, _, err = s.objects.info(ctx, blob)
	}
	return err == nil
}

// SameBlob tells whether two objects are one blob, or tag objects of one. Objects that are neither are not the same.
func (s *Store) SameBlob(ctx context.Context, a, b string) (bool, error) {
	first, err := s.blobBehind(ctx, a)
	if err != nil {
		return false, err
	}
	second, err := s.blobBehind(ctx, b)
	return first != "" && first == second, err
}

// blobBehind returns the blob that an object is or names, or nothing.
func (s *Store) blobBehind(ctx context.Context, oid string) (string, error) {
	typ, size, err := s.objects.info(ctx, oid)
	switch {
	case errors.Is(err, ErrMissing), errors.Is(err, ErrCorrupt):
		return "", nil
	case err != nil:
		return "", wrap("read object", oid, err)
	case typ == "blob":
		return oid, nil
	case typ != "tag" || size > maxTag:
		return "", nil
	}
	_, tag, err := s.objects.read(ctx, oid, maxTag)
	if err != nil {
		return "", wrap("read object", oid, err)
	}
	blob, _ := taggedBlob(tag)
	return blob, nil
}
