package recall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// The bounds of a question about a file.
const (
	readOfWhy   = 200 // records that are read
	foundOfWhy  = 100 // newest records that are asked for of each sort
	itemsOfEach = 4   // items of one record that are answers
	// records that may be written down at one commit: where there are more, it was where the branch stood, and
	// says nothing of what the commit changed
	mostAtCommit = 10
)

// Place asks what stands behind a file, or behind some lines of it.
type Place struct {
	Path    string // required: relative to the top of the work tree, clean, with forward slashes
	Line    int    // from 1; zero for the whole file
	EndLine int    // zero for the line alone
	Limit   int    // of answers; 10 where it is not given
	Reading replay.Reading
}

// String names the place as PATH:LINE-LINE.
func (p Place) String() string {
	return packet.Cite{Path: p.Path, Line: p.Line, EndLine: p.EndLine}.String()
}

// isNamedIn tells whether a text names the place. The name of a folder alone may be any word.
func (p Place) isNamedIn(item packet.Item) bool {
	name := path.Base(p.Path)
	if !strings.Contains(name, ".") {
		name = p.Path
	}
	return strings.Contains(item.Text+"\n"+item.Why, name)
}

// Why returns the reasons behind a file: what cites it, what names it or a folder above it, and what was
// written down when it was changed. It knows the file under its older names too. Hit.Matched of an answer
// says how it was found. Where git does not know the file, and nothing names it, the error is
// [replay.ErrNotFound].
func (r *Recall) Why(ctx context.Context, p Place) (Answer, error) {
	answer, err := askMended(r, func() Answer { return r.whyHere(ctx, p) })
	if err != nil {
		return Answer{}, err
	}
	return answer, nil
}

// whyHere answers from an index that is sound, which says in which order records are read: those first that
// may be the best answers. It ends where none that is left may come before the answers that are there.
func (r *Recall) whyHere(ctx context.Context, p Place) (answer Answer) {
	if r.noteFault(r.refreshIndex(ctx)) {
		return answer
	}
	t := r.followTrail(ctx, p)
	answer = r.readBehind(ctx, t)
	limit := cmp.Or(p.Limit, defaultLimit)
	if all := answer.Found; t.blames && (len(all) < limit || all[limit-1].Score.Value < float64(namesFolder)) {
		r.blameLines(ctx, t) // Some of what names the file was no answer after all.
		answer = r.readBehind(ctx, t)
	}
	if len(answer.Found) == 0 && !t.known {
		r.noteFault(fmt.Errorf("git knows no file %q, and no record names it: %w", p.Path, replay.ErrNotFound))
	}
	return answer
}

// readBehind reads what may stand behind a file, as whyHere says.
func (r *Recall) readBehind(ctx context.Context, t *trail) (answer Answer) {
	limit := cmp.Or(t.place.Limit, defaultLimit)
	hits := r.hitsBehind(ctx, t, limit)
	glance := r.glanceAt(ctx, hits)
	behind := r.gatherCandidates(t, glance, hits, &answer)
	for read, most := 0, limit; len(behind) > 0 && read < readOfWhy; most *= 2 {
		if len(answer.Found) >= limit && answer.Found[limit-1].Score.Value >= behind[0].most {
			break
		}
		some := behind[:min(len(behind), most)]
		behind, read = behind[len(some):], read+len(some)
		r.readReasons(ctx, t, glance, some, &answer)
	}
	answer.More = max(0, len(answer.Found)-limit)
	for _, c := range behind {
		answer.More += min(len(c.hits), itemsOfEach)
	}
	answer.Found = answer.Found[:min(len(answer.Found), limit)]
	return answer
}

// hitsBehind asks the index for what may stand behind a file, the same item more than once: what names it,
// what names a folder above it, and what was written down when it was changed. What speaks of a folder
// does not make it hold a file. Which commits last changed its lines is only asked where too few records
// name it: these come before.
func (r *Recall) hitsBehind(ctx context.Context, t *trail, limit int) []index.Hit {
	hits, err := r.index.ByPath(ctx, t.names, foundOfWhy)
	if t.blames {
		naming := map[string]bool{}
		for _, h := range hits {
			naming[h.Ref] = true
		}
		if len(naming) < limit {
			r.blameLines(ctx, t)
		}
	}
	if r.noteFault(err) || !t.known {
		return hits
	}
	var all []string
	for _, name := range t.names {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if !slices.Contains(all, dir) {
				all = append(all, dir)
			}
		}
	}
	above, err := r.index.ByFolder(ctx, all, foundOfWhy)
	r.noteFault(err)
	made, err := r.index.ByCommit(ctx, slices.Sorted(maps.Keys(t.made)), foundOfWhy, mostAtCommit)
	r.noteFault(err)
	at := map[string]map[string]bool{} // what was written down at each commit
	for _, h := range made {
		if at[h.Record.Anchor.Commit] == nil {
			at[h.Record.Anchor.Commit] = map[string]bool{}
		}
		at[h.Record.Anchor.Commit][h.Ref] = true
	}
	made = slices.DeleteFunc(made, func(h index.Hit) bool {
		return h.Kind == packet.NoteTask || h.Kind == packet.NoteIdentity ||
			len(at[h.Record.Anchor.Commit]) > mostAtCommit
	})
	return slices.Concat(hits, above, made)
}

// candidate is a record that may stand behind a file.
type candidate struct {
	hits []index.Hit // its items
	most float64     // what the best of them scores where the record is as near as it may be
}

// gatherCandidates asks the gates, and gathers the items that they let pass by their records, each once:
// those records first that may be the best answers, in the order of answers. Items that say what was to be
// done count only where no record says anything else, of those that name the file.
func (r *Recall) gatherCandidates(t *trail, g *replay.Glance, hits []index.Hit, answer *Answer) []candidate {
	byRef := map[string][]index.Hit{}
	var order []string
	for _, h := range hits {
		if byRef[h.Ref] == nil {
			order = append(order, h.Ref)
		}
		if !slices.ContainsFunc(byRef[h.Ref], func(o index.Hit) bool { return o.Place == h.Place }) {
			byRef[h.Ref] = append(byRef[h.Ref], h)
		}
	}
	var all, bare []candidate
	for _, ref := range order {
		c := candidate{hits: byRef[ref]}
		h := c.hits[0]
		life, purged := g.Life(packet.ID(h.ID))
		if why := r.gateReason(h, life, purged); why != "" {
			if !purged {
				answer.Out = append(answer.Out, Out{h, why})
			}
			continue
		}
		into := &all
		c.hits = slices.DeleteFunc(c.hits, func(h index.Hit) bool { return !Informs(h.Kind) })
		if len(c.hits) == 0 {
			if !slices.ContainsFunc(t.names, func(name string) bool {
				return citation.NamesPath(h.Record.Paths, name)
			}) {
				continue
			}
			c.hits, into = []index.Hit{h}, &bare
		}
		of := relation{step: t.nearestStep(h)}
		for _, h := range c.hits {
			s := subjectOf(h, life, r.usage.useOf(packet.ID(h.ID)))
			c.most = max(c.most, of.scoreItem(rank.Standing(s, r.now())).Value)
		}
		*into = append(*into, c)
	}
	if len(all) == 0 {
		all = bare
	}
	slices.SortStableFunc(all, func(a, b candidate) int {
		h, i := a.hits[0], b.hits[0]
		return cmp.Or(cmp.Compare(b.most, a.most), i.Record.CreatedAt.Compare(h.Record.CreatedAt),
			strings.Compare(h.Ref, i.Ref))
	})
	return all
}

// readReasons reads some records, and puts what they say among the answers by how near it is to the place.
func (r *Recall) readReasons(ctx context.Context, t *trail, g *replay.Glance, some []candidate,
	answer *Answer,
) {
	var entries []replay.Shown
	var of [][]index.Hit
	for _, c := range some {
		e, why := r.openRecord(ctx, g, c.hits[0].Ref, t.place.Reading)
		if why != "" {
			answer.Out = append(answer.Out, Out{c.hits[0], why})
			continue
		}
		entries, of = append(entries, e), append(of, c.hits)
	}
	cites, err := r.memory.Cited(ctx, entries)
	if r.noteFault(err) {
		return
	}
	for i, e := range entries {
		answer.Found = append(answer.Found,
			r.reasonsOf(t, g, e, cites[i], of[i])...)
	}
	slices.SortStableFunc(answer.Found, compareFound)
}

// openRecord reads a record through the gate of the memory, and says why it is no answer.
func (r *Recall) openRecord(ctx context.Context, g *replay.Glance, ref string,
	reading replay.Reading,
) (s replay.Shown, why string) {
	e, ok := r.readEntry(ctx, g, ref)
	if !ok {
		return s, "it cannot be read; 'git ltm check' says why"
	}
	return e.Open(reading)
}

// reasonsOf are the items of one record that are answers.
func (r *Recall) reasonsOf(t *trail, g *replay.Glance, e replay.Shown, cites []citation.Cited, hits []index.Hit,
) []Found {
	life, _ := g.Life(e.ID)
	content := e.Content()
	near := t.relationOf(content.Anchor.Commit, content.Paths, cites)
	var all []Found
	for _, h := range hits {
		item, ok := itemAt(content, h.Place)
		if !ok {
			continue
		}
		f := Found{Entry: e, Item: item, Hit: h, Cites: cites, Use: r.usage.useOf(e.ID)}
		f.subject = subjectOf(h, life, f.Use)
		if citation.Outdated(cites) {
			f.subject.Confidence = rank.Outdated(f.subject.Confidence)
		}
		of := near
		if t.place.isNamedIn(item) {
			of.keepCloser(speaksOf, "speaks of "+t.place.Path)
		}
		f.Hit.Matched = []string{of.why}
		f.Score = of.scoreItem(rank.Standing(f.subject, r.now()))
		all = append(all, f)
	}
	slices.SortStableFunc(all, compareFound)
	return all[:min(len(all), itemsOfEach)]
}

// Informs tells the kinds of items that say what is known, and why, from those that say what was to be done.
func Informs(kind string) bool {
	switch kind {
	case packet.ItemGoal, packet.ItemNext, packet.ItemCriterion, packet.ItemQuestion, packet.ItemOutcome:
		return false
	default:
		return true
	}
}

// scoreItem puts how near a record is to the place before what speaks for an item of it: no standing makes up
// for a step.
func (o relation) scoreItem(s rank.Score) rank.Score {
	return rank.Score{
		Value:   float64(o.step) + s.Value/(1+s.Value),
		Factors: slices.Concat([]rank.Factor{{Name: "place", Value: float64(o.step), Why: o.why}}, s.Factors),
	}
}
