package replay

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// Query narrows a list of records. The zero value asks for all packets that are not hidden.
type Query struct {
	Kind   packet.Kind // the kind of the records; "" is packets
	Notes  []string    // of notes: one of these kinds; none asks for all
	Topic  string      // of notes: this topic, or below it
	Branch string      // the branch that the record was made on
	Tags   []string    // all of these
	Author string      // part of an author's name, in any case
	Path   string      // a path that the record names, or one below it, from the top of the repository
	Since  time.Time   // created at or after
	Until  time.Time   // created before
	Hidden bool        // also what is retracted, superseded or expired

	Vouched bool // a view leaves out what surely nobody vouches for who is trusted here
}

// List yields records of one kind, newest first by id. Records that cannot be read are left out and stand in
// [Reader.Skipped]; an error ends the list.
func (r *Reader) List(ctx context.Context, q Query) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		page := make([]refs.Ref, 0, firstPage)
		for ref, err := range r.listRefs(ctx, q, nil) {
			if err != nil {
				yield(Entry{}, err)
				return
			}
			if page = append(page, ref); len(page) < cap(page) {
				continue
			}
			if !r.listPage(ctx, page, q, yield) {
				return
			}
			page = make([]refs.Ref, 0, min(4*cap(page), check.Together))
		}
		r.listPage(ctx, page, q, yield)
	}
}

// firstPage is how many records of a list are looked at together at first.
const firstPage = 4

// listPage yields those of some records that a query asks for, and reports whether more are wanted.
func (r *Reader) listPage(ctx context.Context, page []refs.Ref, q Query, yield func(Entry, error) bool) bool {
	ids := make([]packet.ID, len(page))
	for i, ref := range page {
		ids[i] = ref.Name.ID
	}
	s, err := r.stateOf(ctx, ids...)
	if err != nil {
		yield(Entry{}, err)
		return false
	}
	for _, ref := range page {
		if s.leavesOut(ref.Name.ID, q) {
			continue
		}
		e, ok, err := r.readListed(ctx, ref, s)
		if err != nil {
			yield(Entry{}, err)
			return false
		}
		if ok && q.admitsEntry(e) && !yield(e, nil) {
			return false
		}
	}
	return true
}

// leavesOut tells a record that a list does not even read: it was purged, or hidden by an event where that is
// not asked for.
func (s *State) leavesOut(id packet.ID, q Query) bool {
	_, purged := s.Purged[id]
	return purged || s.Lives[id].Hidden() && !q.Hidden
}

// readListed reads a record of a list; one that cannot be read is skipped.
func (r *Reader) readListed(ctx context.Context, ref refs.Ref, s *State) (e Entry, ok bool, err error) {
	if err = r.whyLeftOut(ctx, ref); err == nil {
		e, err = r.livingIn(ctx, ref, s)
	}
	if err != nil {
		return Entry{}, false, r.Skip(ref.Full(), err)
	}
	return e, true, nil
}

func (q Query) admitsEntry(e Entry) bool {
	of := e.describeEntry()
	switch {
	case e.Life.Hidden() && !q.Hidden:
		return false
	case len(q.Notes) > 0 && !slices.Contains(q.Notes, e.note.Kind):
		return false
	case q.Topic != "" && e.note.Topic != q.Topic &&
		!strings.HasPrefix(e.note.Topic, strings.TrimSuffix(q.Topic, "/")+"/"):
		return false
	case q.Branch != "" && of.anchor.Branch != q.Branch:
		return false
	case !q.Since.IsZero() && e.CreatedAt().Before(q.Since):
		return false
	case !q.Until.IsZero() && !e.CreatedAt().Before(q.Until):
		return false
	case q.Path != "" &&
		!slices.ContainsFunc(e.record.Content().Paths, func(p string) bool {
			return packet.IsWithin(p, q.Path)
		}):
		return false
	case q.Author != "" && !hasWritten(of.by.AuthorHuman, of.by.Agent, q.Author) &&
		!hasWritten(of.by.AuthorModel, of.by.Model, q.Author):
		return false
	}
	for _, tag := range q.Tags {
		if !slices.Contains(of.tags, tag) {
			return false
		}
	}
	return true
}

// about is what lists ask of a record of any kind.
type about struct {
	anchor packet.Anchor
	by     packet.Provenance
	tags   []string
}

func (e Entry) describeEntry() about {
	switch e.kind {
	case packet.KindEvent:
		return about{by: e.event.Provenance}
	case packet.KindNote:
		return about{e.note.Anchor, e.note.Provenance, e.note.Tags}
	case packet.KindSkip:
		return about{e.skip.Anchor, e.skip.Provenance, e.skip.Tags}
	default:
		return about{e.packet.Anchor, e.packet.Provenance, e.packet.Tags}
	}
}

func hasWritten(a, b, name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(strings.ToLower(a), name) || strings.Contains(strings.ToLower(b), name)
}

// Given is a record that is to be written in another form, outside of the store.
type Given struct {
	Shown
	Tag      []byte           // the raw tag object that signs it; nil for none
	Kept     string           // why it must not be handed on; empty where it may
	Findings []redact.Finding // what was found that must not travel; then it must not be handed on either
}

// Give yields the records of one kind that a list does, and scans each once more. They come oldest first by
// id, and private ones only where that is the reach.
func (r *Reader) Give(ctx context.Context, q Query, reach Reach) iter.Seq2[Given, error] {
	return func(yield func(Given, error) bool) {
		s, err := r.Fold(ctx)
		if err != nil {
			yield(Given{}, err)
			return
		}
		for ref, err := range r.Everything(ctx, refs.Query{Kind: refs.KindFor(q.Kind), Remotes: true}) {
			if err == nil && (s.leavesOut(ref.Name.ID, q) || ref.Name.Private && reach != Private) {
				continue
			}
			g, ok, err := r.readAsked(ctx, ref, q, s, err)
			if (ok || err != nil) && !yield(g, err) || err != nil {
				return
			}
		}
	}
}

// readAsked returns a record where a query asks for it.
func (r *Reader) readAsked(ctx context.Context, ref refs.Ref, q Query, s *State,
	err error,
) (Given, bool, error) {
	if err != nil {
		return Given{}, false, err
	}
	e, ok, err := r.readListed(ctx, ref, s)
	if err != nil || !ok || !q.admitsEntry(e) {
		return Given{}, false, err
	}
	g, err := r.judgeGiven(ctx, ref, e)
	return g, true, err
}

// judgeGiven judges a record on its way out, as a push does.
func (r *Reader) judgeGiven(ctx context.Context, ref refs.Ref, e Entry) (Given, error) {
	var g Given
	if g.Shown, g.Kept = e.Open(Asked); g.Kept != "" {
		return g, nil
	}
	var tag []byte
	if e.Signed {
		obj, err := r.opts.Store.Read(ctx, ref, refs.Bound(ref.Name.Kind))
		if err != nil {
			return g, fmt.Errorf("read %q: %w", ref.Full(), err)
		}
		tag = obj.Tag
	}
	// Returns what must not travel of a record and of the tag object that signs it, which goes with it.
	rules, err := r.opts.Rules.Rules(ctx)
	if err != nil {
		return g, err
	}
	findings, err := rules.Scan(e.data)
	if err != nil {
		return g, fmt.Errorf("scan for secrets: %w", err)
	}
	if len(tag) > 0 {
		findings = append(findings, rules.ScanText(string(sign.Prose(tag)))...)
	}
	hits := redact.Blocking(findings)
	if len(hits) > 0 {
		if g.Findings, err = r.notAllowed(ctx, ref, hits); err != nil || len(g.Findings) > 0 {
			return g, err
		}
	}
	g.Tag = tag
	return g, nil
}

// Happening is one thing that was done to the memory.
type Happening struct {
	ID       packet.ID // of the record that says so
	At       time.Time
	What     string // "save", or the kind of the event
	Targets  []string
	Why      provenance.Text // the goal of a packet, the reason of an event, with who wrote it
	Standing sign.Standing
	Parents  []string // of a packet
	By       []string // of an event: the other records that it names
	Made     bool     // this clone made it
}

// Log returns what was done to the memory, newest first by id; limit bounds how much, and zero does not.
func (r *Reader) Log(ctx context.Context, limit int) ([]Happening, error) {
	var all []Happening
	for e, err := range r.newestEvents(ctx, limit) {
		if err != nil {
			return nil, err
		}
		all = append(all, Happening{
			ID: e.ID, At: e.event.CreatedAt, What: e.event.Event, Targets: e.event.Targets,
			Why: e.sealText(e.event.Why), Standing: e.Verdict.Standing, By: e.event.By, Made: e.Made,
		})
		if len(all) == limit {
			break
		}
	}
	saves := 0
	for e, err := range r.List(ctx, Query{Hidden: true}) {
		if err != nil {
			return nil, err
		}
		all = append(all, Happening{
			ID: e.ID, At: e.packet.CreatedAt, What: "save", Targets: []string{string(e.ID)},
			Why: e.sealText(e.packet.Goal), Standing: e.Verdict.Standing, Parents: parentsOf(e.packet),
			Made: e.Made,
		})
		if saves++; saves == limit {
			break
		}
	}
	slices.SortFunc(all, func(a, b Happening) int { return cmp.Compare(b.ID, a.ID) })
	if limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	return all, nil
}

// newestEvents yields the events that count, the newest first by id. Of strangers' events those count that do
// among as many as are wanted; where all are wanted, among all.
func (r *Reader) newestEvents(ctx context.Context, wanted int) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		listing := r.Everything(ctx, refs.Query{Kind: refs.Events, Newest: true, Remotes: true})
		if wanted == 0 || r.state != nil {
			wanted = math.MaxInt
		}
		for group, err := range inGroups(listing, max(wanted, fewEvents)) {
			if err == nil {
				group, err = r.Counting(ctx, group)
			}
			var s *State
			if err == nil {
				s, err = r.foldThese(ctx, group)
			}
			if err != nil {
				yield(Entry{}, err)
				return
			}
			slices.SortFunc(s.events, func(a, b Entry) int { return cmp.Compare(b.ID, a.ID) })
			for _, e := range s.events {
				if !yield(e, nil) {
					return
				}
			}
		}
	}
}

// inGroups yields what a listing does in groups of some size, of which the last may be smaller.
func inGroups(listing iter.Seq2[refs.Ref, error], size int) iter.Seq2[[]refs.Ref, error] {
	return func(yield func([]refs.Ref, error) bool) {
		var group []refs.Ref
		for ref, err := range listing {
			if err != nil {
				yield(nil, err)
				return
			}
			if group = append(group, ref); len(group) == size {
				if !yield(group, nil) {
					return
				}
				group = nil
			}
		}
		if len(group) > 0 {
			yield(group, nil)
		}
	}
}

// History returns the events about one packet, oldest first.
func (r *Reader) History(ctx context.Context, id packet.ID) ([]Shown, error) {
	s, err := r.stateOf(ctx, id)
	if err != nil {
		return nil, err
	}
	var about []Shown
	for _, e := range s.events {
		if slices.Contains(e.event.Targets, string(id)) {
			if shown, why := e.Open(Asked); why == "" {
				about = append(about, shown)
			}
		}
	}
	return about, nil
}
