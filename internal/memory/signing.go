package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// signer returns what makes the tag object of a record, or nil where nobody
// signs.
func (m *Memory) signer(ctx context.Context, id packet.ID, data []byte) func(string) ([]byte, error) {
	if m.opts.Signer == nil {
		return nil
	}
	return func(blob string) ([]byte, error) {
		name, mail, err := m.repo.Identity(ctx)
		if err != nil {
			return nil, err
		}
		now := m.opts.Now()
		s := sign.Statement{
			Object: blob, Name: string(id), Data: data,
			Tagger: fmt.Sprintf("%s <%s> %d +0000", name, mail, now.Unix()),
		}
		payload := s.Payload()
		signature, err := m.opts.Signer(ctx, payload)
		if err != nil {
			return nil, fmt.Errorf("sign record %s: %w", id, err)
		}
		raw := slices.Concat(payload, signature)
		t, err := sign.ParseTag(raw)
		if err != nil {
			return nil, fmt.Errorf("sign record %s: %w", id, err)
		}
		return raw, t.Bind(string(id), blob, data)
	}
}
