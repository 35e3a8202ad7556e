package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// CompactKeep is how many of the newest records stay refs of their own unless a compaction is told otherwise.
const CompactKeep = 500

// CompactRequest says which records move into the archive of this clone. The zero value moves all that this clone made.
type CompactRequest struct {
	OlderThan time.Duration // by the time in a record's id
	Keep      int           // so many of the newest stay
	All       bool          // those that others made, too
	DryRun    bool          // only tell
}

// Compacted is what moved into archives.
type Compacted struct {
	Archives   []string    // the full names of their refs; none for a dry run
	Records    []packet.ID // in the order of their ids
	Signatures int         // the later signatures that went along
	Left       int         // these should have moved and could not be read, or contradict what an archive holds
}

// Compact moves old records of this clone, and the later signatures of them, from refs of their own into one ref. Nobody who
// reads sees a difference. A second call finds nothing to do.
func (m *Memory) Compact(ctx context.Context, req CompactRequest) (Compacted, error) {
	if !req.DryRun {
		if err := m.heal(ctx); err != nil {
			return Compacted{}, err
		}
	}
	records, later, err := m.old(ctx, req)
	if err != nil {
		return Compacted{}, fmt.Errorf("find old records: %w", err)
	}
	if req.DryRun {
		return Compacted{Records: idsOf(records), Signatures: len(later)}, nil
	}
	moved, err := m.store.Compact(ctx, records, later)
	done := Compacted{
		Records: idsOf(moved.Records), Signatures: len(moved.Endorsements),
		Left: len(records) + len(later) - len(moved.Records) - len(moved.Endorsements),
	}
	for _, a := range moved.Archives {
		done.Archives = append(done.Archives, a.Ref())
	}
	m.endorsed = nil
	return done, err
}

// idsOf are the ids of refs, in their order.
func idsOf(list []refs.Ref) []packet.ID {
	ids := make([]packet.ID, len(list))
	for i, ref := range list {
		ids[i] = ref.Name.ID
	}
	slices.Sort(ids)
	return ids
}

// old returns the refs that move, and the later signatures of them and of what has moved before.
func (m *Memory) old(ctx context.Context, req CompactRequest) (records []refs.Ref, later []refs.Endorsement, err error) {
	var candidates []refs.Ref
	goes := map[packet.ID]bool{}
	for _, kind := range kinds() {
		for ref, err := range m.store.List(ctx, refs.Query{Kind: kind}) {
			switch {
			case err != nil:
				return nil, nil, err
			case !req.All && !m.made(ref.Name):
			case ref.Archive != "":
				goes[ref.Name.ID] = true
			default:
				candidates = append(candidates, ref)
			}
		}
	}
	slices.SortFunc(candidates, func(a, b refs.Ref) int { return strings.Compare(string(b.Name.ID), string(a.Name.ID)) })
	before := m.opts.Now().Add(-req.OlderThan)
	for _, ref := range candidates[min(max(req.Keep, 0), len(candidates)):] {
		if ref.Name.ID.Time().After(before) {
			continue
		}
		goes[ref.Name.ID] = true
		records = append(records, ref)
	}
	all, err := m.store.Endorsements(ctx, "")
	for _, e := range all {
		if e.Remote == "" && e.Archive == "" && goes[e.ID] {
			later = append(later, e)
		}
	}
	return records, later, err
}

// made tells whether this clone made a record, as far as it remembers.
func (m *Memory) made(name refs.Name) bool {
	was, ok := m.seen.find(name)
	return ok && was.made
}
