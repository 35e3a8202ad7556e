package refs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// KeyLength is how many digits of a key's fingerprint stand in the name of a later signature.
const KeyLength = 16

// Endorsement is a later signature of a record: a ref that names a tag object, which names the blob of the
// record. It is written once, as a record is, and lies beside the record, whose own ref it does not touch.
type Endorsement struct {
	ID     packet.ID
	Key    string // Key is the beginning of the key's fingerprint: 16 hexadecimal digits in lower case.
	Remote string // Remote is "" for a local one, else the remote whose tracking ref this is.
	Object string // Object is what the ref names. That it is a tag object, nobody has looked at yet.

	Archive string // Archive names the archive in which it lies, "" for one that is a ref of its own.
}

// Ref is the endorsement as a ref, for Delete.
func (e Endorsement) Ref() Ref {
	return Ref{
		Name: Name{Kind: endorsements, ID: e.ID, Key: e.Key}, Remote: e.Remote, Object: e.Object,
		Archive: e.Archive,
	}
}

// Endorsement is the ref of a later signature as such.
func (r Ref) Endorsement() Endorsement {
	return Endorsement{ID: r.Name.ID, Key: r.Name.Key, Remote: r.Remote, Object: r.Object, Archive: r.Archive}
}

// Full is the full name of the ref, local or tracking.
func (e Endorsement) Full() string { return e.Ref().Full() }

// ParseEndorsement reads the full name of a local ref of an endorsement. Anything but the exact shape is
// refused.
func ParseEndorsement(ref string) (Endorsement, bool) {
	name, ok := parseOwn(ref)
	return Endorsement{ID: name.ID, Key: name.Key}, ok && name.Key != ""
}

// parseEndorsement reads "endorse/<ID>/<key>".
func parseEndorsement(tail string) (Name, bool) {
	parts := strings.Split(tail, "/")
	if len(parts) != 3 || parts[0] != endorsements || len(parts[2]) != KeyLength || !isHex([]byte(parts[2])) {
		return Name{}, false
	}
	id, err := packet.ParseID(parts[1])
	return Name{Kind: endorsements, ID: id, Key: parts[2]}, err == nil
}

// Endorsements lists the endorsements of a record, or with an empty id those of all records, ordered by
// record and key. It is the union of the local refs and the tracking refs: of those with one name the local
// one comes first, and one that names the same object again is left out. No object is opened. Names and refs
// that are not ours are passed over.
func (s *Store) Endorsements(ctx context.Context, id packet.ID) ([]Endorsement, error) {
	within := endorsements + "/"
	if id != "" {
		if _, err := packet.ParseID(string(id)); err != nil {
			return nil, fmt.Errorf("list endorsements of %q: %w", id, ErrNotFound)
		}
		within += string(id) + "/"
	}
	remotes, err := s.reader.listRemotes(ctx)
	if err != nil {
		return nil, err
	}
	found, err := s.endorsementsBelow(ctx, nil, "", Root, within)
	for _, remote := range remotes {
		if err != nil {
			break
		}
		found, err = s.endorsementsBelow(ctx, found, remote, TrackingRoot+remote+"/", within)
	}
	if err == nil {
		found, err = s.archivedEndorsements(ctx, found, append([]string{""}, remotes...), id)
	}
	slices.SortStableFunc(found, func(a, b Endorsement) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Remote, b.Remote))
	})
	return distinctEndorsements(found), err
}

// endorsementsBelow appends the endorsements of one place.
func (s *Store) endorsementsBelow(ctx context.Context, found []Endorsement,
	remote, place, within string,
) ([]Endorsement, error) {
	for e, err := range s.reader.listRefs(ctx, place+within, false) {
		if err != nil {
			return nil, err
		}
		if name, ok := parseEndorsement(strings.TrimPrefix(e.ref, place)); ok && e.oid != "" {
			found = append(found, Endorsement{ID: name.ID, Key: name.Key, Remote: remote, Object: e.oid})
		}
	}
	return found, nil
}

// archivedEndorsements appends the endorsements in archives, of one record or of all.
func (s *Store) archivedEndorsements(ctx context.Context, found []Endorsement, places []string,
	id packet.ID,
) ([]Endorsement, error) {
	archives, err := s.reader.listArchives(ctx, places)
	for _, a := range archives {
		q := Query{Kind: endorsements}
		if id != "" {
			q.only = archiveFolder(id)
		}
		for ref, err := range s.archivedRecords(ctx, a, q) {
			if err != nil {
				return nil, err
			}
			if id == "" || ref.Name.ID == id {
				found = append(found, ref.Endorsement())
			}
		}
	}
	return found, err
}

// distinctEndorsements leaves out what names the object of one with the same name before it.
func distinctEndorsements(sorted []Endorsement) []Endorsement {
	var kept []Endorsement
	first := 0 // first is where those of the same name begin.
	for _, e := range sorted {
		if len(kept) > 0 && (kept[first].ID != e.ID || kept[first].Key != e.Key) {
			first = len(kept)
		}
		if !slices.ContainsFunc(kept[first:], func(k Endorsement) bool { return k.Object == e.Object }) {
			kept = append(kept, e)
		}
	}
	return kept
}

// NewEndorsement is an endorsement that shall be stored.
type NewEndorsement struct {
	ID   packet.ID // ID is required.
	Key  string    // Key is required: 16 hexadecimal digits in lower case.
	Tag  []byte    // Tag is the raw tag object, required.
	Blob string    // Blob is the object that the tag names, required. It must be here.
}

// Endorse stores an endorsement as durably as Create stores a record. A name that holds a tag of the same
// blob already is fine, and that one is returned; a name that holds anything else is ErrExists.
func (s *Store) Endorse(ctx context.Context, e NewEndorsement) (Endorsement, error) {
	made := Endorsement{ID: e.ID, Key: e.Key}
	name := made.Ref().Name
	if !name.isValid() || name.Key == "" {
		return Endorsement{}, fmt.Errorf("save endorsement: %q is not the name of one", name.Ref())
	}
	if named, ok := taggedBlob(e.Tag); !ok || named != e.Blob {
		return Endorsement{}, wrap("save endorsement", name.Ref(), fmt.Errorf("tag object: %w", ErrShape))
	}
	if len(e.Tag) > maxTag {
		return Endorsement{},
			wrap("save endorsement", name.Ref(), &TooLargeError{Size: int64(len(e.Tag)), Max: maxTag})
	}
	typ, blob, err := s.objects.readObject(ctx, e.Blob, maxSpooled)
	if err == nil && typ != "blob" {
		err = ErrShape
	}
	if err != nil {
		return Endorsement{}, wrap("save endorsement", name.Ref(), fmt.Errorf("object %q: %w", e.Blob, err))
	}
	// The blob goes along: a garbage collection may take it together with the record while this one is made.
	tag := func(string) ([]byte, error) { return e.Tag, nil }
	refs, err := s.createRecords(ctx, []New{{Name: name, Data: blob, Tag: tag}})
	if err != nil {
		return Endorsement{}, err
	}
	if made.Object = refs[0].Object; made.Object == e.Blob {
		return Endorsement{}, wrap("save endorsement", name.Ref(), ErrExists)
	}
	return made, nil
}

// ReadTag returns a raw tag object of at most 64 KiB whose bytes have the name that they are stored under.
// The size is asked for first.
func (s *Store) ReadTag(ctx context.Context, oid string) ([]byte, error) {
	typ, size, err := s.readingTags().readInfo(ctx, oid)
	if err == nil && typ != "tag" {
		err = ErrShape
	}
	if err == nil && size > maxTag {
		err = &TooLargeError{OID: oid, Size: size, Max: maxTag}
	}
	if err != nil {
		return nil, wrap("read tag", oid, err)
	}
	_, tag, err := s.readingTags().readObject(ctx, oid, maxTag)
	if err == nil && hashObject(len(oid), "tag", tag) != oid {
		err = ErrCorrupt
	}
	if err != nil {
		return nil, wrap("read tag", oid, err)
	}
	return tag, nil
}
