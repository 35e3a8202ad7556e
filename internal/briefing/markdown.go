package briefing

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// Markdown writes the briefing for a reader, human or not.
func (b Briefing) Markdown() string {
	kept, left := fitSections(b.sections(), b.Budget, func(s []section, left int) int {
		return utf8.RuneCountInString(b.writeMarkdown(s, left))
	})
	return b.writeMarkdown(kept, left)
}

func (b Briefing) writeMarkdown(sections []section, left int) string {
	out := new(strings.Builder)
	// What stands before the mark is in the words of this tool alone: nothing that the packet says stands in it.
	p, v := b.openPacket(), b.Packet.Origin().Verdict
	fmt.Fprintf(out, packetTitle, b.packetID(),
		Age(p.CreatedAt, b.Now), p.CreatedAt.UTC().Format(time.RFC3339), v.Standing)
	if v.Why != "" {
		fmt.Fprintf(out, " (%s)", cleanLine(v.Why))
	}
	out.WriteString(".\n")
	if origin := b.storeLine(); origin != "" {
		out.WriteString(origin + "\n")
	}
	if b.Closed {
		out.WriteString(closedThread + "\n")
	}
	if v.By != "" {
		fmt.Fprintf(out, "Signed by: %s (key %s).\n", cleanLine(v.By), cleanLine(v.Key))
	}
	if seal := b.trustLine(); seal != "" {
		out.WriteString(seal + "\n")
	}
	if b.Cleaned > 0 {
		fmt.Fprintf(out, cleanedPacket, b.Cleaned, pluralEnd(b.Cleaned))
	}
	if n := len(p.Scan.Overridden); n > 0 {
		fmt.Fprintf(out, allowedPacket, n, pluralEnd(n))
	}
	out.WriteString(packetIntro)

	fmt.Fprintf(out, "<ltm-packet nonce=%q id=%q standing=%q>\n", b.Nonce, b.packetID(), b.standing())
	for i, s := range sections {
		if i > 0 {
			out.WriteString("|\n")
		}
		fmt.Fprintf(out, "| ## %s\n", s.title)
		for _, it := range s.items {
			fmt.Fprintf(out, "| - %s%s\n", it.doubt, it.text)
			for _, n := range it.notes {
				fmt.Fprintf(out, "|   %s: %s\n", n.label, n.text)
			}
			if it.from != "" {
				fmt.Fprintf(out, "|   carried from: %s\n", it.from)
			}
		}
	}
	// The first action is said once more where attention rises again: of a packet that is trusted.
	if next := cleanLine(b.nextStep()); next != "" && b.Packet.Origin().Trusted {
		fmt.Fprintf(out, "|\n| ## To begin\n| - %s\n", next)
		if slices.ContainsFunc(sections, func(s section) bool { return s.name == "locked_decisions" }) {
			out.WriteString(lockedHold)
		}
	}
	fmt.Fprintf(out, "</ltm-packet nonce=%q>\n", b.Nonce)
	if left > 0 {
		fmt.Fprintf(out, "\n"+leftOut+wholeRecord+"%s\n", left, b.packetID())
	}
	return out.String()
}
