package briefing

import (
	"fmt"
	"time"
)

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
