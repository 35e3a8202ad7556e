package briefing

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"
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

// Nonce draws 64 random bits in hex, for the marks around what is told once.
func Nonce(entropy io.Reader) (string, error) {
	var b [8]byte
	if _, err := io.ReadFull(entropy, b[:]); err != nil {
		return "", fmt.Errorf("draw a nonce: %w", err)
	}
	return hex.EncodeToString(b[:]), nil
}

// Age tells how long ago something was, in one unit.
func Age(then, now time.Time) string {
	d := now.Sub(then)
	if then.IsZero() {
		return unknownAge
	}
	if d < -time.Minute {
		return "in the future"
	}
	for _, u := range []struct {
		length time.Duration
		name   string
	}{
		{365 * 24 * time.Hour, "year"},
		{30 * 24 * time.Hour, "month"},
		{7 * 24 * time.Hour, "week"},
		{24 * time.Hour, "day"},
		{time.Hour, "hour"},
		{time.Minute, "minute"},
	} {
		if n := int(d / u.length); n > 0 {
			return fmt.Sprintf("%d %s%s ago", n, u.name, pluralEnd(n))
		}
	}
	return "just now"
}

func pluralEnd(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
