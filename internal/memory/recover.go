package memory

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Recover makes the refs again of records that this clone made, that nobody purged, and that lie nowhere any more although
// their objects do: a fetch that writes over refs/ltm, and prunes there, has deleted them. What it did stands in
// [Memory.Healed].
func (m *Memory) Recover(ctx context.Context) error {
	s, err := m.Fold(ctx)
	if err != nil {
		return err
	}
	here, err := m.store.Held(ctx, "")
	if err != nil {
		return err
	}
	var lost []refs.Ref
	for known, err := range m.seen.All() {
		if err != nil {
			return err
		}
		name, was := known.Name, known.Was
		if !was.Made || was.Forgotten || here[name.Ref()] != "" || s.Gone(name.Ref()) {
			continue
		}
		ref, err := m.lostOne(ctx, name, was)
		if err != nil {
			return err
		}
		if ref.Object != "" {
			lost = append(lost, ref)
		}
	}
	if _, err := m.store.Import(ctx, lost); err != nil || len(lost) == 0 {
		return err // Where another process has made one meanwhile, that is as good.
	}
	for _, ref := range lost {
		m.healed.Restored = append(m.healed.Restored, ref.Full())
	}
	m.Forget()
	return nil
}

// lostOne returns the ref that a record had, where neither a list shows it nor its object is gone.
func (m *Memory) lostOne(ctx context.Context, name refs.Name, was ledger.Sighting) (refs.Ref, error) {
	if _, found, err := m.store.Archived(ctx, name); found || err != nil {
		return refs.Ref{}, err
	}
	object := was.Blob
	if was.Tag != "" {
		object = was.Tag
	}
	whole, err := m.store.SameBlob(ctx, object, was.Blob)
	if err != nil || !whole {
		return refs.Ref{}, err
	}
	return refs.Ref{Name: name, Object: object}, nil
}
