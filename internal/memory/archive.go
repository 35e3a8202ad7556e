package memory

import (
	"context"
	"strings"

	"github.com/git-ltm/git-ltm/internal/refs"
)

// holding is everything that an archive holds, each under the full name that its ref would have.
type holding []target

// objectOf is the object that a target names.
func objectOf(t target) string {
	if t.later.ID != "" {
		return t.later.Object
	}
	return t.ref.Object
}

// holding reads an archive.
func (m *Memory) holding(ctx context.Context, a refs.Archive) (h holding, err error) {
	for ref, err := range m.store.Entries(ctx, a) {
		if err != nil {
			return h, err
		}
		t := target{ref: ref, name: ref.Name.Ref()}
		if ref.Name.Key != "" {
			t = target{later: ref.Endorsement(), name: t.name}
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
		names[t.name] = objectOf(t)
	}
	return names, err
}

// inArchive names a record in an archive.
func inArchive(archive, record string) string {
	return archive + ":" + strings.TrimPrefix(record, localRoot)
}
