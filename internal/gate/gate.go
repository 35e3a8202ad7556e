// Package gate stores records: nothing becomes an object before it was parsed, validated, encoded and
// scanned, and the bytes that were scanned are the bytes that are signed and stored. A guard that cannot run is an
// error: then nothing is stored.
package gate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// Pass validates, encodes and scans a record. What it returns is what may be stored. Of secrets in it those
// pass that the answer allows one by one.
func Pass(r *scan.Rules, rec *packet.Record, answer Answer) (Receipt, error) {
	data, findings, err := encodeScanned(r, rec)
	if err != nil {
		return Receipt{}, err
	}
	return applyAnswer(r, rec, data, findings, answer)
}

// applyAnswer is what becomes of a record by what the scan found in it.
func applyAnswer(r *scan.Rules, rec *packet.Record, data []byte, findings []redact.Finding,
	answer Answer,
) (Receipt, error) {
	receipt := Receipt{Data: data, Findings: findings, Secrets: answer.Secrets, Parent: rec.Packet().ParentID}
	hits := redact.Blocking(findings)
	open := slices.DeleteFunc(slices.Clone(hits), func(f redact.Finding) bool {
		return slices.Contains(answer.Allowed, f.Fingerprint(""))
	})
	receipt.Allowed = len(hits) - len(open)
	if len(open) == 0 {
		return receipt, nil
	}
	for i := range open { // Where it stands in an encoding that nobody saw tells nobody anything.
		open[i].Line, open[i].Column, open[i].EndLine, open[i].EndColumn = 0, 0, 0, 0
	}
	var err error
	switch answer.Secrets {
	case Hide:
		receipt.Data, receipt.Parent, err = hideSecrets(r, data)
	case Allow:
		receipt.Data, receipt.Findings, err = allowSecrets(r, rec, hits)
	case Refuse:
		err = &replay.SecretError{Findings: open}
	default:
		err = &replay.SecretError{Findings: open}
	}
	return receipt, err
}

// passWritten is Pass for a record that is completed here: what names a machine or whoever works at it is
// written anew first.
func (w *Writer) passWritten(r *scan.Rules, rec *packet.Record, answer Answer) (Receipt, error) {
	data, findings, err := encodeScanned(r, rec)
	if err != nil {
		return Receipt{}, err
	}
	root := w.opts.Repo.WorkTree
	if !slices.ContainsFunc(findings, redact.Finding.IsPlace) &&
		(root == "" || !bytes.Contains(data, []byte(root))) {
		return applyAnswer(r, rec, data, findings, answer)
	}
	written, relative, err := r.Relative(data, root)
	if err != nil {
		return Receipt{}, fmt.Errorf("scan for secrets: %w", err)
	}
	if rec, err = packet.Parse(written, packet.Stored); err != nil {
		return Receipt{}, r.CleanError(err, written)
	}
	receipt, err := Pass(r, rec, answer)
	receipt.Relative = relative
	return receipt, err
}

// passAsIs is Pass for a record to which nothing is added, and in which nothing is written anew.
func (w *Writer) passAsIs(r *scan.Rules, rec *packet.Record, answer Answer) (Receipt, error) {
	receipt, err := Pass(r, rec, answer)
	if err != nil {
		return receipt, err
	}
	_, relative, err := r.Relative(receipt.Data, w.opts.Repo.WorkTree)
	if err == nil && relative > 0 {
		err = ErrPlaces
	}
	return receipt, err
}

// ErrPlaces says that a record which is to be stored as it is holds paths of a home directory or a work tree,
// or hosts of one network.
var ErrPlaces = errors.New("it names places of this machine, and as it is they cannot be written anew")

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
	again, err := Pass(r, rec, Answer{})
	return again.Data, again.Parent, err
}

// allowSecrets writes into the packet which rules its author overrode. What it returns
// was found in the bytes that are stored, so that its fingerprints hold there.
func allowSecrets(r *scan.Rules, rec *packet.Record,
	hits []redact.Finding,
) ([]byte, []redact.Finding, error) {
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

func setMissing(rec *packet.Record, name, value string) error {
	if rec.Has(name) {
		return nil
	}
	return rec.Set(name, value)
}

// ErrPrivate says that a record which travels would tell of one that is private.
var ErrPrivate = errors.New("it is private to this clone, and what travels must not name it")

// refusePrivateNames refuses a record that travels and names one that is private.
func (w *Writer) refusePrivateNames(ctx context.Context, rec *packet.Record, reach replay.Reach) error {
	if reach == replay.Private {
		return nil
	}
	for _, l := range check.Links(rec) {
		id, err := packet.ParseID(l.Id)
		if err != nil {
			continue
		}
		private, err := w.opts.Reader.IsPrivate(ctx, id)
		if err != nil {
			return err
		}
		if private {
			return fmt.Errorf("packet %s: %w", id, ErrPrivate)
		}
	}
	return nil
}

// byReach parts drafts so that an event about private records is private, and none tells of both.
func (w *Writer) byReach(ctx context.Context, drafts []Event) ([]Event, error) {
	parted := make([]Event, 0, len(drafts))
	for _, d := range drafts {
		if d.Reach == replay.Private {
			parted = append(parted, d)
			continue
		}
		var private, shared []packet.ID
		for _, id := range d.Targets {
			is, err := w.opts.Reader.IsPrivate(ctx, id)
			if err != nil {
				return nil, err
			}
			if is {
				private = append(private, id)
			} else {
				shared = append(shared, id)
			}
		}
		for _, id := range d.By {
			private, err := w.opts.Reader.IsPrivate(ctx, id)
			if err != nil {
				return nil, err
			}
			if private && len(shared) > 0 {
				return nil, fmt.Errorf("record %s: %w", id, ErrPrivate)
			}
		}
		for reach, targets := range [][]packet.ID{replay.Shared: shared, replay.Private: private} {
			if len(targets) > 0 {
				part := d
				part.Targets, part.Reach = targets, replay.Reach(reach)
				parted = append(parted, part)
			}
		}
	}
	return parted, nil
}
