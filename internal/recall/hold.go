package recall

import (
	"context"
	"strings"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// DeadEndKey is the key of the configuration that says what happens before a call that certainly meets a
// known dead end: warn, once or ask.
const DeadEndKey = "ltm.deadEnd"

// holdingSetting is how calls are held back here; "" where they are not. A value that a checkout may have
// brought, and one that is none, let the call go on: nothing that comes with a repository makes an agent
// wait.
func (r *Recall) holdingSetting(ctx context.Context) agent.Holding {
	if !r.memory.Repo().Settings().MaybeSet(DeadEndKey) {
		return agent.Deny
	}
	all, err := r.memory.Repo().Settings().Scoped(ctx, DeadEndKey)
	value := "once"
	for _, one := range all {
		value = strings.ToLower(one.Value)
	}
	switch {
	case err == nil && value == "once":
		return agent.Deny
	case err == nil && value == "ask":
		return agent.Ask
	default:
		return ""
	}
}
