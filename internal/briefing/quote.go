package briefing

import (
	"fmt"
	"strings"
)

// Quote sets lines of records between two marks that carry a nonce, each marked as data, for a reader, human
// or not. The name is that of the marks, after ltm. No lines are no quotation.
func Quote(name, nonce string, lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "<ltm-%s nonce=%q note=%q>\n", name, nonce, DataNote)
	for _, l := range lines {
		text := cleanLine(l)
		indent := l[:len(l)-len(strings.TrimLeft(l, " "))]
		out.WriteString(strings.TrimRight("| "+indent+text, " ") + "\n")
	}
	fmt.Fprintf(&out, "</ltm-%s nonce=%q>\n", name, nonce)
	return out.String()
}
