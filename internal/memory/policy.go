package memory

import (
	"context"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// Reading is for whom a record is read.
type Reading = provenance.Audience

// The reasons to read a record.
const (
	Inspected = provenance.Inspecting // a person looks at what is here
	Asked     = provenance.Requested  // a session asked for it, or for the best there is
	Unasked   = provenance.Automatic  // nobody did: a hook adds it to a session by itself
)

// policy is what is asked of a record. Where the configuration says nothing of it, no process is started.
func (m *Memory) policy(ctx context.Context) (trust.Policy, error) {
	if m.asks != nil {
		return *m.asks, nil
	}
	var p trust.Policy
	if trust.HasPolicy(m.repo) {
		config, err := m.Config(ctx)
		if err != nil {
			return trust.Policy{}, err
		}
		if p, err = trust.PolicyOf(config); err != nil {
			return trust.Policy{}, err
		}
	}
	m.asks = &p
	return p, nil
}

// keptFrom says why a record is kept from those who read it for a reason, or nothing where it is shown.
func (m *Memory) keptFrom(ctx context.Context, e Entry, reading Reading) (why string, err error) {
	if e.Verdict.Standing.Withheld() {
		return e.Verdict.Why, nil
	}
	if reading == Inspected {
		return "", nil
	}
	p, err := m.policy(ctx)
	if err != nil {
		return "", err
	}
	endorsed := 0
	if p.Endorsed > 0 {
		endorsed = endorsedBy(e.Verdict, e.Endorsers)
	}
	switch {
	case e.Verdict.Standing.Vouched() && endorsed >= p.Endorsed:
		return "", nil
	case p.Require == trust.Never, p.Require == trust.Warn && reading == Asked:
		return "", nil
	case e.Verdict.Standing.Vouched():
		return fmt.Sprintf("others who vouch for it: %d, and ltm.requireEndorsed asks for %d", endorsed, p.Endorsed), nil
	default:
		return unvouched(p, e.Verdict.Why), nil
	}
}

// unvouched says why a record is withheld for which nobody here vouches.
func unvouched(p trust.Policy, why string) string {
	if p.Require == trust.Always {
		return "ltm.requireSigned asks for a signature that is trusted here: " + why
	}
	return "nobody asked for it, and nobody here vouches for it: " + why
}

// isTrusted tells whether somebody who is trusted here vouches for a record, with as many others as policy asks for.
func (m *Memory) isTrusted(ctx context.Context, e Entry) (bool, error) {
	p, err := m.policy(ctx)
	return err == nil && e.Verdict.Standing.Vouched() && (p.Endorsed == 0 || endorsedBy(e.Verdict, e.Endorsers) >= p.Endorsed), err
}
