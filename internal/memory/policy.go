package memory

import (
	"context"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/trust"
)

// Reading is why a record is read.
type Reading int

// The reasons to read a record.
const (
	Asked   Reading = iota // somebody asked for it, or for the best there is
	Unasked                // nobody did: a hook hands it on by itself
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

// Withheld says why a record is kept from a session, or nothing where it is handed on. No policy hands on what is bad or
// revoked.
func (m *Memory) Withheld(ctx context.Context, e Entry, reading Reading) (why string, err error) {
	if e.Verdict.Standing.Withheld() {
		return e.Verdict.Why, nil
	}
	p, err := m.policy(ctx)
	if err != nil {
		return "", err
	}
	endorsed := endorsedBy(e.Verdict, e.Endorsers)
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

// Verified tells whether somebody that counts here vouches for a record, with as many others as policy asks for.
func (m *Memory) Verified(ctx context.Context, e Entry) (bool, error) {
	p, err := m.policy(ctx)
	return err == nil && e.Verdict.Standing.Vouched() && endorsedBy(e.Verdict, e.Endorsers) >= p.Endorsed, err
}
