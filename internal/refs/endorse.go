package refs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// KeyLength is how many digits of a key's fingerprint stand in the name of a later signature.
const KeyLength = 16

// Endorsement names the later signature of a record by a key: a ref that names a tag object, which names the
// blob of the record. It is written once, as a record is, and lies beside the record, whose own ref it does
// not touch. The key is the beginning of its fingerprint: 16 hexadecimal digits in lower case.
func Endorsement(id packet.ID, key string) Name { return Name{Kind: endorsements, ID: id, Key: key} }

// parseEndorsement reads "endorse/<ID>/<key>".
func parseEndorsement(tail string) (Name, bool) {
	parts := strings.Split(tail, "/")
	if len(parts) != 3 || parts[0] != endorsements || len(parts[2]) != KeyLength || !git.IsHex(parts[2]) {
		return Name{}, false
	}
	id, err := packet.ParseID(parts[1])
	return Endorsement(id, parts[2]), err == nil
}

// Endorsements lists the endorsements of a record, or with an empty id those of all records, ordered by
// record and key. It is the union of the local refs and the tracking refs: of those with one name the local
// one comes first, and one that names the same object again is left out. No object is opened, so that nobody
// has looked whether it is a tag object. Names and refs that are not ours are passed over.
func (s *Store) Endorsements(ctx context.Context, id packet.ID) ([]Ref, error) {
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
	var found []Ref
	places := append([]string{""}, remotes...)
	for _, remote := range places {
		root := rootOf(remote)
		for e, err := range listRefs(ctx, s.reader, scan{prefix: root + within}) {
			if err != nil {
				return nil, err
			}
			if name, ok := parseEndorsement(strings.TrimPrefix(e.ref, root)); ok && e.oid != "" {
				found = append(found, Ref{Name: name, Remote: remote, Object: e.oid})
			}
		}
	}
	archives, err := s.Archives.archivesOf(ctx, places)
	if err != nil {
		return nil, err
	}
	q := Query{Kind: endorsements}
	if id != "" {
		q.only = archiveFolder(id)
	}
	for _, a := range archives {
		for ref, err := range s.archive.archivedRecords(ctx, a, q) {
			if err != nil {
				return nil, err
			}
			if id == "" || ref.Name.ID == id {
				found = append(found, ref)
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Ref) int {
		return cmp.Or(cmp.Compare(a.Name.ID, b.Name.ID), cmp.Compare(a.Name.Key, b.Name.Key),
			cmp.Compare(a.Remote, b.Remote))
	})
	var distinct []Ref
	first := 0 // first is where those of the same name begin.
	for _, e := range found {
		if len(distinct) > 0 && distinct[first].Name != e.Name {
			first = len(distinct)
		}
		if !slices.ContainsFunc(distinct[first:], func(k Ref) bool { return k.Object == e.Object }) {
			distinct = append(distinct, e)
		}
	}
	return distinct, nil
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
func (s *Store) Endorse(ctx context.Context, e NewEndorsement) (Ref, error) {
	name := Endorsement(e.ID, e.Key)
	if !name.isValid() || name.Key == "" {
		return Ref{}, fmt.Errorf("save endorsement: %q is not the name of one", name.Ref())
	}
	if named, ok := taggedBlob(e.Tag); !ok || named != e.Blob {
		return Ref{}, wrap("save endorsement", name.Ref(), fmt.Errorf("tag object: %w", ErrShape))
	}
	if len(e.Tag) > maxTag {
		return Ref{},
			wrap("save endorsement", name.Ref(), &TooLargeError{Size: int64(len(e.Tag)), Max: maxTag})
	}
	typ, blob, err := s.objects.readObject(ctx, e.Blob, maxSpooled)
	if err == nil && typ != "blob" {
		err = ErrShape
	}
	if err != nil {
		return Ref{}, wrap("save endorsement", name.Ref(), fmt.Errorf("object %q: %w", e.Blob, err))
	}
	// The blob goes along: a garbage collection may take it together with the record while this one is made.
	tag := func(string) ([]byte, error) { return e.Tag, nil }
	refs, err := s.createRecords(ctx, []New{{Name: name, Data: blob, Tag: tag}})
	if err != nil {
		return Ref{}, err
	}
	if refs[0].Object == e.Blob {
		return Ref{}, wrap("save endorsement", name.Ref(), ErrExists)
	}
	return refs[0], nil
}

// ReadTag returns a raw tag object of at most 64 KiB whose bytes have the name that they are stored under.
func (s *Store) ReadTag(ctx context.Context, oid string) ([]byte, error) {
	typ, tag, err := s.archive.readObject(ctx, oid, maxTag)
	switch {
	case typ != "" && typ != "tag": // It may be too large beside.
		err = ErrShape
	case err == nil && hashObject(len(oid), "tag", tag) != oid:
		err = ErrCorrupt
	}
	if err != nil {
		return nil, wrap("read tag", oid, err)
	}
	return tag, nil
}
