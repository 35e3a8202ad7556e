package recall

import (
	"context"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
)

// BriefOptions say how a packet is briefed.
type BriefOptions struct {
	Reading memory.Reading // why it is read
	Alone   bool           // leave out what earlier packets of the thread settled
	Now     time.Time      // required
}

// Brief returns what the next session reads of a packet; the nonce and the budget are the caller's. A packet that its
// signature keeps from sessions is a [memory.StandingError], and one that policy does a [memory.PolicyError].
func Brief(ctx context.Context, m *memory.Memory, entry memory.Entry, o BriefOptions) (briefing.Briefing, error) {
	if err := handed(ctx, m, entry, o.Reading); err != nil {
		return briefing.Briefing{}, err
	}
	b := briefing.Briefing{
		ID: string(entry.ID), Packet: entry.Packet, Standing: string(entry.Verdict.Standing), Store: string(entry.Store), Vouched: entry.Verdict.Why,
		By: entry.Verdict.By, Key: entry.Verdict.Key, Cleaned: clean.Count(string(entry.Data)), Now: o.Now,
	}
	var err error
	if b.Verified, err = m.Verified(ctx, entry); err != nil {
		return briefing.Briefing{}, err
	}
	if !b.Verified && entry.Verdict.Standing.Vouched() {
		b.Doubt = "fewer people vouch for this packet than ltm.requireEndorsed asks for."
	}
	if b.Changed, err = m.Changed(ctx, entry.Packet); err != nil {
		return briefing.Briefing{}, err
	}
	if !o.Alone {
		b.Thread, err = ancestors(ctx, m, entry, o.Reading)
	}
	return b, err
}

// handed refuses a packet that its signature or policy keeps from sessions.
func handed(ctx context.Context, m *memory.Memory, entry memory.Entry, reading memory.Reading) error {
	if entry.Verdict.Standing.Withheld() {
		return &memory.StandingError{ID: entry.ID, Verdict: entry.Verdict}
	}
	why, err := m.Withheld(ctx, entry, reading)
	if err == nil && why != "" {
		err = &memory.PolicyError{ID: entry.ID, Why: why}
	}
	return err
}

// ancestors are the packets that a packet continues, as a briefing has them.
func ancestors(ctx context.Context, m *memory.Memory, entry memory.Entry, reading memory.Reading) ([]briefing.Ancestor, error) {
	thread, err := m.Thread(ctx, entry, reading)
	if err != nil {
		return nil, err
	}
	var all []briefing.Ancestor
	for _, t := range thread {
		verified, err := m.Verified(ctx, t)
		if err != nil {
			return nil, err
		}
		all = append(all, briefing.Ancestor{ID: string(t.ID), Packet: t.Packet, Standing: string(t.Verdict.Standing), Verified: verified})
	}
	return all, nil
}
