package main

import "context"

// settleUpstream fixes the remote that memory is exchanged with, and how far it is trusted.
func (e *env) settleUpstream(_ context.Context, _ setupOptions) error { return nil }
