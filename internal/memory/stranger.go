package memory

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// Stranger says why a record which lies behind no signature is surely kept from those who did not ask for it, without reading it:
// this clone did not make it, and nobody signed it later. Nothing says that it has to be read. It is for crowds: anybody who can
// push can make any number of records that meet a question.
func (m *Memory) Stranger(ctx context.Context, full string) (why string, err error) {
	p, err := m.judge.Policy(ctx)
	if err != nil || p.Require == trust.Never {
		return "", err
	}
	name, ok := refs.ParseName(full)
	if !ok {
		if _, name, ok = refs.ParseTracking(full); !ok {
			return "", nil // Whatever is private was made here.
		}
	}
	if was, _ := m.seen.find(name); was.made {
		return "", nil
	}
	endorsed, err := m.judge.AllEndorsements(ctx)
	if err != nil || len(endorsed[name.ID]) > 0 {
		return "", err
	}
	return vouch.Unvouched(p, vouch.NotSigned), nil
}
