package reply

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// longestSkip is how far ahead a skip may end; the rest of that day is added.
const longestSkip = 365 * 24 * time.Hour

// ParseEnd reads when something ends: a time in RFC 3339, a length from now such as 3d, or a day, which lasts to its end in the
// zone of now. What is stored is always a time: a word such as tomorrow means another day to whoever reads it later.
func ParseEnd(text string, now time.Time) (time.Time, error) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	if length, ok := ParseLength(text); ok {
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
	return time.Time{}, fmt.Errorf("%q is no date, time or length such as 90d", Word(text))
}

func endOfDay(day time.Time, zone *time.Location) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day()+1, 0, 0, 0, 0, zone).Add(-time.Second)
}

// ParseFuture reads when something ends that has not ended yet.
func ParseFuture(text string, now time.Time) (time.Time, error) {
	end, err := ParseEnd(text, now)
	if err == nil && !end.After(now) {
		err = errors.New("it lies in the past")
	}
	return end, err
}

// ParseSkipEnd reads when a skip ends.
func ParseSkipEnd(text string, now time.Time) (time.Time, error) {
	end, err := ParseFuture(text, now)
	if err != nil {
		return time.Time{}, err
	}
	local := end.In(now.Location())
	if time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, local.Location()).After(now.Add(longestSkip)) {
		return time.Time{}, errors.New("it lies more than 365 days ahead; what holds for longer is a note: git ltm note --kind pitfall")
	}
	return end, nil
}

// Stamp is a time as records hold it; nothing for the zero time.
func Stamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// ParseLength reads a length of time such as 3d.
func ParseLength(text string) (time.Duration, bool) {
	n := len(text) - 1
	if n < 1 {
		return 0, false
	}
	count, err := strconv.Atoi(text[:n])
	length := unit(text[n])
	if err != nil || length == 0 || count < 0 || time.Duration(count) > math.MaxInt64/length {
		return 0, false
	}
	return time.Duration(count) * length, true
}

// unit is the length that a letter of an age stands for; zero is none.
func unit(letter byte) time.Duration {
	const day = 24 * time.Hour
	switch letter {
	case 'h':
		return time.Hour
	case 'd':
		return day
	case 'w':
		return 7 * day
	case 'm':
		return 30 * day
	case 'y':
		return 365 * day
	default:
		return 0
	}
}

// ParseWhen reads a date, a time in RFC 3339, or an age such as 3d. A date
// begins at midnight UTC.
func ParseWhen(text string, now time.Time) (time.Time, error) {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, nil
		}
	}
	if age, ok := ParseLength(text); ok {
		return now.Add(-age), nil
	}
	return time.Time{}, fmt.Errorf("%q is no date, time or age such as 3d", Word(text))
}

// Word makes what somebody typed fit to be quoted by an error. A secret that is broken over lines is one only before
// they are joined.
func Word(text string) string {
	var builtIn *scan.Rules
	return report.Line(builtIn.Public(text))
}
