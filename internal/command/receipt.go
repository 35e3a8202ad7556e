package command

import (
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// Notices say what the scan found in a record that was stored, what became of it, and what was left
// out because others say it.
func Notices(r gate.Receipt) []string {
	var all []string
	for _, f := range redact.Warnings(r.Findings) {
		all = append(all, f.String())
	}
	if r.Relative > 0 {
		all = append(all, Counted(r.Relative, "place")+" of this machine written anew: below the work "+
			"tree, as ~, or a host by its first label")
	}
	hits := redact.Blocking(r.Findings)
	switch {
	case r.Allowed > 0 && r.Allowed == len(hits):
		all = append(all, "stored with "+Counted(len(hits), "finding")+" that --allow lets through for "+
			"365 days; 'git ltm allow' lists it:")
	case len(hits) > 0 && r.Secrets == gate.Allow:
		all = append(all, "STORED WITH "+strings.ToUpper(Counted(len(hits), "secret"))+
			", as --allow-unredacted asked; "+
			"the packet says so to every reader:")
	case len(hits) > 0:
		all = append(all, "masked "+Counted(len(hits), "secret")+":")
	}
	for _, f := range hits {
		all = append(all, f.String())
	}
	if copied := reply.SavedOf(r, false).Copied(); copied != "" {
		all = append(all, copied)
	}
	return all
}

// Repeats says that a record says what another one says already, or not the same of one thing.
func Repeats(r gate.Receipt, d recall.Alike) string {
	if d.Conflict != "" {
		return fmt.Sprintf("%s and %s do not say the same of one thing, %s", r.ID, d.Card.ID, d.Conflict)
	}
	return fmt.Sprintf("%s says what %s says already", r.ID, d.Card.ID)
}

// Mended says what of a memory was left out and mended when it was opened.
func Mended(m *memory.Memory) []string {
	var all []string
	if fault := m.RuleSource().Fault(); fault != nil {
		all = append(all, fault.Error())
	}
	for _, err := range m.LeftOut() {
		all = append(all, err.Error())
	}
	healed := m.Healed()
	for _, ref := range healed.Restored {
		all = append(all, fmt.Sprintf("mended %q, which had lost its ref or its object", ref))
	}
	for _, b := range healed.Quarantined {
		all = append(all, fmt.Sprintf("moved the broken ref %q (%s) to quarantine, so that git gc works", b.Ref, b.Reason))
	}
	return all
}

// KindOf is what was stored: a packet, a note or a skip.
func KindOf(r gate.Receipt) packet.Kind {
	rec, err := packet.Parse(r.Data, packet.Stored)
	if err != nil {
		return "record"
	}
	return rec.Kind()
}

// Counted is a number with what it counts.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
