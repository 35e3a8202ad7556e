package memory

import (
	"context"
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

// holding reads an archive.
func (m *Memory) holding(ctx context.Context, a refs.Archive) (h holding, err error) {
	for ref, err := range m.store.Entries(ctx, a) {
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
func (m *Memory) InArchive(ctx context.Context, a refs.Archive) (map[string]string, error) {
	held, err := m.holding(ctx, a)
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
