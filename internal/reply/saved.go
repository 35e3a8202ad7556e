package reply

import (
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/redact"
)

// Saved is the JSON shape of a receipt.
type Saved struct {
	ID       string    `json:"id"`
	Ref      string    `json:"ref"`
	Bytes    int       `json:"bytes"`
	Parent   string    `json:"parent_id,omitempty"`
	Known    bool      `json:"known"`
	Signed   bool      `json:"signed"`
	DryRun   bool      `json:"dry_run"`
	Findings []Finding `json:"findings"`

	Duplicates []Duplicate `json:"duplicates,omitempty"` // what says the same already
}

// Finding is the JSON shape of what a scan found. It never holds the secret.
type Finding struct {
	Rule        string `json:"rule"`
	Path        string `json:"path"`
	Blocking    bool   `json:"blocking"`
	Mask        string `json:"mask"`
	Why         string `json:"why"`
	Advice      string `json:"advice"`
	Fingerprint string `json:"fingerprint,omitempty"` // of what is stored
}

// Duplicate is the JSON shape of a record that says already what was stored.
type Duplicate struct {
	ID       string  `json:"id"`
	Type     string  `json:"type"`
	Place    string  `json:"place"` // where the new record says it
	Tags     float64 `json:"tags"`  // how much of the tags both have, from 0 to 1
	Text     float64 `json:"text"`  // how much of the texts both have, from 0 to 1
	Conflict string  `json:"conflict,omitempty"`
}

// SavedOf is the shape of a receipt; dry says that nothing was stored.
func SavedOf(r gate.Receipt, dry Rehearsal) Saved {
	s := Saved{
		ID: string(r.ID), Ref: r.Ref, Bytes: len(r.Data), Parent: r.Parent, Known: r.Known, Signed: r.Signed, DryRun: bool(dry),
		Findings: []Finding{},
	}
	for _, f := range r.Findings {
		j := Finding{Rule: f.Rule, Path: f.Path, Blocking: f.Severity == redact.Block, Mask: f.Mask, Why: f.Why, Advice: f.Advice}
		if r.Secrets == gate.Allow {
			j.Fingerprint = f.Fingerprint(string(r.ID))
		}
		s.Findings = append(s.Findings, j)
	}
	return s
}

// Rehearsal tells that nothing was stored, and that nothing may be.
type Rehearsal bool
