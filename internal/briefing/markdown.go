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
	kept, left := fit(b.sections(), b.Budget, func(s []section, left int) int {
		return utf8.RuneCountInString(b.markdown(s, left))
	})
	return b.markdown(kept, left)
}

func (b Briefing) markdown(sections []section, left int) string {
	var out strings.Builder
	b.preamble(&out)
	fmt.Fprintf(&out, "<ltm-packet nonce=%q id=%q standing=%q>\n", b.Nonce, b.id(), b.standing())
	for i, s := range sections {
		if i > 0 {
			out.WriteString("|\n")
		}
		fmt.Fprintf(&out, "| ## %s\n", s.title)
		for _, it := range s.items {
			writeItem(&out, it)
		}
	}
	b.reminder(&out, sections)
	fmt.Fprintf(&out, "</ltm-packet nonce=%q>\n", b.Nonce)
	b.footer(&out, left)
	return out.String()
}

// preamble is in the words of this tool alone: nothing that the packet says stands in it.
func (b Briefing) preamble(out *strings.Builder) {
	p, v := b.packet(), b.Packet.Origin().Verdict
	fmt.Fprintf(out, packetTitle, b.id(),
		Age(p.CreatedAt, b.Now), p.CreatedAt.UTC().Format(time.RFC3339), v.Standing)
	if v.Why != "" {
		fmt.Fprintf(out, " (%s)", line(v.Why))
	}
	out.WriteString(".\n")
	if origin := b.origin(); origin != "" {
		out.WriteString(origin + "\n")
	}
	if b.Closed {
		out.WriteString(closedThread + "\n")
	}
	if v.By != "" {
		fmt.Fprintf(out, "Signed by: %s (key %s).\n", line(v.By), line(v.Key))
	}
	if seal := b.seal(); seal != "" {
		out.WriteString(seal + "\n")
	}
	if b.Cleaned > 0 {
		fmt.Fprintf(out, cleanedPacket, b.Cleaned, plural(b.Cleaned))
	}
	if n := len(p.Scan.Overridden); n > 0 {
		fmt.Fprintf(out, allowedPacket, n, plural(n))
	}
	out.WriteString(packetIntro)
}

func writeItem(out *strings.Builder, it item) {
	fmt.Fprintf(out, "| - %s%s\n", it.doubt, it.text)
	for _, n := range it.notes {
		fmt.Fprintf(out, "|   %s: %s\n", n.label, n.text)
	}
	if it.from != "" {
		fmt.Fprintf(out, "|   carried from: %s\n", it.from)
	}
}

// reminder says the first action once more, where attention rises again: of a packet that is trusted.
func (b Briefing) reminder(out *strings.Builder, sections []section) {
	next := line(b.next())
	if next == "" || !b.Packet.Origin().Trusted {
		return
	}
	fmt.Fprintf(out, "|\n| ## To begin\n| - %s\n", next)
	if slices.ContainsFunc(sections, func(s section) bool { return s.name == "locked_decisions" }) {
		out.WriteString(lockedHold)
	}
}

func (b Briefing) footer(out *strings.Builder, left int) {
	if left > 0 {
		fmt.Fprintf(out, "\n"+leftOut+wholeRecord+"%s\n", left, b.id())
	}
}
