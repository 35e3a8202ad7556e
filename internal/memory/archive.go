package memory

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// holding is everything that an archive holds, each under the full name that its ref would have.
type holding []check.Target

// objectOf is the object that a target names.
func objectOf(t check.Target) string {
	if t.Later.ID != "" {
		return t.Later.Object
	}
	return t.Ref.Object
}

// readArchive reads what an archive holds.
func readArchive(ctx context.Context, store *refs.Store, a refs.Archive) (h holding, err error) {
	for ref, err := range store.Entries(ctx, a) {
		if err != nil {
			return h, err
		}
		t := check.Target{Ref: ref, Name: ref.Name.Ref()}
		if ref.Name.Key != "" {
			t = check.Target{Later: ref.Endorsement(), Name: t.Name}
		}
		h = append(h, t)
	}
	return h, nil
}

// InArchive returns the full names that the refs of an archive's records would have, and their objects.
func (n *Intake) InArchive(ctx context.Context, a refs.Archive) (map[string]string, error) {
	held, err := readArchive(ctx, n.store, a)
	names := make(map[string]string, len(held))
	for _, t := range held {
		names[t.Name] = objectOf(t)
	}
	return names, err
}

// inArchive names a record in an archive.
func inArchive(archive, record string) string {
	return archive + ":" + strings.TrimPrefix(record, refs.Root)
}

// within are the records of an archive as things to look at. One that cannot be read is one thing with that flaw.
func within(ctx context.Context, store *refs.Store, a refs.Archive, subject string) ([]check.Target, error) {
	all, err := readArchive(ctx, store, a)
	if IsUnreadable(err) {
		return []check.Target{{Name: subject, Flaw: check.RuleObject, Why: fmt.Sprintf("the archive cannot be read: %v", err)}}, nil
	}
	for i := range all {
		all[i].Name = inArchive(subject, all[i].Name)
	}
	return all, err
}

// formatTargets says what is wrong with the ref that tells the format of the layout.
func formatTargets(ctx context.Context, store *refs.Store, name, oid string) ([]check.Target, error) {
	needs, err := store.MinReader(ctx, oid)
	switch {
	case IsUnreadable(err):
		return []check.Target{{Name: name, Flaw: check.RuleReserved, Why: "it does not say which readers the memory is for"}}, nil
	case err != nil:
		return nil, err
	case needs > refs.Format:
		return []check.Target{check.OddTarget(name, refs.Root)}, nil
	}
	return nil, nil
}

// misnamed is what is wrong with an archive whose name does not say which commit it is.
const misnamed = "its name is not the digest of what it holds, and an archive never changes"
