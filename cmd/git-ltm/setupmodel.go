package main

import "context"

// settleModel offers the agent's own program for drafts.
func (e *env) settleModel(_ context.Context, _ setupOptions) error { return nil }
