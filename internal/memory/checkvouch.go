package memory

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// Vouch asks who vouches for a record, where it has a signature or has to have one. That this clone made it, or saw another
// before, does not count: a check says what everybody would say.
func (c *checker) vouch(ctx context.Context, s *stored) (err error) {
	switch {
	case s.flaw != "":
		return nil
	case s.later.ID != "":
		if s.object.OID != "" {
			_, s.verdict, err = c.memory.judge.Endorsement(ctx, s.later, s.object)
		}
		return err
	case len(s.object.Tag) == 0 && c.require == RequireNothing:
		return nil
	}
	v, err := c.memory.judge.Vouch(ctx, s.ref.Name.ID, s.object)
	if err != nil {
		return err
	}
	if s.verdict = v.Verdict; c.lives[s.ref.Name.ID].Retracted && s.verdict.Standing != sign.Bad {
		s.verdict = sign.Verdict{} // No session reads it any more, so nobody has to vouch for it.
		return nil
	}
	p, err := c.memory.judge.Policy(ctx)
	if err == nil && !s.verdict.Standing.Withheld() {
		s.lacks = c.require.lacks(s.verdict, len(s.object.Tag)+len(v.Endorsers) > 0, vouch.EndorsedBy(s.verdict, v.Endorsers), p.Endorsed)
	}
	return err
}

// requiredOfOffers is what a push has to bring: where policy withholds what nobody vouches for, nobody should send it.
func (m *Memory) requiredOfOffers(ctx context.Context) (Requirement, error) {
	p, err := m.judge.Policy(ctx)
	if err != nil || p.Require != trust.Always {
		return RequireNothing, err
	}
	return RequireGood, nil
}

// endorseWith lets signatures count that are offered together with the records that they vouch for.
func (m *Memory) endorseWith(ctx context.Context, offered []target) error {
	all, err := m.judge.AllEndorsements(ctx)
	for _, t := range offered {
		if err == nil && t.later.ID != "" {
			all[t.later.ID] = append(all[t.later.ID], t.later)
		}
	}
	return err
}
