package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/sign"
)

// ErrUnsigned says that a record has no signature where one was asked for.
var ErrUnsigned = errors.New("it is not signed")

// SignedWith returns the signature of a record: its own, or else the first that was added later. What it says of its maker is
// not checked.
func (m *Memory) SignedWith(ctx context.Context, spec string) (sign.Tag, error) {
	t, err := m.targetOf(ctx, spec)
	if err != nil {
		return sign.Tag{}, err
	}
	obj, err := m.store.Read(ctx, t.ref, bound(t.ref.Name.Kind))
	if err != nil {
		return sign.Tag{}, &ReadError{Ref: t.name, Err: err}
	}
	raw := obj.Tag
	if len(raw) == 0 {
		later, err := m.store.Endorsements(ctx, t.ref.Name.ID)
		if err != nil {
			return sign.Tag{}, err
		}
		if len(later) == 0 {
			return sign.Tag{}, fmt.Errorf("record %s: %w", t.ref.Name.ID, ErrUnsigned)
		}
		if raw, err = m.store.ReadTag(ctx, later[0].Object); err != nil {
			return sign.Tag{}, &ReadError{Ref: later[0].Full(), Err: err}
		}
	}
	tag, err := sign.Examine(raw, string(t.ref.Name.ID), obj.OID, obj.Data)
	if err != nil {
		return sign.Tag{}, &StandingError{ID: t.ref.Name.ID, Verdict: sign.Verdict{Standing: sign.Bad, Why: err.Error()}}
	}
	return tag, nil
}
