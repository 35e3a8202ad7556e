package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/audit"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
)

// decided tells which findings were decided on.
func (e *env) decided(o allowOptions, did string, all []audit.Decision, err error) error {
	if err != nil {
		return err
	}
	if o.json {
		return e.printDecisions(all, did)
	}
	for _, d := range all {
		line := did + " " + d.Fingerprint + "  " + whereIs(d)
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
	all, err := m.Audit().Decisions(ctx)
	if err != nil {
		return err
	}
	if o.json {
		return e.printDecisions(all, "")
	}
	for _, d := range all {
		line := fmt.Sprintf("%-8s %s  %s  until %s  by %s: %s", stateOf(d), d.Fingerprint, whereIs(d),
			d.Until.UTC().Format(time.DateOnly), clean.Line(d.By), clean.Line(d.Why))
		if _, err := fmt.Fprintln(e.stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// stateOf is one word on whether an allowance counts.
func stateOf(d audit.Decision) string {
	switch {
	case d.Expired:
		return "expired"
	case d.Claim:
		return "claim"
	case d.Found == nil:
		return "unused"
	default:
		return "active"
	}
}

// whereIs says what a decision speaks of, without the secret.
func whereIs(d audit.Decision) string {
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
func (e *env) printDecisions(all []audit.Decision, state string) error {
	list := make([]decision, 0, len(all))
	for _, d := range all {
		j := decision{
			Fingerprint: d.Fingerprint, State: state, Record: string(d.Record), By: clean.Line(d.By),
			Why:   clean.Line(d.Why),
			Until: d.Until.UTC().Format(time.RFC3339), Event: string(d.Event), Remote: clean.Line(d.Remote),
		}
		if state == "" {
			j.State = stateOf(d)
		}
		if d.Found != nil {
			j.Rule, j.Pointer, j.InName, j.Mask = d.Found.Rule, clean.Line(d.Found.Pointer), d.Found.InName,
				d.Found.Mask
		}
		list = append(list, j)
	}
	return e.printJSON(list)
}
