package reply_test

import (
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/reply"
)

func TestParseEnd(t *testing.T) {
	t.Parallel()
	east := time.FixedZone("east", 14*60*60)
	now := time.Date(2026, 2, 28, 23, 30, 0, 0, east)
	for _, c := range []struct{ text, want string }{
		{"3d", "2026-03-03T23:30:00+14:00"},
		{"2w", "2026-03-14T23:30:00+14:00"},
		{"today", "2026-02-28T23:59:59+14:00"},
		{"tomorrow", "2026-03-01T23:59:59+14:00"},
		{"2026-12-31", "2026-12-31T23:59:59+14:00"},
		{"2026-12-31T01:00:00Z", "2026-12-31T01:00:00Z"},
		{"in 2 weeks", "2026-03-14T23:30:00+14:00"},
		{"2 weeks", "2026-03-14T23:30:00+14:00"},
		{"an hour", "2026-03-01T00:30:00+14:00"},
		{"2026-12-31 08:00", "2026-12-31T08:00:00+14:00"},
		{"monday", "2026-03-02T23:59:59+14:00"},
		{"next sat", "2026-03-07T23:59:59+14:00"},
		{"yesterday", "2026-02-27T23:59:59+14:00"},
		{"3 days ago", "2026-02-25T23:30:00+14:00"},
		{"last friday", ""},
		{"in friday", ""},
		{"next spring", ""},
		{"soon", ""},
		{"3 ds", ""},
		{"3 parsecs", ""},
		{"2026-02-30", ""},
		{"d", ""},
		{"-3d", ""},
		{"300000d", ""},
		{"", ""},
	} {
		got := ""
		if at, err := reply.ParseEnd(c.text, now); err == nil {
			got = at.Format(time.RFC3339)
		}
		if got != c.want {
			t.Errorf("reply.ParseEnd(%q) is %q, want %q", c.text, got, c.want)
		}
	}
}

func TestParseWhen(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 0, 30, 0, 0, time.FixedZone("east", 14*60*60))
	for text, want := range map[string]string{
		"yesterday": "2026-02-28T00:00:00+14:00", "today": "2026-03-01T00:00:00+14:00",
		"now":         "2026-03-01T00:30:00+14:00",
		"2 weeks ago": "2026-02-15T00:30:00+14:00", "2.weeks": "2026-02-15T00:30:00+14:00",
		"2.weeks.ago": "2026-02-15T00:30:00+14:00",
		"2w":          "2026-02-15T00:30:00+14:00", "3d": "2026-02-26T00:30:00+14:00",
		"5 minutes ago": "2026-03-01T00:25:00+14:00",
		"1 Month ago":   "2026-01-30T00:30:00+14:00", "last friday": "2026-02-27T00:00:00+14:00",
		"sunday":     "2026-02-22T00:00:00+14:00",
		"2026-02-01": "2026-02-01T00:00:00+14:00", "2026-02-01T00:00:00Z": "2026-02-01T00:00:00Z",
		"2026-02-01 10:30:00": "2026-02-01T10:30:00+14:00", "gibberish": "", "": "", "ago": "",
		"next week": "", "2026-02-30": "",
	} {
		got := ""
		if at, err := reply.ParseWhen(text, now); err == nil {
			got = at.Format(time.RFC3339)
		}
		if got != want {
			t.Errorf("reply.ParseWhen(%q) is %q, want %q", text, got, want)
		}
	}
}

func TestParseSkipEnd(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.FixedZone("west", -8*60*60))
	for text, want := range map[string]bool{
		"365d": true, "366d": false, "2027-11-22": true, "2027-11-23": false, "2026-11-22": true,
		"2026-11-21":           false,
		"2026-11-22T19:59:59Z": false, "2026-11-22T20:00:01Z": true, "9y": false,
	} {
		if _, err := reply.ParseSkipEnd(text, now); (err == nil) != want {
			t.Errorf("reply.ParseSkipEnd(%q): %v, want it to be taken: %v", text, err, want)
		}
	}
}
