package recall

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/rank"
)

// The bounds of a question about a file.
const (
	readOfWhy   = 200 // records that are read
	foundOfWhy  = 400 // records that are asked for of each sort
	itemsOfEach = 4   // items of one record that are answers
)

// Place asks what stands behind a file, or behind some lines of it.
type Place struct {
	Path    string // required: relative to the top of the work tree, clean, with forward slashes
	Line    int    // from 1; zero for the whole file
	EndLine int    // zero for the line alone
	Limit   int    // of answers; 10 where it is not given
	Reading memory.Reading
}

// String names the place as PATH:LINE-LINE.
func (p Place) String() string {
	return packet.Cite{Path: p.Path, Line: p.Line, EndLine: p.EndLine}.String()
}

// Why returns the reasons behind a file: what cites it, what names it or a folder above it, and what was written down when it
// was changed. It knows the file under its older names too. Hit.Matched of an answer says how it was found. Where git does not
// know the file, and nothing names it, the error is [memory.ErrNotFound].
func (r *Recall) Why(ctx context.Context, p Place) (Answer, error) {
	return mended(r, func() (Answer, error) { return r.why(ctx, p) })
}

// why answers from an index that is sound.
func (r *Recall) why(ctx context.Context, p Place) (Answer, error) {
	if err := r.refresh(ctx); err != nil {
		return Answer{}, err
	}
	t, err := r.trail(ctx, p)
	if err != nil {
		return Answer{}, err
	}
	hits, err := r.behind(ctx, t)
	if err != nil {
		return Answer{}, err
	}
	// Reads records through the gates, and ranks what they say by how near it is to the
	// place.
	glance, err := r.glance(ctx, hits)
	if err != nil {
		return Answer{}, err
	}
	answer := Answer{}
	order, byRef := r.let(glance, hits, &answer)
	var entries []memory.Shown
	var of [][]index.Hit
	for _, ref := range order[:min(len(order), readOfWhy)] {
		e, why, err := r.open(ctx, glance, ref, t.place.Reading)
		if err != nil {
			return Answer{}, err
		}
		if why != "" {
			answer.out(byRef[ref][0], why)
			continue
		}
		entries, of = append(entries, e), append(of, byRef[ref])
	}
	cites, err := r.memory.Cited(ctx, entries)
	if err != nil {
		return Answer{}, err
	}
	for i, e := range entries {
		answer.Found = append(answer.Found, r.reasonsOf(glance, e, cites[i], of[i], t.how(e, cites[i]))...)
	}
	slices.SortStableFunc(answer.Found, better)
	if !t.known { // What speaks of a folder does not make it hold a file.
		answer.Found = slices.DeleteFunc(answer.Found, func(f Found) bool { return f.Score.Value < float64(namesFile) })
	}
	if len(answer.Found) == 0 && !t.known {
		return Answer{}, fmt.Errorf("git knows no file %q, and no record names it: %w", p.Path, memory.ErrNotFound)
	}
	limit := cmp.Or(p.Limit, defaultLimit)
	if answer.More = len(answer.Found) - limit; answer.More > 0 {
		answer.Found = answer.Found[:limit]
	}
	answer.More = max(0, answer.More)
	return answer, nil
}

// behind asks the index for what may stand behind a file: each item once, those that name it first.
func (r *Recall) behind(ctx context.Context, t *trail) ([]index.Hit, error) {
	hits, err := r.index.ByPath(ctx, t.names, foundOfWhy)
	if err != nil {
		return nil, err
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
	if err != nil {
		return nil, err
	}
	made, err := r.index.ByCommit(ctx, t.commits(), foundOfWhy)
	if err != nil {
		return nil, err
	}
	made = slices.DeleteFunc(made, func(h index.Hit) bool { return h.Kind == packet.NoteTask || h.Kind == packet.NoteIdentity })
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Concat(hits, above, made), func(h index.Hit) bool {
		key := h.Ref + h.Place
		again := seen[key]
		seen[key] = true
		return again
	}), nil
}

// let asks the gates, and gathers the hits that they let pass by their records, in the order of the hits.
func (r *Recall) let(g *memory.Glance, hits []index.Hit, answer *Answer) (order []string, byRef map[string][]index.Hit) {
	byRef = map[string][]index.Hit{}
	for _, h := range hits {
		life, purged := g.Life(packet.ID(h.ID))
		switch why := r.gate(h, life, purged); {
		case purged:
		case why != "":
			answer.out(h, why)
		default:
			if byRef[h.Ref] == nil {
				order = append(order, h.Ref)
			}
			byRef[h.Ref] = append(byRef[h.Ref], h)
		}
	}
	return order, byRef
}

// open reads a record through the gate of the memory, and says why it is no answer.
func (r *Recall) open(ctx context.Context, g *memory.Glance, ref string, reading memory.Reading) (s memory.Shown, why string, err error) {
	e, err := g.Read(ctx, ref)
	switch {
	case memory.IsUnreadable(err):
		return s, "it cannot be read; 'git ltm check' says why", nil
	case err != nil:
		return s, "", err
	}
	s, why = e.Open(reading)
	return s, why, nil
}

// out notes once that a record is no answer.
func (a *Answer) out(h index.Hit, why string) {
	if !slices.ContainsFunc(a.Out, func(o Out) bool { return o.Hit.Ref == h.Ref }) {
		a.Out = append(a.Out, Out{h, why})
	}
}

// reasonsOf are the items of one record that are answers.
func (r *Recall) reasonsOf(g *memory.Glance, e memory.Shown, cites []citation.Cited, hits []index.Hit, of relation) []Found {
	life, _ := g.Life(e.ID)
	content := e.Content()
	var all []Found
	for _, h := range hits {
		item, ok := itemAt(content, h.Place)
		if !ok || !isReason(item.Kind) && len(hits) > 1 {
			continue
		}
		f := Found{Entry: e, Item: item, Hit: h, Cites: cites, Use: r.usage.of(e.ID)}
		f.subject = subject(h, life, f.Use)
		if citation.Outdated(cites) {
			f.subject.Confidence = rank.Outdated(f.subject.Confidence)
		}
		f.Hit.Matched = []string{of.why}
		f.Score = of.score(rank.Standing(f.subject, r.now()), item)
		all = append(all, f)
	}
	slices.SortStableFunc(all, better)
	return all[:min(len(all), itemsOfEach)]
}

// isReason tells the items that say why from those that say what was to be done.
func isReason(kind string) bool {
	switch kind {
	case packet.ItemGoal, packet.ItemNext, packet.ItemCriterion, packet.ItemQuestion:
		return false
	default:
		return true
	}
}

// score puts how near a record is to the place before what speaks for an item of it: no standing makes up for a step.
func (o *relation) score(s rank.Score, of packet.Item) rank.Score {
	value := s.Value / (1 + s.Value)
	factors := slices.Concat([]rank.Factor{{Name: "place", Value: float64(o.step), Why: o.why}}, s.Factors)
	if o.base != "" && strings.Contains(of.Text+"\n"+of.Why, o.base) {
		value = (1 + value) / 2
		factors = append(factors, rank.Factor{Name: "named", Value: 1, Why: "its text names the file"})
	}
	return rank.Score{Value: float64(o.step) + value, Factors: factors}
}
