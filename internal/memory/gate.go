package memory

import (
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
)

// pass validates, encodes and scans a record. What it returns is what may be
// stored.
func (r *Rules) pass(rec *packet.Record, answer Secrets) (Receipt, error) {
	data, findings, err := r.inspect(rec)
	if err != nil {
		return Receipt{}, err
	}
	receipt := Receipt{Data: data, Findings: findings, Secrets: answer, Parent: rec.Packet().ParentID}
	hits := redact.Blocking(findings)
	if len(hits) == 0 {
		return receipt, nil
	}
	switch answer {
	case Hide:
		receipt.Data, receipt.Parent, err = r.hide(data)
	case Allow:
		receipt.Data, receipt.Findings, err = r.allow(rec, hits)
	case Refuse:
		err = &SecretError{Findings: hits}
	default:
		err = &SecretError{Findings: hits}
	}
	return receipt, err
}

// inspect returns the one encoding of a valid record and what the scan of those
// very bytes found.
func (r *Rules) inspect(rec *packet.Record) ([]byte, []redact.Finding, error) {
	data := rec.Encode()
	if err := rec.Validate(packet.Stored); err != nil {
		return nil, nil, r.told(err, data)
	}
	findings, err := r.scan(data)
	if err != nil {
		return nil, nil, fmt.Errorf("scan for secrets: %w", err)
	}
	return data, findings, nil
}

// hide puts masks in the place of secrets and passes the result through the
// gate once more. It returns the parent that the result names.
func (r *Rules) hide(data []byte) (hidden []byte, parent string, err error) {
	masked, hits, err := r.mask(data)
	if err != nil {
		return nil, "", fmt.Errorf("mask secrets: %w", err)
	}
	rec, err := packet.Parse(masked, packet.Stored)
	if err != nil {
		return nil, "", r.told(err, masked)
	}
	if err := rec.Set("scan", map[string]any{"rules": r.Version(), "masked": len(hits)}); err != nil {
		return nil, "", err
	}
	again, err := r.pass(rec, Refuse)
	return again.Data, again.Parent, err
}

// allow writes into the packet which rules its author overrode. What it returns
// was found in the bytes that are stored, so that its fingerprints hold there.
func (r *Rules) allow(rec *packet.Record, hits []redact.Finding) ([]byte, []redact.Finding, error) {
	var rules []string
	for _, h := range hits {
		rules = append(rules, h.Rule)
	}
	slices.Sort(rules)
	rules = slices.Compact(rules)
	if err := rec.Set("scan", map[string]any{"rules": r.Version(), "overridden": rules}); err != nil {
		return nil, nil, err
	}
	return r.inspect(rec)
}
