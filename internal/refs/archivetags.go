package refs

import (
	"context"
	"fmt"
)

// archivedTags reads objects, and knows that the bytes of some tag objects lie in the blobs of an archive: such a tag need
// not be an object of this repository.
type archivedTags struct {
	objects
	cache *archiveCache
}

// reading is the objects of this repository with the tags of archives among them.
func (s *Store) reading() archivedTags { return archivedTags{objects: s.objects, cache: &s.archive} }

// place returns the object that holds the bytes of another one: mostly that itself.
func (o archivedTags) place(oid string) string {
	if blob, ok := recall(o.cache, &o.cache.tags, oid); ok {
		return blob
	}
	return oid
}

// info is the one of objects.
func (o archivedTags) info(ctx context.Context, oid string) (typ string, size int64, err error) {
	at := o.place(oid)
	typ, size, err = o.objects.info(ctx, at)
	return typeOf(oid, at, typ), size, err
}

// read is the one of objects.
func (o archivedTags) read(ctx context.Context, oid string, limit int64) (typ string, data []byte, err error) {
	at := o.place(oid)
	typ, data, err = o.objects.read(ctx, at, limit)
	return typeOf(oid, at, typ), data, err
}

// typeOf is the type of an object whose bytes were found in another one, of the type typ.
func typeOf(oid, at, typ string) string {
	if at != oid && typ == "blob" {
		return "tag"
	}
	return typ
}

// objectOf returns the object that a ref of the entry would name: that of the tag, or else the blob. It reads the bytes of
// the tag once, and remembers where they lie.
func (s *Store) objectOf(ctx context.Context, entry archived) (string, error) {
	if entry.tag == "" {
		return entry.blob, nil
	}
	if oid, ok := recall(&s.archive, &s.archive.named, entry.tag); ok {
		return oid, nil
	}
	tag, err := s.typed(ctx, entry.tag, "blob", maxTag)
	if err != nil {
		return "", fmt.Errorf("tag of %q: %w", entry.name.tail(), err)
	}
	return s.noteTag(entry, tag)
}

// noteTag checks that a tag belongs to its entry, and remembers where its bytes lie.
func (s *Store) noteTag(entry archived, tag []byte) (string, error) {
	named, ok := taggedBlob(tag)
	if !ok || (entry.blob != "" && named != entry.blob) || len(named) != len(entry.tag) {
		return "", fmt.Errorf("tag of %q: it names another object: %w", entry.name.tail(), ErrArchive)
	}
	oid := hashObject(len(entry.tag), "tag", tag)
	remember(&s.archive, &s.archive.named, entry.tag, oid, 0)
	remember(&s.archive, &s.archive.tags, oid, entry.tag, 0)
	return oid, nil
}

// prefetch reads the tags of the entries of a folder together, where that is worth it. What it does
// not get, objectOf reads.
func (s *Store) prefetch(ctx context.Context, entries []archived) {
	var wanted []Wanted
	var of []archived
	for _, entry := range entries {
		if _, known := recall(&s.archive, &s.archive.named, entry.tag); entry.tag != "" && !known {
			wanted, of = append(wanted, Wanted{Ref: Ref{Object: entry.tag}, Limit: maxTag}), append(of, entry)
		}
	}
	for i, a := range s.together(ctx, wanted) {
		if a.Err == nil && a.Type == "blob" && len(a.Data) <= maxTag && hashObject(len(of[i].tag), "blob", a.Data) == of[i].tag {
			_, _ = s.noteTag(of[i], a.Data)
		}
	}
}
