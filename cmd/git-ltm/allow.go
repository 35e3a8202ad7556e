package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
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
			"Only what this clone holds below refs/ltm counts. 'check --remote' counts what the remote holds too, and says so.\n" +
			"Without a fingerprint it lists what is allowed, by whom and until when, and what is expired or not found any more.\n\n" + exitCodes,
		Example: "  git ltm allow v1:0123456789abcdef --why 'The key of the manual' --until 90d\n" +
			"  git ltm allow\n  git ltm allow --revoke v1:0123456789abcdef --why 'It was a key'",
		Args: arguments(cobra.ArbitraryArgs),
		RunE: func(cmd *cobra.Command, args []string) error { return e.allow(cmd.Context(), o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.why, "why", "", "the reason, kept in the event: `TEXT`")
	f.StringVar(&o.until, "until", "", "the last day, a time, or how long from now, such as 90d or 4w; at most 365d: `DATE`")
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
			all, err := m.Disallow(ctx, fingerprints, o.why)
			return e.decided(o, "revoked", all, err)
		}
		all, err := m.Allow(ctx, memory.AllowRequest{Fingerprints: fingerprints, Why: o.why, Until: until})
		return e.decided(o, "allowed", all, err)
	})
}

// check says everything that is wrong with the flags, and when an allowance ends.
func (o allowOptions) check(fingerprints []string, now time.Time) (until time.Time, err error) {
	var problems []error
	if len(fingerprints) == 0 {
		problems = append(problems, errors.New("name the fingerprints of findings, as 'git-ltm check' prints them"))
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
	until, err := parseUntil(o.until, now)
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

// decided tells which findings were decided on.
func (e *env) decided(o allowOptions, did string, all []memory.Decision, err error) error {
	if err != nil {
		return err
	}
	if o.json {
		return e.printDecisions(all, did)
	}
	for _, d := range all {
		line := did + " " + d.Fingerprint + "  " + spot(d)
		if !o.revoke {
			line += "  until " + d.Until.UTC().Format(time.DateOnly)
		}
		if _, err := fmt.Fprintln(e.stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// listAllowed prints what is allowed.
func (e *env) listAllowed(ctx context.Context, m *memory.Memory, o allowOptions) error {
	all, err := m.Decisions(ctx)
	if err != nil {
		return err
	}
	if o.json {
		return e.printDecisions(all, "")
	}
	for _, d := range all {
		line := fmt.Sprintf("%-8s %s  %s  until %s  by %s: %s", stateOf(d), d.Fingerprint, spot(d),
			d.Until.UTC().Format(time.DateOnly), clean.Line(d.By), clean.Line(d.Why))
		if _, err := fmt.Fprintln(e.stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// stateOf is one word on whether an allowance counts.
func stateOf(d memory.Decision) string {
	switch {
	case d.Expired:
		return "expired"
	case d.Remote != "":
		return "fetched"
	case d.Found == nil:
		return "unused"
	default:
		return "active"
	}
}

// spot says what a decision speaks of, without the secret.
func spot(d memory.Decision) string {
	words := []string{"in " + string(d.Record)}
	if d.Remote != "" {
		words = append(words, "says remote "+clean.Line(d.Remote))
	}
	if d.Found != nil {
		found := []string{d.Found.Rule, clean.Line(d.Found.Pointer)}
		if d.Found.InName {
			found = append(found, "(member name)")
		}
		words = append([]string{strings.TrimSpace(strings.Join(append(found, d.Found.Mask), " "))}, words...)
	}
	return strings.Join(words, "  ")
}

// decision is the JSON shape of an allowance.
type decision struct {
	Fingerprint string `json:"fingerprint"`
	State       string `json:"state"`
	Record      string `json:"record"`
	Rule        string `json:"rule,omitempty"`
	Pointer     string `json:"pointer,omitempty"`
	InName      bool   `json:"in_name,omitempty"`
	Mask        string `json:"mask,omitempty"`
	By          string `json:"by"`
	Why         string `json:"why"`
	Until       string `json:"until"`
	Event       string `json:"event"`
	Remote      string `json:"remote,omitempty"`
}

// printDecisions prints an array. The state of each is the given one, or its own.
func (e *env) printDecisions(all []memory.Decision, state string) error {
	list := make([]decision, 0, len(all))
	for _, d := range all {
		j := decision{
			Fingerprint: d.Fingerprint, State: state, Record: string(d.Record), By: clean.Line(d.By), Why: clean.Line(d.Why),
			Until: d.Until.UTC().Format(time.RFC3339), Event: string(d.Event), Remote: clean.Line(d.Remote),
		}
		if state == "" {
			j.State = stateOf(d)
		}
		if d.Found != nil {
			j.Rule, j.Pointer, j.InName, j.Mask = d.Found.Rule, clean.Line(d.Found.Pointer), d.Found.InName, d.Found.Mask
		}
		list = append(list, j)
	}
	return e.printJSON(list)
}
