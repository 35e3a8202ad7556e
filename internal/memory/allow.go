package memory

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
)

func (m *Memory) notAllowed(_ context.Context, _ packet.ID, hits []redact.Finding) ([]redact.Finding, error) {
	return hits, nil
}
