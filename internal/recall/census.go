package recall

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Census is how many records a memory holds, without those that were purged. It is its JSON shape too.
type Census struct {
	Packets int `json:"packets"` // also private ones and those that a remote alone holds, as of the other kinds
	Notes   int `json:"notes"`
	Skips   int `json:"skips"`
	Events  int `json:"events"`
	Fetched int `json:"fetched_packets"` // that a remote alone holds
	Private int `json:"private_packets"` // of this clone alone

	PrivateNotes int `json:"private_notes"`
	PrivateSkips int `json:"private_skips"`

	Records int          `json:"records"`    // that this clone shares, of every kind
	Tasks   int          `json:"open_tasks"` // of the newest 50 tasks, those that are neither completed nor archived
	Heard   replay.Heard `json:"unasked"`    // how many reach a session that nobody asked for them
}

// openTasks is how many of the newest tasks are looked at to say how many are open.
const openTasks = 50

// heardApart is how many of the newest records of each kind are read, where counting does not tell to whom
// they may be shown.
const heardApart = 64

// Census counts the records of a memory, and reads no more than some tasks.
func (r *Recall) Census(ctx context.Context) (Census, error) {
	return askMended(r, func() Census { return r.countRecords(ctx) })
}

func (r *Recall) countRecords(ctx context.Context) (c Census) {
	counts := r.countAll(ctx)
	kinds, private := counts.withPrefix(index.CountKind), counts.withPrefix(index.CountPrivate)
	remote := counts.withPrefix(index.CountRemote)
	c = Census{
		Packets: kinds[string(packet.KindPacket)], Notes: kinds[string(packet.KindNote)],
		Skips: kinds[string(packet.KindSkip)], Events: kinds[string(packet.KindEvent)],
		Fetched: remote[string(packet.KindPacket)], Private: private[string(packet.KindPacket)],
		PrivateNotes: private[string(packet.KindNote)], PrivateSkips: private[string(packet.KindSkip)],
	}
	c.Records = counts.sumOf(index.CountKind) - counts.sumOf(index.CountPrivate) - counts.sumOf(index.CountRemote)
	if c.Heard = r.countHeard(ctx, replay.Unasked, counts); r.fault == nil {
		c.Tasks = r.openTasks(ctx)
	}
	return c
}

// mostHidden is how many of the newest records that events speak of, and of those that ended, are looked at
// to say which are hidden; and of how many it is asked anew who made them.
const mostHidden = 512

// Heard counts the records that are shown to those who read for a reason: those who did not ask, or who ask
// for what is trusted alone. Where counters do not tell, the newest of each kind are read.
func (r *Recall) Heard(ctx context.Context, to replay.Reading) (replay.Heard, error) {
	counts := r.countAll(ctx)
	h := r.countHeard(ctx, to, counts)
	return h, r.takeFault()
}

func (r *Recall) countHeard(ctx context.Context, to replay.Reading, counts counters) (h replay.Heard) {
	by := counts.withPrefix(index.CountSigner)
	r.settleYoung(ctx, by)
	v, err := r.memory.Source().Voices(ctx, slices.Collect(maps.Keys(by)))
	if r.noteFault(err) {
		return h
	}
	if v.Anybody || !r.fresh ||
		slices.ContainsFunc(v.Trusted, func(word string) bool { return !replay.IsSure(word) }) {
		if h, err = r.memory.Source().Heard(ctx, to, heardApart); !r.noteFault(err) && !h.More && r.fresh {
			r.countHidden(ctx, &h)
		}
		return h
	}
	h = replay.HeardBy(to)
	for word, n := range by {
		told := to == replay.Unasked && slices.Contains(v.Claimed, word)
		if slices.Contains(v.Trusted, word) {
			told = r.isTold(ctx, word, to)
		}
		if told {
			h.Told += n
		} else {
			h.Withheld += n
		}
	}
	r.countHidden(ctx, &h)
	return h
}

// settleYoung counts records anew of which it was not noted yet who made them when they were indexed,
// where it is noted now.
func (r *Recall) settleYoung(ctx context.Context, by map[string]int) {
	n, last := by[replay.YoungWord], ""
	if !r.fresh || n == 0 || n > mostHidden {
		return
	}
	for h := range r.hitsOf(ctx, index.Query{Signers: []string{replay.YoungWord}}) {
		if h.Ref == last {
			continue
		}
		last = h.Ref
		if word, ok := r.memory.Source().SettledWord(h.Ref); ok {
			by[word]++
			n--
		}
	}
	if by[replay.YoungWord] = n; n <= 0 {
		delete(by, replay.YoungWord)
	}
}

// countHidden counts apart what is hidden from all, whoever vouches for it.
func (r *Recall) countHidden(ctx context.Context, h *replay.Heard) {
	ids, err := r.index.Targets(ctx, mostHidden)
	over, failed := r.index.Ending(ctx, time.Time{}, r.now(), mostHidden)
	if r.noteFault(cmp.Or(err, failed)) {
		return
	}
	ids = append(ids, over...)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	hits := make([]index.Hit, len(ids))
	for i, id := range ids {
		hits[i].ID = id
	}
	for e := range r.readHits(ctx, hits, func(h index.Hit, life replay.Life) bool {
		return life.Resting() || life.Closed || life.Set != "" || !life.Until.IsZero() || slices.Contains(over, h.ID)
	}) {
		shown, _ := e.Open(replay.Inspected)
		done := e.Life.Closed && e.Kind() != packet.KindPacket || // What a thread settled outlives it.
			shown.Note().Kind == packet.NoteTask && !isOpen(shown.Task())
		if e.Kind() != packet.KindEvent && (e.Life.Resting() || done) {
			h.Hide(e)
		}
	}
}

// readHits yields the records of some hits that are wanted by what became of them, one after the other. What
// was purged, is gone or cannot be read is left out.
func (r *Recall) readHits(ctx context.Context, hits []index.Hit,
	wanted func(index.Hit, replay.Life) bool,
) iter.Seq[replay.Entry] {
	return func(yield func(replay.Entry) bool) {
		g := r.glanceAt(ctx, hits)
		for _, h := range hits {
			life, purged := g.Life(packet.ID(h.ID))
			if purged || !wanted(h, life) {
				continue
			}
			if r.fault != nil {
				return
			}
			var e replay.Entry
			var err error
			if h.Ref != "" {
				e, err = g.Read(ctx, h.Ref)
			} else {
				e, err = g.Find(ctx, packet.ID(h.ID))
			}
			if replay.IsUnreadable(err) || errors.Is(err, replay.ErrNotFound) {
				continue
			}
			if r.noteFault(err) || !yield(e) {
				return
			}
		}
	}
}

// isTold tells whether the newest record of a signer is shown to those who read for a reason. The others are
// taken for the same.
func (r *Recall) isTold(ctx context.Context, signer string, to replay.Reading) bool {
	g := r.glanceAt(ctx, nil)
	for h := range r.hitsOf(ctx, index.Query{Signers: []string{signer}, Limit: 1}) {
		e, ok := r.readEntry(ctx, g, h.Ref)
		return ok && e.Withheld(to) == ""
	}
	return false
}

// hitsOf yields what the index holds for a query.
func (r *Recall) hitsOf(ctx context.Context, q index.Query) iter.Seq[index.Hit] {
	return func(yield func(index.Hit) bool) {
		if r.fault != nil {
			return
		}
		for h, err := range r.index.All(ctx, q) {
			if r.noteFault(err) || !yield(h) {
				return
			}
		}
	}
}

// openTasks counts the open tasks among the newest.
func (r *Recall) openTasks(ctx context.Context) (n int) {
	hits := slices.Collect(r.hitsOf(ctx, index.Query{Kinds: []string{packet.NoteTask}, Limit: openTasks}))
	for e := range r.readHits(ctx, hits, func(h index.Hit, life replay.Life) bool {
		return !life.Hidden() && !life.Closed && (!hasEnded(h.Record.ExpiresAt, r.now()) || !life.Until.IsZero())
	}) {
		if shown, _ := e.Open(replay.Asked); !e.Life.Hidden() && isOpen(shown.Task()) {
			n++
		}
	}
	return n
}

// nextToExpire returns the records that expire within a span of time, the next first, and at most so many.
func (r *Recall) nextToExpire(ctx context.Context, most int) []Expiring {
	all := []Expiring{}
	ids, err := r.index.Ending(ctx, r.now(), r.now().Add(figureSoon), further*most)
	if r.noteFault(err) {
		return all
	}
	var hits []index.Hit
	for _, id := range ids {
		hits = append(hits, index.Hit{ID: id})
	}
	shown := func(_ index.Hit, life replay.Life) bool { return !life.Hidden() }
	for e := range r.readHits(ctx, hits, shown) {
		at := e.ExpiresAt()
		if e.Store == replay.OfClone || e.Life.Hidden() || at.IsZero() ||
			!at.Before(r.now().Add(figureSoon)) {
			continue
		}
		kind := string(e.Kind())
		if shown, why := e.Open(replay.Asked); why == "" && kind == string(packet.KindNote) {
			kind = shown.Note().Kind
		}
		all = append(all, Expiring{ID: e.ID, Kind: kind, At: at.UTC().Truncate(time.Second)})
		if len(all) == most {
			break
		}
	}
	slices.SortFunc(all, func(a, b Expiring) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(string(a.ID), string(b.ID)))
	})
	return all
}
