package remote_test

import (
	"slices"
	"testing"
	"time"

	"github.com/git-ltm/git-ltm/internal/remote"
)

func TestTravel_IsDue(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	began := func(ago time.Duration, failed int) remote.Travel {
		return remote.Travel{Began: now.Add(-ago), Failed: failed}
	}
	always := []remote.When{remote.AtStart, remote.Between, remote.AtEnd, remote.Quiet}
	for _, c := range []struct {
		name string
		last remote.Travel
		want []remote.When
	}{
		{"never", remote.Travel{}, always},
		{"a moment ago", began(time.Second, 0), []remote.When{remote.AtStart, remote.AtEnd, remote.Quiet}},
		{"long ago", began(6*time.Minute, 0), always},
		{"failed, or not ended", began(time.Second, 1), []remote.When{remote.AtEnd}},
		{"failed twice", began(time.Second, 2), nil},
		{"failed before", began(6*time.Minute, 1), always},
		{"failed often", began(6*time.Minute, 3), []remote.When{remote.AtStart, remote.AtEnd}},
		{"in the future", began(-time.Hour, 3), always},
	} {
		var got []remote.When
		for _, when := range always {
			if c.last.IsDue(when, now) {
				got = append(got, when)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: due %q, want %q", c.name, got, c.want)
		}
	}
}

// Nobody waits for a remote that failed, that an exchange is under way with, or that was slow.
func TestTravel_IsQuick(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for name, c := range map[string]struct {
		last remote.Travel
		want bool
	}{
		"never asked": {remote.Travel{}, true},
		"quick":       {remote.Travel{Began: now, Ended: now.Add(time.Second)}, true},
		"slow":        {remote.Travel{Began: now, Ended: now.Add(3 * time.Second)}, false},
		"failed":      {remote.Travel{Began: now, Ended: now.Add(time.Second), Failed: 1}, false},
		"under way":   {remote.Travel{Began: now, Failed: 1}, false},
	} {
		if got := c.last.IsQuick(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
