package reply

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/report"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// longestSkip is how far ahead a skip may end; the rest of that day is added.
const longestSkip = 365 * 24 * time.Hour

// ErrNoTime says that a text names no time that can be read. Git's own reader would take any text for now.
var ErrNoTime = errors.New("is no time that is understood")

// noTime refuses a text, and names times that lie in the direction that is wanted.
func noTime(text string, direction time.Duration) error {
	try := "3d, yesterday, friday, '2 weeks ago' or 2026-01-31"
	if direction > 0 {
		try = "3d, tomorrow, friday, 'in 2 weeks' or 2026-12-31"
	}
	return fmt.Errorf("%q %w; try %s", Word(text), ErrNoTime, try)
}

// ParseEnd reads when something ends. A day lasts to its end in the zone of now, and a length counts from
// now. What is stored is always a time: a word such as tomorrow means another day to whoever reads it later.
func ParseEnd(text string, now time.Time) (time.Time, error) { return parseMoment(text, now, 1) }

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
	if time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, local.Location()).After(
		now.Add(longestSkip)) {
		return time.Time{}, errors.New(
			"it lies more than 365 days ahead; what holds for longer is a note: git ltm note --kind pitfall")
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

// EndText is the end of something for people, where they are: a day, with the time where that is not its last minute.
func EndText(at, now time.Time) string {
	return strings.TrimSuffix(at.In(now.Location()).Format("2006-01-02 15:04"), " 23:59")
}

// units are the lengths of time that people name, by their first letter or as a word. A month has 30 days and
// a year 365.
var units = map[string]time.Duration{
	"min": time.Minute, "minute": time.Minute, "h": time.Hour, "hour": time.Hour, "d": 24 * time.Hour,
	"day": 24 * time.Hour,
	"w":   7 * 24 * time.Hour, "week": 7 * 24 * time.Hour, "m": 30 * 24 * time.Hour,
	"month": 30 * 24 * time.Hour,
	"y":     365 * 24 * time.Hour, "year": 365 * 24 * time.Hour,
}

// ParseLength reads a length of time such as 3d, 2w, "2 weeks" or "an hour".
func ParseLength(text string) (time.Duration, bool) {
	text = normalizeWhen(text)
	word := strings.TrimLeft(text, "0123456789")
	number := strings.TrimSuffix(text, word)
	if article, rest, ok := strings.Cut(word, " "); ok && (article == "a" || article == "an") &&
		number == "" {
		number, word = "1", rest
	}
	word = strings.TrimPrefix(word, " ")
	unit := units[word]
	if single, ok := strings.CutSuffix(word, "s"); ok && len(single) > 1 {
		unit = units[single]
	}
	count, err := strconv.Atoi(number)
	if err != nil || unit == 0 || time.Duration(count) > math.MaxInt64/unit {
		return 0, false
	}
	return time.Duration(count) * unit, true
}

// normalizeWhen writes the forms of git, in which a dot can stand for a blank, as people do.
func normalizeWhen(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(c rune) bool {
		return c == '.' || unicode.IsSpace(c)
	}), " ")
}

// ParseWhen reads since when something is wanted, in the forms of git. A day begins with its first moment in
// the zone of now, and a length counts back from now.
func ParseWhen(text string, now time.Time) (time.Time, error) { return parseMoment(text, now, -1) }

// parseMoment reads a time; direction says whether a length counts forward or back, and a day is meant to its end
// or from its beginning.
func parseMoment(text string, now time.Time, direction time.Duration) (time.Time, error) {
	said, zone, wanted := normalizeWhen(text), now.Location(), direction
	ago, isAgo := strings.CutSuffix(said, " ago")
	in, isIn := strings.CutPrefix(said, "in ")
	switch {
	case isAgo:
		said, direction = ago, -1
	case isIn:
		said, direction = in, 1
	}
	if span, ok := ParseLength(said); ok {
		return now.Add(direction * span), nil
	}
	if isAgo || isIn {
		return time.Time{}, noTime(text, wanted)
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, nil
	}
	for _, layout := range []string{time.DateTime, "2006-01-02 15:04"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at, nil
		}
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		days := map[string]int{"yesterday": -1, "today": 0, "tomorrow": 1}
		for i := 1; i <= 7; i++ { // The last one of its name, or the next.
			name := strings.ToLower(now.AddDate(0, 0, i*int(direction)).Weekday().String())
			days[name], days[name[:3]] = i*int(direction), i*int(direction)
		}
		number, known := days[strings.TrimPrefix(strings.TrimPrefix(said, "last "), "next ")]
		switch {
		case said == "now":
			return now, nil
		case !known, strings.HasPrefix(said, "last ") && direction > 0,
			strings.HasPrefix(said, "next ") && direction < 0:
			return time.Time{}, noTime(text, wanted)
		}
		day = now.AddDate(0, 0, number)
	}
	begin := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone)
	if direction > 0 {
		return begin.AddDate(0, 0, 1).Add(-time.Second), nil
	}
	return begin, nil
}

// Word makes what somebody typed fit to be quoted by an error. A secret that is broken over lines is one only
// before they are joined.
func Word(text string) string {
	var builtIn *scan.Rules
	return report.Line(builtIn.Public(text))
}
