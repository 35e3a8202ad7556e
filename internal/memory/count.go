package memory

import (
	"context"
	"errors"
	"time"

	"github.com/git-ltm/git-ltm/internal/refs"
)

// inspected is how many packets Count reads; it counts the names of all.
const inspected = 1000

// Counts are the packets that are known here. All but the first speak of those
// that were read.
type Counts struct {
	All       int   `json:"all"`
	Read      int   `json:"read"`
	Unsigned  int   `json:"unsigned"`
	Retracted int   `json:"retracted"`
	Expired   int   `json:"expired"`
	Expiring  int   `json:"expiring"`
	Fetched   int   `json:"fetched"` // held by a remote alone
	Private   int   `json:"private"` // of this clone alone
	Heard     Heard `json:"-"`       // of those that lists show
}

// Count counts every packet, and reads the newest 1,000. What expires within
// soon is expiring.
func (m *Memory) Count(ctx context.Context, soon time.Duration) (Counts, error) {
	var c Counts
	horizon := m.opts.Now().Add(soon)
	for _, err := range m.everything(ctx, refs.Query{Kind: refs.Packets, Remotes: true}) {
		if err != nil {
			return Counts{}, err
		}
		c.All++
	}
	for e, err := range m.List(ctx, Query{Hidden: true}) {
		if err != nil {
			return Counts{}, err
		}
		if c.Read == inspected {
			c.Heard.More = true
			break
		}
		c.Read++
		c.Heard.hearShown(e)
		for _, is := range []struct {
			so    bool
			count *int
		}{
			{!e.Signed && len(e.Endorsers) == 0, &c.Unsigned},
			{e.Life.Retracted, &c.Retracted},
			{e.Life.Expired, &c.Expired},
			{!e.Life.Expired && expired(e.packet.ExpiresAt, horizon), &c.Expiring},
			{e.Remote != "", &c.Fetched},
			{e.Store == OfClone, &c.Private},
		} {
			if is.so {
				*is.count++
			}
		}
	}
	return c, nil
}

// Held is the number of records of this clone, of every kind that this version
// writes.
func (m *Memory) Held(ctx context.Context) (int, error) {
	sum := 0
	for _, kind := range refs.Kinds() {
		n, err := m.store.Count(ctx, kind)
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
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
