package refs

import (
	"context"
	"fmt"
	"iter"
)

// The numbers of records whose tags are read at once: few at first, because a caller may want no more.
const (
	tagsAtOnceFirst = 4
	tagsAtOnce      = 256
	firstArchived   = 32
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

// prefetch reads the tags of many entries together, where that is worth it. What it does not get, objectOf reads.
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

// placed is an entry with the object that a ref of it would name.
type placed struct {
	archived
	object string
}

// withObjects yields entries with their objects. It reads ahead, a little at first. The error of one entry does not end it
// if the caller goes on.
func (s *Store) withObjects(ctx context.Context, entries iter.Seq2[archived, error]) iter.Seq2[placed, error] {
	return func(yield func(placed, error) bool) {
		for batch, err := range batches(entries) {
			if err != nil && !yield(placed{}, err) {
				return
			}
			s.prefetch(ctx, batch)
			for _, entry := range batch {
				object, err := s.objectOf(ctx, entry)
				if !yield(placed{entry, object}, err) {
					return
				}
			}
		}
	}
}

// batches groups entries: one, a few, and when many were taken, many. An error is yielded behind what came before it.
func batches(entries iter.Seq2[archived, error]) iter.Seq2[[]archived, error] {
	return func(yield func([]archived, error) bool) {
		var batch []archived
		done := 0
		flush := func(err error) bool {
			full := batch
			done += len(full)
			batch = nil
			return (len(full) == 0 || yield(full, nil)) && (err == nil || yield(nil, err))
		}
		for entry, err := range entries {
			if err != nil {
				if !flush(err) {
					return
				}
				continue
			}
			if batch = append(batch, entry); len(batch) >= batchSize(done) && !flush(nil) {
				return
			}
		}
		flush(nil)
	}
}

// batchSize is how many entries are read together when so many were taken.
func batchSize(done int) int {
	switch {
	case done == 0:
		return 1
	case done < firstArchived:
		return tagsAtOnceFirst
	}
	return tagsAtOnce
}
