package foreign

import (
	"strconv"
	"strings"
	"time"
)

const (
	day = 24 * time.Hour
	// defaultSkip is how long a skip lasts whose source does not say.
	defaultSkip = 30
	longestSkip = 365 // days
)

// moment reads a time as the sources write it. One without a zone is taken for
// UTC, as their authors do.
func moment(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	for _, layout := range []string{
		time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
		"2006-01-02T15:04Z07:00", "2006-01-02T15:04", "2006-01-02 15:04",
	} {
		// A fraction of a second may stand after any of them.
		if t, err := time.Parse(layout, s); err == nil {
			return sound(t)
		}
	}
	if t, ok := date(s, time.UTC); ok {
		return sound(t)
	}
	return epoch(s)
}

// epoch reads seconds or milliseconds since 1970.
func epoch(s string) (time.Time, bool) {
	n, err := strconv.ParseFloat(s, 64)
	const seconds = 1e11 // the year 5138
	switch {
	case err != nil || !(n >= 1e8 && n < 1e14): // NaN is neither
		return time.Time{}, false
	case n < seconds:
		n *= 1000
	}
	return sound(time.UnixMilli(int64(n)))
}

// sound refuses years that RFC 3339 cannot write, and those before computers.
func sound(t time.Time) (time.Time, bool) {
	t = t.UTC()
	return t, t.Year() >= 1970 && t.Year() < 9999
}

func date(s string, zone *time.Location) (time.Time, bool) {
	t, err := time.ParseInLocation(time.DateOnly, strings.TrimSpace(s), zone)
	return t, err == nil
}

// An expiry is what a source says about the end of a memory.
type expiry uint8

const (
	neverEnds expiry = iota // it says that there is no end, or nothing
	endsAt                  // it names a moment or a day
	endsAfter               // it names a while, which begins when the memory was made
	unclear                 // it says something else
)

// until reads when a memory ends. A day lasts to its end, and a word such as
// tomorrow becomes the day that it meant when the memory was made.
func until(s string, created time.Time, zone *time.Location) (time.Time, expiry) {
	s = strings.ToLower(strings.TrimSpace(s))
	switch s {
	case "", "never", "none", "null", "permanent":
		return time.Time{}, neverEnds
	}
	if t, ok := date(s, zone); ok {
		return ends(endOfDay(t, zone), endsAt)
	}
	// The layouts have their letters in upper case.
	if t, ok := moment(strings.ToUpper(s)); ok {
		return t, endsAt
	}
	if days, ok := span(s); ok {
		return ends(endOfDay(created.In(zone).AddDate(0, 0, days), zone), endsAfter)
	}
	return time.Time{}, unclear
}

func ends(t time.Time, how expiry) (time.Time, expiry) {
	if t, ok := sound(t); ok {
		return t, how
	}
	return time.Time{}, unclear
}

func endOfDay(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 23, 59, 59, 0, zone)
}

// span reads a while such as tomorrow, 3d, in 2 weeks, in days.
func span(s string) (days int, ok bool) {
	switch s {
	case "today", "tonight":
		return 0, true
	case "tomorrow":
		return 1, true
	case "next week":
		return 7, true
	case "next month":
		return 30, true
	case "next year":
		return longestSkip, true
	}
	s = strings.TrimSpace(strings.TrimPrefix(s, "in "))
	digits := strings.TrimRight(s, "abcdefghijklmnopqrstuvwxyz ")
	n, err := strconv.ParseUint(digits, 10, 20)
	if err != nil {
		return 0, false
	}
	switch strings.TrimSuffix(strings.TrimSpace(s[len(digits):]), "s") {
	case "h", "hour":
		return int(n+23) / 24, true
	case "d", "day":
		return int(n), true
	case "w", "week":
		return int(n) * 7, true
	case "mo", "month":
		return int(n) * 30, true
	case "y", "year":
		return int(n) * longestSkip, true
	}
	return 0, false
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
