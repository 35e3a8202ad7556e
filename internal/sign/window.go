package sign

import (
	"errors"
	"strings"
	"time"
)

var errTime = errors.New("a time is not YYYYMMDD, YYYYMMDDHHMM or YYYYMMDDHHMMSS, with or without Z")

// parseTime reads a time as ssh-keygen does: in UTC with Z or UTC at its end, else in the standard time of
// the zone, even in summer.
func parseTime(s string, zone *time.Location) (time.Time, error) {
	digits, utc := cutFold(s, "Z")
	if !utc {
		digits, utc = cutFold(s, "UTC")
	}
	if strings.Trim(digits, "0123456789") != "" {
		return time.Time{}, errTime
	}
	fields := [6]int{}
	at := 0
	for i, width := range [...]int{4, 2, 2, 2, 2, 2} {
		if at == len(digits) && (i == 3 || i == 5) {
			break
		}
		if at+width > len(digits) {
			return time.Time{}, errTime
		}
		for _, d := range digits[at : at+width] {
			fields[i] = fields[i]*10 + int(d-'0')
		}
		at += width
	}
	// A day that its month does not have runs into the next month.
	if f := fields; at != len(digits) || f[1] < 1 || f[1] > 12 || f[2] < 1 || f[2] > 31 || f[3] > 23 ||
		f[4] > 59 || f[5] > 61 {
		return time.Time{}, errTime
	}
	t := dateIn(fields, time.UTC)
	if !utc {
		t = dateIn(fields, standardZone(dateIn(fields, zone)))
	}
	if t.Unix() <= 0 {
		return time.Time{}, errTime
	}
	return t, nil
}

func cutFold(s, suffix string) (string, bool) {
	at := len(s) - len(suffix)
	if at < 1 || !strings.EqualFold(s[at:], suffix) {
		return s, false
	}
	return s[:at], true
}

func dateIn(f [6]int, zone *time.Location) time.Time {
	return time.Date(f[0], time.Month(f[1]), f[2], f[3], f[4], f[5], 0, zone)
}

// standardZone returns the zone of a time without its summer time.
func standardZone(t time.Time) *time.Location {
	if !t.IsDST() {
		return t.Location()
	}
	for _, month := range [...]time.Month{time.January, time.July} {
		if u := time.Date(t.Year(), month, 1, 0, 0, 0, 0, t.Location()); !u.IsDST() {
			_, offset := u.Zone()
			return time.FixedZone("", offset)
		}
	}
	return t.Location()
}

// window is a span of time with open ends where a time is zero. It holds its last second.
type window struct{ after, before time.Time }

func (w window) isOver(t time.Time) bool {
	return !w.before.IsZero() && t.Unix() > w.before.Unix()
}

// A term is a condition of time, with the words for what breaks it.
type term struct {
	window
	never   string // it did not hold when the signature was made
	pending string // it has not begun now
	ended   string // it has ended since
}

// claimWithin returns the claim of a source that vouches for a key under terms, of which the worst decides.
func claimWithin(by, why string, signed, now time.Time, terms ...term) claim {
	worst := claim{standing: Good, by: by, why: why}
	var turns []time.Time
	for _, t := range terms {
		if !t.after.IsZero() {
			turns = append(turns, t.after)
		}
		if !t.before.IsZero() {
			turns = append(turns, t.before.Add(time.Second))
		}
		c := worst
		switch {
		case signed.Before(t.after) || t.isOver(signed):
			c = claim{standing: Unknown, why: t.never}
		case now.Before(t.after):
			c = claim{standing: Unknown, why: t.pending}
		case t.isOver(now):
			c = claim{standing: Expired, by: by, why: "it was good when it was signed; " + t.ended}
		}
		if c.claimRank() > worst.claimRank() {
			worst = c
		}
	}
	worst.turns = turns
	return worst
}
