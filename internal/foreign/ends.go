package foreign

import (
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// expires sets when a note ends. It is called after the time of the memory is
// known.
func (r *reader) expires(m *memory, said string) {
	m.ending = said
	end, how := until(said, r.since(m), r.opts.Zone)
	switch how {
	case neverEnds:
	case endsAt:
		m.doc.ExpiresAt = stamp(end)
	case endsAfter:
		m.doc.ExpiresAt, m.assumed = stamp(end), true
		m.note("it ends on %s, which is what its words meant when it was made", end.Format(time.DateOnly))
	case unclear:
		m.note("when it ends is no date that can be read, and was left out")
	}
}

// skipEnds sets when a skip ends, which it always does.
func (r *reader) skipEnds(m *memory, said string) {
	m.ending, m.skips = said, true
	made := r.since(m)
	end, how := until(said, made, r.opts.Zone)
	switch how {
	case neverEnds, unclear:
		end = endOfDay(made.AddDate(0, 0, defaultSkip), r.opts.Zone)
		m.note("it does not say when it ends: it lasts for %d days, until %s", defaultSkip, end.Format(time.DateOnly))
	case endsAfter:
		m.note("it ends on %s, which is what its words meant when it was made", end.Format(time.DateOnly))
	case endsAt:
	}
	m.assumed = how != endsAt
	if longest := made.Add(longestSkip * day); end.After(longest) && end.Sub(made) > packet.MaxSkip {
		m.note("it was to last until %s: a skip lasts for at most %d days", end.Format(time.DateOnly), longestSkip)
		end, m.assumed = longest, true
	}
	if end.Before(made) {
		m.note("it had ended on %s, before it was made: it ends when it was made", end.Format(time.DateOnly))
		end, m.assumed = made, true
	}
	m.doc.ExpiresAt = stamp(end)
}

// counted returns when a memory ends whose end is counted from when it was made.
func (r *reader) counted(m *memory, created time.Time) string {
	again := memory{created: created}
	if m.skips {
		r.skipEnds(&again, m.ending)
	} else {
		r.expires(&again, m.ending)
	}
	return again.doc.ExpiresAt
}

// since is when the memory was made, as far as that is known.
func (r *reader) since(m *memory) time.Time {
	if m.created.IsZero() {
		return r.opts.Modified
	}
	return m.created
}
