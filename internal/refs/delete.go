package refs

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/git"
)

// Delete removes refs in one transaction: all or none. Each must still point to the object that it names; a ref that
// is gone already is fine. The spool forgets the records first, so that Heal does not bring them back.
func (s *Store) Delete(ctx context.Context, refs []Ref) error {
	if len(refs) == 0 {
		return nil
	}
	changes := make([]git.Change, len(refs))
	for i, ref := range refs {
		if !ref.Name.valid() || (ref.Remote != "" && !SafeRemote(ref.Remote)) {
			return wrap("delete record", ref.Full(), ErrNotFound)
		}
		changes[i] = git.Change{Kind: git.Delete, Ref: ref.Full(), Old: ref.Object}
	}
	gone := map[string]bool{}
	for _, ref := range refs {
		if ref.Remote != "" {
			gone[ref.Full()] = true
			continue
		}
		if err := s.spool.forget(ref.Name); err != nil {
			return wrap("forget record", ref.Full(), err)
		}
	}
	if err := s.forgetWaiting(func(ref, _ string) bool { return gone[ref] }); err != nil {
		return wrap("delete record", refs[0].Full(), err)
	}
	return wrap("delete record", refs[0].Full(), s.repo.Update(ctx, changes))
}
