package memory

import (
	"context"
	"strings"

	"github.com/git-ltm/git-ltm/internal/refs"
)

// holding is everything that an archive holds, each under the full name that its ref would have.
type holding []target

// names returns the full names, and what they name.
func (h holding) names() map[string]string {
	all := make(map[string]string, len(h))
	for _, t := range h {
		all[t.name] = objectOf(t)
	}
	return all
}

// objectOf is the object that a target names.
func objectOf(t target) string {
	if t.later.ID != "" {
		return t.later.Object
	}
	return t.ref.Object
}

// holding reads an archive. One that nobody wrote holds nothing.
func (m *Memory) holding(ctx context.Context, a refs.Archive) (h holding, err error) {
	if a.Commit == "" {
		return nil, nil
	}
	for ref, err := range m.store.Entries(ctx, a) {
		if err != nil {
			return h, err
		}
		h = append(h, target{ref: ref, name: ref.Name.Ref()})
	}
	for e, err := range m.store.ArchivedEndorsements(ctx, a) {
		if err != nil {
			return h, err
		}
		h = append(h, target{later: e, name: e.Ref().Name.Ref()})
	}
	return h, nil
}

// InArchive returns the full names that the refs of an archive's records would have, and their objects.
func (m *Memory) InArchive(ctx context.Context, a refs.Archive) (map[string]string, error) {
	h, err := m.holding(ctx, a)
	return h.names(), err
}

// LeftInArchive counts what one archive holds that another lacks and that was not purged.
func (m *Memory) LeftInArchive(ctx context.Context, a, other refs.Archive) (int, error) {
	held, err := m.holding(ctx, a)
	if err != nil {
		return 0, err
	}
	others, err := m.InArchive(ctx, other)
	if err != nil {
		return 0, err
	}
	s, err := m.fold(ctx)
	if err != nil {
		return 0, err
	}
	left := 0
	for name, object := range held.names() {
		if !s.gone(name) && others[name] != object {
			left++
		}
	}
	return left, nil
}

// localArchive finds the archive of a writer in this clone.
func (m *Memory) localArchive(ctx context.Context, writer string) (refs.Archive, error) {
	all, err := m.store.Archives(ctx)
	for _, a := range all {
		if a.Remote == "" && a.Writer == writer {
			return a, err
		}
	}
	return refs.Archive{Writer: writer}, err
}

// setArchive makes an archive of this clone hold exactly this.
func (m *Memory) setArchive(ctx context.Context, writer string, h holding) error {
	var records []refs.Ref
	var later []refs.Endorsement
	for _, t := range h {
		if t.later.ID != "" {
			later = append(later, t.later)
		} else {
			records = append(records, t.ref)
		}
	}
	_, err := m.store.SetArchive(ctx, writer, records, later)
	return err
}

// inArchive names a record in an archive.
func inArchive(archive, record string) string {
	return archive + ":" + strings.TrimPrefix(record, localRoot)
}
