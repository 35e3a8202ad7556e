package audit

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// ErrUnsigned says that a record has no signature where one was asked for.
var ErrUnsigned = errors.New("it is not signed")

// SignedWith returns the signature of a record: its own, or else the one that was added later, if there is one alone that may
// be meant. What it says of its maker is not checked.
func (u *Auditor) SignedWith(ctx context.Context, spec string) (sign.Tag, error) {
	t, err := u.opts.Reader.TargetOf(ctx, spec)
	if err != nil {
		return sign.Tag{}, err
	}
	obj, err := u.opts.Store.Read(ctx, t.Ref, refs.Bound(t.Ref.Name.Kind))
	if err != nil {
		return sign.Tag{}, &replay.ReadError{Ref: t.Name, Err: err}
	}
	if len(obj.Tag) == 0 {
		return u.signedLater(ctx, t.Ref.Name.ID, obj)
	}
	tag, err := sign.Examine(obj.Tag, string(t.Ref.Name.ID), obj.OID, obj.Data)
	if err != nil {
		return sign.Tag{}, &replay.StandingError{ID: t.Ref.Name.ID, Verdict: sign.Verdict{Standing: sign.Bad, Why: err.Error()}}
	}
	return tag, nil
}

// signedLater returns the one later signature of a record. Anybody can add one, so that of several none is chosen.
func (u *Auditor) signedLater(ctx context.Context, id packet.ID, obj refs.Object) (sign.Tag, error) {
	later, err := u.opts.Store.Endorsements(ctx, id)
	if err != nil {
		return sign.Tag{}, err
	}
	var fit []sign.Tag
	for _, e := range later[:min(len(later), vouch.MostEndorsers)] {
		tag, v, err := u.opts.Judge.Endorsement(ctx, e, obj)
		if err != nil {
			return sign.Tag{}, err
		}
		if !v.Standing.Withheld() {
			fit = append(fit, tag)
		}
	}
	switch len(fit) {
	case 0:
		return sign.Tag{}, fmt.Errorf("record %s: %w", id, ErrUnsigned)
	case 1:
		return fit[0], nil
	default:
		return sign.Tag{}, fmt.Errorf("record %s was signed later by %d keys: name the one that is meant by its file; one of several %w", id, len(fit), replay.ErrUsage)
	}
}
