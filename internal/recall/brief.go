package recall

import (
	"context"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// BriefOptions say how a packet is briefed.
type BriefOptions struct {
	Reading replay.Reading // why it is read
	Alone   bool           // leave out what earlier packets of the thread settled
	Now     time.Time      // required
}

// Brief returns what the next session reads of a packet; the nonce and the budget are the caller's. A packet
// that its signature keeps from sessions is a [replay.StandingError], and one that policy does a
// [replay.PolicyError].
func Brief(ctx context.Context, m *memory.Memory, found replay.Entry,
	o BriefOptions,
) (briefing.Briefing, error) {
	entry, err := found.MustOpen(o.Reading)
	if err != nil {
		return briefing.Briefing{}, err
	}
	b := briefing.Briefing{
		Packet: entry.Sealed(), To: o.Reading, Store: string(entry.Store), Closed: entry.Life.Closed,
		Cleaned: clean.Count(string(entry.Data())), Now: o.Now, Wrong: map[packet.ID]provenance.Text{},
	}
	if !entry.Trusted() && entry.Verdict.Standing.Vouched() {
		b.Doubt = "fewer people signed this packet than ltm.requireEndorsed asks for."
	}
	if b.Changed, err = m.Citations().Changed(ctx, entry.Packet()); err != nil {
		return briefing.Briefing{}, err
	}
	if o.Alone {
		return b, nil
	}
	if entry.Life.Contradicted {
		b.Wrong[entry.ID] = entry.Life.Wrong
	}
	thread, err := m.Threads().Thread(ctx, entry.Entry, o.Reading)
	for _, t := range thread {
		if s, why := t.Open(o.Reading); why == "" {
			b.Thread = append(b.Thread, s.Sealed())
			if t.Life.Contradicted {
				b.Wrong[t.ID] = t.Life.Wrong
			}
		}
	}
	return b, err
}
