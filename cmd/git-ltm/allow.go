package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/reply"
)

type allowOptions struct {
	why, until   string
	revoke, json bool
}

func newAllow(e *env) *cobra.Command {
	var o allowOptions
	cmd := &cobra.Command{
		Use:   "allow [FINGERPRINT...]",
		Short: "Allow single findings that are no secrets, for some time",
		Long: "Allow says that a finding may stay in the packet that holds it: until a day, for a reason, under your name. It names\n" +
			"the finding by the fingerprint that 'git ltm check' prints. Allowed findings are shown by a check and do not fail it,\n" +
			"and a packet of a remote is shown when all that was found in it is allowed here. A save is not changed by it.\n\n" +
			"Only what was allowed in this clone counts, or what a trusted key signed. What others say is a claim, until you allow it.\n" +
			"Without a fingerprint it lists what is allowed, by whom and until when, claims, and what is expired or not found any more.\n\n" + exitCodes,
		Example: "  git ltm allow v1:0123456789abcdef --why 'The key of the manual' --until 90d\n" +
			"  git ltm allow\n  git ltm allow --revoke v1:0123456789abcdef --why 'It was a key'",
		Args: arguments(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, args []string) error { return e.allow(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.why, "why", "", "the reason, kept in the event: `TEXT`")
	f.StringVar(&o.until, "until", "",
		"the last day, a time, or how long from now, such as 90d or 4w; at most 365d: `DATE`")
	f.BoolVar(&o.revoke, "revoke", false, "take it back")
	f.BoolVar(&o.json, "json", false, "print a JSON array")
	return cmd
}

func (e *env) allow(ctx context.Context, o allowOptions, fingerprints []string) error {
	if len(fingerprints) == 0 && !o.revoke && o.why == "" && o.until == "" {
		return e.use(ctx, func(m *memory.Memory) error { return e.listAllowed(ctx, m, o) })
	}
	until, err := o.check(fingerprints, e.now())
	if err != nil {
		return err
	}
	return e.use(ctx, func(m *memory.Memory) error {
		if o.revoke {
			all, err := m.Audit().Disallow(ctx, fingerprints, o.why)
			return e.decided(o, "revoked", all, err)
		}
		all, err := m.Audit().Allow(ctx,
			audit.AllowRequest{Fingerprints: fingerprints, Why: o.why, Until: until})
		return e.decided(o, "allowed", all, err)
	})
}

// check says everything that is wrong with the flags, and when an allowance ends.
func (o allowOptions) check(fingerprints []string, now time.Time) (until time.Time, err error) {
	var problems []error
	if len(fingerprints) == 0 {
		problems = append(problems,
			errors.New("name the fingerprints of findings, as 'git ltm check' prints them"))
	}
	if strings.TrimSpace(o.why) == "" {
		problems = append(problems, errors.New("--why takes the reason"))
	}
	switch {
	case o.revoke && o.until != "":
		problems = append(problems, errors.New("--revoke and --until exclude each other"))
	case o.revoke:
	case o.until == "":
		problems = append(problems, errors.New("--until takes the last day, such as 2026-12-31 or 90d"))
	default:
		if until, err = o.end(now); err != nil {
			problems = append(problems, fmt.Errorf("--until: %w", err))
		}
	}
	return until, usage(problems)
}

// end reads when an allowance ends: after now, and at most 365 days and the rest of that day ahead.
func (o allowOptions) end(now time.Time) (time.Time, error) {
	until, err := reply.ParseEnd(o.until, now.UTC())
	switch {
	case err != nil:
		return time.Time{}, err
	case !until.After(now):
		return time.Time{}, errors.New("it lies in the past")
	case until.Truncate(24 * time.Hour).After(now.Add(365 * 24 * time.Hour)):
		return time.Time{}, errors.New("it lies more than 365 days ahead")
	}
	return until, nil
}
