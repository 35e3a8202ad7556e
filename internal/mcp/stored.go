package mcp

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// stored tells what was stored, what the scan found, and what says the same already.
func (c *call) stored(ctx context.Context, r gate.Receipt) (answer, error) {
	dry := reply.Rehearsal(c.args.flag("dry_run"))
	repeats := c.repeats(ctx, r)
	for _, f := range r.Findings {
		if f.IsPlace() {
			continue
		}
		what := "warning"
		if f.Severity == redact.Block {
			what = "masked"
		}
		c.notef("%s: %s", what, f)
	}
	if r.Relative > 0 {
		c.notef("%d places of this machine were written anew: below the work tree, as ~, or a host by its first label", r.Relative)
	}
	saved := reply.SavedOf(r, dry).With(c.rules, repeats)
	if copied := saved.Copied(); copied != "" {
		c.notef("%s", copied)
	}
	for _, line := range reply.LogLines(r) {
		c.notef("%s", line)
	}
	if ask := reply.Unmatched(r); ask != "" {
		c.notef("%s, as match of the attempt", ask)
	}
	for _, d := range repeats {
		c.notef("%s", c.repeat(r, d, dry))
	}
	rec, err := packet.Parse(r.Data, packet.Stored)
	if err != nil {
		return answer{}, err
	}
	told := fmt.Sprintf("stored %s %s", rec.Kind(), r.ID)
	switch {
	case bool(dry):
		told = fmt.Sprintf("dry run, nothing was stored; the %s is valid", rec.Kind())
	case r.Known && len(r.Copied) > 0:
		told = "nothing was stored"
	case r.Known:
		told = fmt.Sprintf("%s %s was stored before, nothing changed", rec.Kind(), r.ID)
	}
	if r.Parent != "" {
		told += ", continues " + r.Parent
	}
	return answer{text: told + "\n", value: saved}, nil
}

// repeats returns what says already what was stored.
func (c *call) repeats(ctx context.Context, r gate.Receipt) []recall.Alike {
	c.index.Lock()
	defer c.index.Unlock()
	return reply.Repeats(ctx, c.m, c.Now, r)[0]
}

// repeat says that a record says the same, and which tool replaces it.
func (c *call) repeat(r gate.Receipt, d recall.Alike, dry reply.Rehearsal) string {
	told := fmt.Sprintf("%s says what %s says already", r.ID, d.Card.ID)
	if d.Conflict != "" {
		told = fmt.Sprintf("%s and %s do not say the same of one thing, %s", r.ID, d.Card.ID, d.Conflict)
	}
	switch {
	case bool(dry):
		return told
	case d.Kind == packet.KindPacket || d.Place != "/text" && d.Place != "/item":
		return told + "; rm takes the new one back if it adds nothing"
	default:
		return told + fmt.Sprintf("; supersede with old: %s, by: %s replaces it", d.Card.ID, r.ID)
	}
}

// joined puts notices on lines.
func joined(notices []string) string { return "note: " + strings.Join(notices, "\nnote: ") + "\n" }
