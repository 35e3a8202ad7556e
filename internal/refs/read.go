package refs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
)

// Read returns what a record holds: a blob of no more bytes than its kind may have, and the tag object before
// it if there is one. Nothing larger is read. A record whose object is gone is taken from the spool.
func (s *Store) Read(ctx context.Context, ref Ref) (Object, error) {
	limit := Bound(ref.Name.Kind)
	object, err := s.readObject(ctx, ref.Object, limit)
	if errors.Is(err, ErrMissing) || errors.Is(err, ErrCorrupt) {
		k, gone := s.spool.loadEntry(ref.Name)
		if gone == nil && k.refObject() == ref.Object && int64(len(k.blob)) <= limit {
			return Object{Type: "blob", Data: k.blob, OID: k.blobOID, Tag: k.tag, TagOID: k.tagOID}, nil
		}
	}
	return object, wrap("read record", ref.Full(), err)
}

// readObject follows a tag once.
func (s *Store) readObject(ctx context.Context, oid string, limit int64) (Object, error) {
	typ, data, err := s.archive.readObject(ctx, oid, max(limit, maxTag))
	switch {
	case err != nil:
		return Object{}, err
	case typ == "blob" && int64(len(data)) > limit:
		return Object{}, &TooLargeError{OID: oid, Size: int64(len(data)), Max: limit}
	case typ == "blob":
		return Object{Type: typ, Data: data, OID: oid}, nil
	case typ != "tag":
		return Object{}, fmt.Errorf("object %s is a %s: %w", oid, typ, ErrShape)
	case len(data) > maxTag:
		return Object{}, &TooLargeError{OID: oid, Size: int64(len(data)), Max: maxTag}
	}
	return s.readBehind(ctx, oid, data, limit)
}

// readBehind reads the blob that a tag object names.
func (s *Store) readBehind(ctx context.Context, tagOID string, tag []byte, limit int64) (Object, error) {
	oid, ok := taggedBlob(tag)
	if !ok {
		return Object{}, fmt.Errorf("tag %s: %w", tagOID, ErrShape)
	}
	typ, data, err := s.objects.readObject(ctx, oid, limit)
	if err != nil {
		return Object{}, err
	}
	if typ != "blob" {
		return Object{}, fmt.Errorf("tag %s names a %s: %w", tagOID, typ, ErrShape)
	}
	if hashObject(len(tagOID), "tag", tag) != tagOID {
		return Object{}, fmt.Errorf("tag %s: %w", tagOID, ErrCorrupt)
	}
	return Object{Type: typ, Data: data, OID: oid, Tag: tag, TagOID: tagOID}, nil
}

// taggedBlob reads the first two lines of a tag object, which have to name a blob.
func taggedBlob(tag []byte) (string, bool) {
	rest, ok := bytes.CutPrefix(tag, []byte("object "))
	if !ok {
		return "", false
	}
	oid, rest, ok := bytes.Cut(rest, []byte("\n"))
	if !ok || !bytes.HasPrefix(rest, []byte("type blob\n")) {
		return "", false
	}
	return string(oid), git.IsObjectID(string(oid))
}

// Resolve returns the object that a ref of the repository names, "" where there is no such ref.
func (s *Store) Resolve(ctx context.Context, ref string) (string, error) {
	return s.reader.resolveRef(ctx, ref)
}

// Tip returns the commit that a branch of the repository names, and its tree; both are "" where there is none
// yet.
func (s *Store) Tip(ctx context.Context, branch string) (commit, tree string, err error) {
	if commit, err = s.reader.resolveRef(ctx, branch); err != nil || commit == "" {
		return "", "", err
	}
	tree, err = s.AtTop(ctx, commit, "")
	return commit, tree, err
}

// AtTop returns the object of a name at the top of a commit, or of no name the tree; "" where there is none.
func (s *Store) AtTop(ctx context.Context, commit, name string) (string, error) {
	found, err := git.FindPlaces([]git.Place{{Commit: commit, Path: name}},
		func(oid string, limit int64) (string, []byte, error) { return s.objects.readObject(ctx, oid, limit) })
	if err == nil && !errors.Is(found[0].Err, git.ErrNoPath) {
		err = found[0].Err
	}
	if err != nil {
		return "", wrap("read commit", commit, err)
	}
	return found[0].OID, nil
}

// Head returns the commit of the branch that a symbolic ref such as refs/remotes/origin/HEAD stands for; ""
// where there is no such ref. It starts no process, and fails with [ErrShape] where git alone can tell.
func (s *Store) Head(ctx context.Context, ref string) (string, error) {
	if s.files == nil {
		return "", ErrShape
	}
	text, err := s.files.readText(ref)
	if isGone(err) {
		commit, err := s.files.resolveRef(ctx, ref)
		if err == nil && commit != "" {
			err = ErrShape // It stands for nothing.
		}
		return "", err
	}
	if err != nil {
		return "", wrap("read ref", ref, err)
	}
	branch, ok := strings.CutPrefix(text, "ref: ")
	branch = strings.TrimSuffix(branch, "\n")
	if folder := strings.TrimSuffix(ref, "HEAD"); !ok || !strings.HasPrefix(branch, folder) ||
		strings.ContainsAny(branch, " \n") {
		return "", ErrShape
	}
	return s.files.resolveRef(ctx, branch)
}
