// Package purge removes records for good, and keeps in quarantine what a purge names that is not trusted
// here, until somebody answers.
package purge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Purges removes records for good, and keeps in quarantine what waits for an answer.
type Purges struct{ opts gate.Tools }

// New returns one. Of what it is given all is required.
func New(with gate.Tools) *Purges { return &Purges{with} }

// mostTargets is how many records one event may name.
const mostTargets = 64

// Outcome says what a purge did in this clone.
type Outcome struct {
	Events  []packet.ID `json:"-"` // the tombstones
	Purged  []packet.ID `json:"purged"`
	About   []packet.ID `json:"-"`       // events that spoke of these alone, and went with them
	Already []packet.ID `json:"already"` // these were purged before
	Unknown []packet.ID `json:"unknown"` // no such record is here; the tombstone holds all the same
	Refs    []string    `json:"refs"`    // the refs that were taken out, of every kind
	Heirs   []packet.ID `json:"-"`       // what takes their place, and may say the same
}

// Purge removes records for good: a tombstone is stored, and then everything of them is taken out of this
// clone. A record that is not here is named by its whole id. Events that speak of nothing else go too. Every
// spec must name a record, or nothing is changed. The bytes lie in the repository until git collects them.
func (g *Purges) Purge(ctx context.Context, specs []string, reason string) (Outcome, error) {
	if !slices.Contains(replay.Reasons(), reason) {
		return Outcome{}, fmt.Errorf("reason %q: %w", replay.Quotable(reason), replay.ErrUsage)
	}
	if err := g.opts.Heal(ctx); err != nil {
		return Outcome{}, err
	}
	p, all, s, err := g.planPurge(ctx, specs)
	if err != nil {
		return Outcome{}, err
	}
	// What took the place of such a record, and was taken back for it, would be seen again.
	if back := s.TakenBack(p.Purged); len(back) > 0 {
		if _, err := g.opts.Writer.StoreEvents(ctx, gate.Event{
			Kind: "retract", Targets: back, Why: "it was taken back before what it replaced was purged",
		}); err != nil {
			return Outcome{}, err
		}
	}
	g.opts.Erased.Note(all, s.Stones)
	anothers := map[packet.ID][]packet.ID{}
	for group := range slices.Chunk(slices.Concat(p.Purged, p.About), mostTargets) {
		ids, err := g.opts.Writer.StoreEvents(ctx,
			gate.Event{Kind: replay.PurgeEvent, Targets: group, Value: reason})
		if err != nil {
			return Outcome{}, err
		}
		p.Events = append(p.Events, ids...)
		for _, id := range group {
			if !g.opts.Seen.MadeOne(id) {
				anothers[id] = ids
			}
		}
	}
	if err := g.opts.Answers.Yield(anothers); err != nil {
		return Outcome{}, err
	}
	p.Refs, err = g.eraseRecords(ctx, all)
	return p, err
}

// Preview says what [Purges.Purge] would do, and changes nothing.
func (g *Purges) Preview(ctx context.Context, specs []string) (Outcome, error) {
	p, all, s, err := g.planPurge(ctx, specs)
	if err == nil {
		p.Refs, err = g.opts.Store.WouldErase(ctx, all, s.Stones)
	}
	return p, err
}

// planPurge says what a purge is to do, and of which records everything goes.
func (g *Purges) planPurge(ctx context.Context,
	specs []string,
) (p Outcome, all []packet.ID, s *replay.State, err error) {
	s, err = g.opts.Reader.Fold(ctx)
	inside, failed := g.opts.Reader.Quarantined(ctx)
	if err := cmp.Or(err, failed); err != nil {
		return Outcome{}, nil, nil, err
	}
	var problems []error
	for _, spec := range specs {
		id, here, err := g.findRecord(ctx, s, spec)
		here = here || inside[id]
		_, before := s.Purged[id]
		// Who purges what waits for an answer has answered.
		before = before && (s.Purged[id].Sure || !inside[id])
		switch {
		case err != nil:
			problems = append(problems, err)
			continue
		case slices.Contains(all, id):
			continue
		case before:
			p.Already = append(p.Already, id)
		default:
			p.Purged = append(p.Purged, id)
		}
		all = append(all, id)
		if !here && !before {
			p.Unknown = append(p.Unknown, id)
		}
	}
	p.About = s.About(all, func(replay.Entry) bool { return true })
	p.Heirs = s.Heirs(all)
	return p, append(all, p.About...), s, errors.Join(problems...)
}

// findRecord finds the record that a spec names, of any kind.
func (g *Purges) findRecord(ctx context.Context, s *replay.State,
	spec string,
) (id packet.ID, here bool, err error) {
	if id, err := packet.ParseID(strings.ToUpper(spec)); err == nil {
		for _, kind := range refs.Telling() {
			if g.opts.Reader.IsHere(ctx, kind, id) {
				return id, true, nil // An event of the same id does not protect it.
			}
		}
		if !g.opts.Reader.IsHere(ctx, refs.Events, id) {
			return id, false, nil
		}
		return id, true, refuseTombstone(s, id)
	}
	t, err := g.opts.Reader.TargetOf(ctx, spec)
	if err == nil && t.Ref.Name.Kind == refs.Events {
		err = refuseTombstone(s, t.Ref.Name.ID)
	}
	return t.Ref.Name.ID, true, err
}

func refuseTombstone(s *replay.State, id packet.ID) error {
	if slices.ContainsFunc(s.Purges(), func(p replay.Purge) bool { return p.ID == id }) {
		return fmt.Errorf("event %s: %w", id, replay.ErrTombstone)
	}
	return nil
}

// eraseRecords takes everything of some records out of this clone.
func (g *Purges) eraseRecords(ctx context.Context, ids []packet.ID) ([]string, error) {
	s, err := g.opts.Reader.Fold(ctx)
	if err != nil {
		return nil, err
	}
	g.opts.Erased.Note(ids, s.Stones)
	gone, err := g.opts.Store.Erase(ctx, ids, s.Stones)
	if err != nil {
		return nil, err
	}
	var archives []string
	gone = slices.DeleteFunc(gone, func(ref string) bool {
		if refs.IsArchive(ref) { // It is back where plain git brings it back.
			archives = append(archives, ref)
		}
		return refs.IsArchive(ref)
	})
	g.opts.Erased.NoteArchives(archives)
	for _, id := range ids {
		for _, kind := range refs.Kinds() {
			if kind == refs.Events && s.Stones[id] != "" {
				continue
			}
			g.opts.Seen.Erase(refs.Name{Kind: kind, ID: id})
			g.opts.Seen.Erase(refs.Name{Kind: kind, ID: id, Private: true})
		}
	}
	g.opts.Seen.Keep()
	g.opts.Reader.Forget()
	return gone, nil
}

// Burial is what became of records that were purged elsewhere.
type Burial struct {
	Gone   []string    // full names of refs that were taken out
	Hidden []string    // those of them whose records wait in quarantine for an answer
	Heirs  []packet.ID // what takes the place of the others, and may say the same
}

// Bury takes out what is still here of records that were purged elsewhere. What this clone made or
// a trusted key signed goes to the quarantine first where the purge is not trusted, and so do many
// records at once; remote is who brought the purge. Where nothing was purged it reads nothing but
// events.
func (g *Purges) Bury(ctx context.Context, remote string) (b Burial, err error) {
	g.opts.Reader.Forget()
	s, err := g.opts.Reader.Fold(ctx)
	inside, failed := g.opts.Reader.Quarantined(ctx)
	if err := cmp.Or(err, failed); err != nil {
		return Burial{}, err
	}
	var back []packet.ID
	for id := range inside {
		if s.Purged[id].Event == "" {
			back = append(back, id)
		}
	}
	if len(back) > 0 {
		err = g.releaseRecords(ctx, back)
	}
	if err == nil && len(s.Purged) > 0 {
		var erased, wait []packet.ID
		erased, wait, err = g.judgePurged(ctx, s, inside)
		if err == nil && len(wait) > 0 {
			b.Hidden, err = g.hideRecords(ctx, s, wait, remote)
		}
		if err == nil {
			b.Gone, err = g.eraseRecords(ctx, append(erased, unsaidOf(s, erased)...))
			var gone []packet.ID
			for _, ref := range b.Gone {
				name, _ := refs.Parse(ref)
				gone = append(gone, name.ID)
			}
			b.Heirs = s.Heirs(gone)
			b.Gone = append(b.Gone, b.Hidden...)
			slices.Sort(b.Gone)
		}
	}
	if err != nil {
		return b, err
	}
	return b, g.noteTombstones(s)
}

// unsaidOf are the events of this clone that speak of nothing but records that go: their words were taken from
// these, and nobody else is to get them. An answer to a purge is none.
func unsaidOf(s *replay.State, gone []packet.ID) []packet.ID {
	return s.About(gone, func(e replay.Entry) bool { return e.Made && !s.AnswersPurge(e) })
}

// Collect drops the bytes of what was purged, with every other object of the repository that nothing refers
// to.
func (g *Purges) Collect(ctx context.Context) error {
	if err := g.opts.Store.Close(); err != nil { // Nothing of what goes may be open.
		return err
	}
	return g.opts.Repo.Collect(ctx)
}
