package briefing

import (
	"fmt"
	"time"
)

// ages are the units of an age, the largest first.
var ages = []struct {
	unit time.Duration
	name string
}{
	{365 * 24 * time.Hour, "year"},
	{30 * 24 * time.Hour, "month"},
	{7 * 24 * time.Hour, "week"},
	{24 * time.Hour, "day"},
	{time.Hour, "hour"},
	{time.Minute, "minute"},
}

// Age tells how long ago something was, in one unit.
func Age(then, now time.Time) string {
	d := now.Sub(then)
	if then.IsZero() {
		return "at an unknown time"
	}
	if d < -time.Minute {
		return "in the future"
	}
	for _, a := range ages {
		if n := int(d / a.unit); n > 0 {
			return fmt.Sprintf("%d %s%s ago", n, a.name, plural(n))
		}
	}
	return "just now"
}

func plural(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
