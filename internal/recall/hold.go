package recall

import (
	"context"
	"strings"
	"sync"

	"github.com/git-ltm/git-ltm/internal/agent"
)

// DeadEndKey is the key of the configuration that says what happens before a call that certainly meets a
// known dead end: warn, once or ask.
const DeadEndKey = "ltm.deadEnd"

// judgeHolding says which of some dead ends hold a call back, and how. Those of drafts say already whether
// they may. This is the one place that says so, for hooks and for whoever asks what they would do.
func (r *Recall) judgeHolding(ctx context.Context, ends []DeadEnd) {
	how := sync.OnceValue(func() agent.Holding { return r.holdingSetting(ctx) })
	for i, end := range ends {
		if end.Holds != "" || end.Match.Certain && end.mayHold() {
			ends[i].Holds = how()
		}
	}
}

// mayHold tells whether a record is one that may hold a call back: it is trusted and undisputed.
func (f Found) mayHold() bool { return f.Entry.Trusted() && !f.Entry.Life.Contradicted }

// holdingSetting is how calls are held back here; "" where they are not. A value that a checkout may have
// brought, and one that is none, let the call go on: nothing that comes with a repository makes an agent
// wait.
func (r *Recall) holdingSetting(ctx context.Context) agent.Holding {
	if !r.memory.Repo().MaybeSet(DeadEndKey) {
		return agent.Deny
	}
	all, err := r.memory.Repo().ScopedSettings(ctx, DeadEndKey)
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
