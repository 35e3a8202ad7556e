package foreign

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
)

const (
	day = 24 * time.Hour
	// defaultSkip is how long a skip lasts whose source does not say.
	defaultSkip = 30
	longestSkip = 365 // days
)

// parseTime reads a time as the sources write it. One without a zone is taken for
// UTC, as their authors do.
func parseTime(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
		"2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly,
	} {
		// A fraction of a second may stand after any of them.
		if t, err := time.Parse(layout, s); err == nil {
			return checkYear(t)
		}
	}
	// Reads seconds or milliseconds since 1970.
	n, err := strconv.ParseFloat(s, 64)
	const seconds = 1e11 // the year 5138
	switch {
	case err != nil || !(n >= 1e8 && n < 1e14): // NaN is neither
		return time.Time{}, false
	case n < seconds:
		n *= 1000
	}
	return checkYear(time.UnixMilli(int64(n)))
}

// checkYear refuses years that RFC 3339 cannot write, and those before computers.
func checkYear(t time.Time) (time.Time, bool) {
	t = t.UTC()
	return t, t.Year() >= 1970 && t.Year() < 9999
}

// endOfDay returns the last second of a day in UTC.
func endOfDay(t time.Time) time.Time {
	return t.UTC().Truncate(day).Add(day - time.Second)
}

// parseSpan reads a while such as tomorrow, 3d, in 2 weeks, in days.
func parseSpan(s string) (days int, ok bool) {
	if days, ok = map[string]int{
		"today": 0, "tonight": 0, "tomorrow": 1, "next week": 7, "next month": 30, "next year": longestSkip,
	}[s]; ok {
		return days, true
	}
	s = strings.TrimSpace(strings.TrimPrefix(s, "in "))
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz ")
	n, err := strconv.ParseUint(digits, 10, 20)
	if err != nil {
		return 0, false
	}
	unit := strings.TrimSuffix(strings.TrimSpace(s[len(digits):]), "s")
	if unit == "h" || unit == "hour" {
		return int(n+23) / 24, true
	}
	of, ok := map[string]int{
		"d": 1, "day": 1, "w": 7, "week": 7, "mo": 30, "month": 30, "y": longestSkip, "year": longestSkip,
	}[unit]
	return int(n) * of, ok
}

func formatTime(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// setEnd sets when a note ends, or a skip, which always does. It is called after the time of the memory is known.
func (r *reader) setEnd(m *memory, said string) {
	m.ending = said
	made := r.madeAt(m)
	said = strings.ToLower(strings.TrimSpace(said))
	end, dated := parseTime(strings.ToUpper(said)) // The layouts have their letters in upper case.
	days, spans := parseSpan(said)
	switch {
	case dated && len(said) == len(time.DateOnly):
		end = endOfDay(end)
	case dated:
	case spans: // A word such as tomorrow becomes the day that it meant when the memory was made.
		end = endOfDay(made.AddDate(0, 0, days))
		m.addNote("it ends on %s, which is what its words meant when it was made", end.Format(time.DateOnly))
	case m.skips:
		end = endOfDay(made.AddDate(0, 0, defaultSkip))
		m.addNote("it does not say when it ends: it lasts for %d days, until %s", defaultSkip,
			end.Format(time.DateOnly))
	case !slices.Contains([]string{"", "never", "none", "null", "permanent"}, said):
		m.addNote("when it ends is no date that can be read, and was left out")
	}
	m.assumed = !dated && (spans || m.skips)
	longest := made.Add(longestSkip * day)
	switch {
	case !m.skips:
	case end.After(longest) && end.Sub(made) > packet.MaxSkip:
		m.addNote("it was to last until %s: a skip lasts for at most %d days", end.Format(time.DateOnly),
			longestSkip)
		end, m.assumed = longest, true
	case end.Before(made):
		m.addNote("it had ended on %s, before it was made: it ends when it was made", end.Format(time.DateOnly))
		end, m.assumed = made, true
	}
	if !end.IsZero() {
		m.doc.ExpiresAt = formatTime(end)
	}
}

// madeAt is when the memory was made, as far as that is known.
func (r *reader) madeAt(m *memory) time.Time {
	if m.created.IsZero() {
		return r.modified()
	}
	return m.created
}
