// Package gate stores records: nothing becomes an object before it was parsed, validated, encoded and scanned, and the bytes that
// were scanned are the bytes that are stored. A guard that cannot run is an error: then nothing is stored.
package gate

import (
	"errors"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// Pass validates, encodes and scans a record. What it returns is what may be stored.
func Pass(r *scan.Rules, rec *packet.Record, answer Secrets) (Receipt, error) {
	data, findings, err := encodeScanned(r, rec)
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
		receipt.Data, receipt.Parent, err = hideSecrets(r, data)
	case Allow:
		receipt.Data, receipt.Findings, err = allowSecrets(r, rec, hits)
	case Refuse:
		err = &replay.SecretError{Findings: hits}
	default:
		err = &replay.SecretError{Findings: hits}
	}
	return receipt, err
}

// passWritten is Pass for a record that is completed here. Paths in a home directory, which would refuse it, are written
// relative to the home first, or to the top of the work tree.
func (w *Writer) passWritten(r *scan.Rules, rec *packet.Record, answer Secrets) (Receipt, error) {
	receipt, err := Pass(r, rec, Refuse)
	secret, ok := errors.AsType[*replay.SecretError](err)
	if !ok {
		receipt.Secrets = answer
		return receipt, err
	}
	relative := 0
	if slices.ContainsFunc(secret.Findings, redact.Finding.IsPlace) {
		var data []byte
		if data, relative, err = r.Relative(rec.Encode(), w.opts.Repo.WorkTree); err != nil {
			return Receipt{}, fmt.Errorf("scan for secrets: %w", err)
		}
		if rec, err = packet.Parse(data, packet.Stored); err != nil {
			return Receipt{}, r.CleanError(err, data)
		}
	}
	receipt, err = Pass(r, rec, answer)
	receipt.Relative = relative
	return receipt, err
}

// encodeScanned returns the one encoding of a valid record and what the scan of those
// very bytes found.
func encodeScanned(r *scan.Rules, rec *packet.Record) ([]byte, []redact.Finding, error) {
	data := rec.Encode()
	if err := rec.Validate(packet.Stored); err != nil {
		return nil, nil, r.CleanError(err, data)
	}
	findings, err := r.Scan(data)
	if err != nil {
		return nil, nil, fmt.Errorf("scan for secrets: %w", err)
	}
	return data, findings, nil
}

// hideSecrets puts masks in the place of secrets and passes the result through the
// gate once more. It returns the parent that the result names.
func hideSecrets(r *scan.Rules, data []byte) (hidden []byte, parent string, err error) {
	masked, hits, err := r.Mask(data)
	if err != nil {
		return nil, "", fmt.Errorf("mask secrets: %w", err)
	}
	rec, err := packet.Parse(masked, packet.Stored)
	if err != nil {
		return nil, "", r.CleanError(err, masked)
	}
	if err := rec.Set("scan", map[string]any{"rules": r.Version(), "masked": len(hits)}); err != nil {
		return nil, "", err
	}
	again, err := Pass(r, rec, Refuse)
	return again.Data, again.Parent, err
}

// allowSecrets writes into the packet which rules its author overrode. What it returns
// was found in the bytes that are stored, so that its fingerprints hold there.
func allowSecrets(r *scan.Rules, rec *packet.Record, hits []redact.Finding) ([]byte, []redact.Finding, error) {
	var rules []string
	for _, h := range hits {
		rules = append(rules, h.Rule)
	}
	slices.Sort(rules)
	rules = slices.Compact(rules)
	if err := rec.Set("scan", map[string]any{"rules": r.Version(), "overridden": rules}); err != nil {
		return nil, nil, err
	}
	return encodeScanned(r, rec)
}

func fill(rec *packet.Record, name, value string) error {
	if rec.Has(name) {
		return nil
	}
	return rec.Set(name, value)
}
