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

// CompactRequest says which records move into archives. The zero value moves all that this clone
// holds.
type CompactRequest struct {
	OlderThan time.Duration // by the time in a record's id
	Keep      int           // so many of the newest stay
	DryRun    bool          // only tell
	// Seen tells whether the remote was seen to hold an object under a full name: what it was not
	// sent yet stays. Nil takes all.
	Seen func(ref, object string) bool
}

// Compacted is what moved into archives.
type Compacted struct {
	Archives   []string    `json:"archives"`   // the full names of their refs; none for a dry run
	Records    []packet.ID `json:"records"`    // in the order of their ids
	Signatures int         `json:"signatures"` // the later signatures that went along
	Changes    int         `json:"-"`          // so many of the records are events
	// these should have moved and could not be read, or contradict what an archive holds
	Left   int `json:"left"`
	Unsent int `json:"unsent"` // these stay because the remote was not seen to hold them
	// so many of those are events
	UnsentChanges int `json:"-"`
}

// Compact moves old records of this clone, and the later signatures of them, from refs of their own
// into archives, and merges small archives. Nobody who reads sees a difference. A second call finds
// nothing to do.
func (m *Memory) Compact(ctx context.Context, req CompactRequest) (Compacted, error) {
	if !req.DryRun {
		if err := m.Heal(ctx); err != nil {
			return Compacted{}, err
		}
	}
	var done Compacted
	old, err := m.oldRefs(ctx, req, &done)
	if err != nil {
		return Compacted{}, fmt.Errorf("find old records: %w", err)
	}
	moved := refs.Moved{Refs: old}
	done.Left = len(moved.Refs)
	if !req.DryRun {
		moved, err = m.store.Archives.Compact(ctx, moved.Refs)
	}
	for _, ref := range moved.Refs {
		if done.Left--; ref.Name.Key == "" {
			done.Records = append(done.Records, ref.Name.ID)
			if ref.Name.Kind == refs.Events {
				done.Changes++
			}
		} else {
			done.Signatures++
		}
	}
	for _, a := range moved.Archives {
		done.Archives = append(done.Archives, a.Ref())
	}
	slices.Sort(done.Records)
	m.judge.Forget()
	return done, err
}

// oldRefs returns the refs that move, and behind them the later signatures of them and of what has moved
// before. It counts the records that would move if they had been sent.
func (m *Memory) oldRefs(ctx context.Context, req CompactRequest, done *Compacted) (old []refs.Ref, err error) {
	var candidates []refs.Ref
	goes := map[packet.ID]bool{}
	for _, kind := range refs.Kinds() {
		for ref, err := range m.store.List(ctx, refs.Query{Kind: kind}) {
			switch {
			case err != nil:
				return nil, err
			case ref.Archive != "":
				goes[ref.Name.ID] = true
			default:
				candidates = append(candidates, ref)
			}
		}
	}
	slices.SortFunc(candidates, func(a, b refs.Ref) int {
		return strings.Compare(string(b.Name.ID), string(a.Name.ID))
	})
	before := m.opts.Now().Add(-req.OlderThan)
	sent := func(ref refs.Ref) bool { return req.Seen == nil || req.Seen(ref.Name.Ref(), ref.Object) }
	for _, ref := range candidates[min(max(req.Keep, 0), len(candidates)):] {
		switch {
		case ref.Name.ID.Time().After(before):
		case !sent(ref):
			done.Unsent++
			if ref.Name.Kind == refs.Events {
				done.UnsentChanges++
			}
		default:
			goes[ref.Name.ID] = true
			old = append(old, ref)
		}
	}
	all, err := m.store.Endorsements(ctx, "")
	for _, e := range all {
		if e.Remote == "" && e.Archive == "" && goes[e.Name.ID] && sent(e) {
			old = append(old, e)
		}
	}
	return old, err
}
