package vouch

import (
	"context"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// Policy is what is asked of a record. Where the configuration says nothing of it, no process is started.
func (j *Judge) Policy(ctx context.Context) (trust.Policy, error) {
	if j.asks != nil {
		return *j.asks, nil
	}
	var p trust.Policy
	if trust.HasPolicy(j.repo) {
		config, err := j.config(ctx)
		if err != nil {
			return trust.Policy{}, err
		}
		if p, err = trust.PolicyOf(config); err != nil {
			return trust.Policy{}, err
		}
	}
	j.asks = &p
	return p, nil
}

// KeptFrom says why a record is kept from those who read it for a reason, or nothing where it is shown.
func (j *Judge) KeptFrom(ctx context.Context, verdict sign.Verdict, endorsers []Endorser, reading provenance.Audience) (why string, err error) {
	if verdict.Standing.Withheld() {
		return verdict.Why, nil
	}
	if reading == provenance.Inspecting {
		return "", nil
	}
	p, err := j.Policy(ctx)
	if err != nil {
		return "", err
	}
	endorsed := 0
	if p.Endorsed > 0 {
		endorsed = EndorsedBy(verdict, endorsers)
	}
	switch {
	case verdict.Standing.Vouched() && endorsed >= p.Endorsed:
		return "", nil
	case p.Require == trust.Never, p.Require == trust.Warn && reading == provenance.Requested:
		return "", nil
	case verdict.Standing.Vouched():
		return fmt.Sprintf("signatures of others: %d, and ltm.requireEndorsed asks for %d", endorsed, p.Endorsed), nil
	default:
		return Unvouched(p, verdict.Why), nil
	}
}

// Unvouched says why a record is withheld for which nobody here vouches.
func Unvouched(p trust.Policy, why string) string {
	if p.Require == trust.Always {
		return "ltm.requireSigned asks for a signature that is trusted here: " + why
	}
	return "nobody asked for it, and it is not trusted here: " + why
}

// IsTrusted tells whether somebody who is trusted here vouches for a record, with as many others as policy asks for.
func (j *Judge) IsTrusted(ctx context.Context, verdict sign.Verdict, endorsers []Endorser) (bool, error) {
	p, err := j.Policy(ctx)
	return err == nil && verdict.Standing.Vouched() && (p.Endorsed == 0 || EndorsedBy(verdict, endorsers) >= p.Endorsed), err
}
