package main

import (
	"errors"
	"fmt"
	"time"
)

// longestSkip is how far ahead a skip may end; the rest of that day is added.
const longestSkip = 365 * 24 * time.Hour

// parseEnd reads when something ends: a time in RFC 3339, a length from now such as 3d, or a day, which lasts to its end in the
// zone of now. What is stored is always a time: a word such as tomorrow means another day to whoever reads it later.
func parseEnd(text string, now time.Time) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	if length, ok := parseLength(text); ok {
		return now.Add(length), nil
	}
	day, err := time.Parse(time.DateOnly, text)
	switch {
	case err == nil:
		return endOfDay(day, now.Location()), nil
	case text == "today":
		return endOfDay(now, now.Location()), nil
	case text == "tomorrow":
		return endOfDay(now.AddDate(0, 0, 1), now.Location()), nil
	}
	return time.Time{}, fmt.Errorf("%q is no date, time or length such as 90d", word(text))
}

func endOfDay(day time.Time, zone *time.Location) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, zone).Add(-time.Second)
}

// parseFuture reads when something ends that has not ended yet.
func parseFuture(text string, now time.Time) (time.Time, error) {
	end, err := parseEnd(text, now)
	if err == nil && !end.After(now) {
		err = errors.New("it lies in the past")
	}
	return end, err
}

// parseSkipEnd reads when a skip ends.
func parseSkipEnd(text string, now time.Time) (time.Time, error) {
	end, err := parseFuture(text, now)
	if err != nil {
		return time.Time{}, err
	}
	local := end.In(now.Location())
	if time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, local.Location()).After(now.Add(longestSkip)) {
		return time.Time{}, errors.New("it lies more than 365 days ahead; what holds for longer is a note: git ltm note --kind pitfall")
	}
	return end, nil
}

// stamp is a time as records hold it; nothing for the zero time.
func stamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}
