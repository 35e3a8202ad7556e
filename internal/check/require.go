package check

import (
	"context"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// Requirement is what a check asks of the signature of each record, whoever runs it.
type Requirement string

// The requirements.
const (
	RequireNothing Requirement = ""
	RequireSigned  Requirement = "signed" // a signature that fits, of whatever key
	// one of a key that counts here, for this store, with as many others as policy asks for
	RequireGood Requirement = "good"
)

// ParseRequirement reads the name of a requirement.
func ParseRequirement(text string) (Requirement, error) {
	switch r := Requirement(text); r {
	case RequireNothing, RequireSigned, RequireGood:
		return r, nil
	default:
		return "", fmt.Errorf("%q is neither %s nor %s", (*scan.Rules)(nil).Public(text), RequireSigned,
			RequireGood)
	}
}

// Lacks says what a record lacks of a requirement, or nothing. signed tells whether there is a signature at
// all, endorsed how many others vouch for it, and asked how many policy asks for. That this clone made a
// record says nothing to others.
func (r Requirement) Lacks(v sign.Verdict, signed bool, endorsed, asked int) string {
	signed = signed && !v.Standing.Withheld()
	switch {
	case r == RequireNothing:
		return ""
	case !signed, r == RequireGood && v.Standing != sign.Good:
		return fmt.Sprintf("it is %s: %s", v.Standing, v.Why)
	case r == RequireGood && endorsed < asked:
		return fmt.Sprintf("signatures of others: %d, and ltm.requireEndorsed asks for %d", endorsed, asked)
	default:
		return ""
	}
}

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
			trust.EndorsedBy(s.verdict, v.Endorsers), p.Endorsed)
	}
	return err
}
