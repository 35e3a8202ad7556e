package memory

import (
	"context"
	"errors"
	"time"

	"github.com/git-ltm/git-ltm/internal/sign"
)

// Counts are the packets that are known here.
type Counts struct {
	All       int `json:"all"`
	Unsigned  int `json:"unsigned"`
	Retracted int `json:"retracted"`
	Expired   int `json:"expired"`
	Expiring  int `json:"expiring"`
	Fetched   int `json:"fetched"` // held by a remote alone
}

// Count reads every packet. What expires within soon is expiring.
func (m *Memory) Count(ctx context.Context, soon time.Duration) (Counts, error) {
	var c Counts
	horizon := m.opts.Now().Add(soon)
	for e, err := range m.List(ctx, Query{Hidden: true}) {
		if err != nil {
			return Counts{}, err
		}
		c.All++
		for _, is := range []struct {
			so    bool
			count *int
		}{
			{e.Verdict.Standing == sign.Unsigned, &c.Unsigned},
			{e.Life.Retracted, &c.Retracted},
			{e.Life.Expired, &c.Expired},
			{!e.Life.Expired && expired(e.Packet.ExpiresAt, horizon), &c.Expiring},
			{e.Remote != "", &c.Fetched},
		} {
			if is.so {
				*is.count++
			}
		}
	}
	return c, nil
}

// Inspect looks for refs below refs/ltm that are broken, and for names that are
// not ours.
func (m *Memory) Inspect(ctx context.Context) (broken []RecordError, stray []string, err error) {
	found, err := m.store.Broken(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, b := range found {
		broken = append(broken, RecordError{Ref: b.Ref, Err: errors.New(b.Reason)})
	}
	stray, err = m.store.Stray(ctx)
	return broken, stray, err
}
