package check

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// Vouch asks who vouches for a record, where it has a signature or has to have one. That this clone made it,
// or saw another before, does not count: a check says what everybody would say.
func (c *Checker) vouchFor(ctx context.Context, s *Stored) (err error) {
	switch {
	case s.Flaw != "":
		return nil
	case s.Ref.Name.Key != "":
		if s.object.OID != "" {
			_, s.verdict, err = c.Judges.Endorsement(ctx, s.Ref, s.object)
		}
		return err
	case len(s.object.Tag) == 0 && c.Require == RequireNothing:
		return nil
	}
	v, err := c.Judges.Vouch(ctx, s.Ref.Name.ID, s.object)
	if err != nil {
		return err
	}
	if s.verdict = v.Verdict; c.Retracted[s.Ref.Name.ID] && s.verdict.Standing != sign.Bad {
		s.verdict = sign.Verdict{} // No session reads it any more, so nobody has to vouch for it.
		return nil
	}
	p, err := c.Judges.Policy(ctx)
	if err == nil && !s.verdict.Standing.Withheld() {
		s.lacks = c.Require.Lacks(s.verdict, len(s.object.Tag)+len(v.Endorsers) > 0,
			vouch.EndorsedBy(s.verdict, v.Endorsers), p.Endorsed)
	}
	return err
}
