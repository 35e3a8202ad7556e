package recall

import (
	"context"
	"fmt"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// WhyNot says of each item of a record why it is not among the answers to a question, or at which rank it is.
func (r *Recall) WhyNot(ctx context.Context, q Query, id packet.ID) ([]Reason, error) {
	answer, err := r.Find(ctx, q)
	if err != nil {
		return nil, err
	}
	var reasons []Reason
	told := map[string]bool{}
	add := func(place, why string) {
		if !told[place] {
			told[place] = true
			reasons = append(reasons, Reason{place, why})
		}
	}
	kept := Answer{Found: slices.Clone(answer.Found)}.WithoutWeak().Found
	for i, f := range answer.Found {
		switch {
		case f.Hit.ID != string(id):
		case !answer.isSure() && !slices.ContainsFunc(kept, func(k Found) bool {
			return k.Hit.Ref == f.Hit.Ref && k.Hit.Place == f.Hit.Place
		}):
			add(f.Hit.Place, "only what holds for its whole record has the words, and another part stands for that")
		case f.Weak && answer.isSure():
			add(f.Hit.Place, "it may have met the words by chance, and others met them surely")
		default:
			add(f.Hit.Place, fmt.Sprintf("it is an answer, at rank %d with a score of %.3f", i+1, f.Score.Value))
		}
	}
	shown := len(answer.Found)
	q.Limit = candidates
	if answer, err = r.Find(ctx, q); err != nil {
		return nil, err
	}
	for i, f := range answer.Found {
		if f.Hit.ID == string(id) {
			add(f.Hit.Place, fmt.Sprintf("its rank is %d with a score of %.3f, and %d are shown",
				max(i, shown)+1, f.Score.Value, shown))
		}
	}
	for _, out := range answer.Out {
		if out.Hit.ID == string(id) {
			add(out.Hit.Place, out.Why)
		}
	}
	if len(reasons) > 0 {
		return reasons, nil
	}
	why, err := r.whyUnmet(ctx, q, id)
	return []Reason{{Why: why}}, err
}

// Reason says why an item of a record is no answer.
type Reason struct {
	Place string // JSON pointer of the item; empty for the whole record
	Why   string
}

// whyUnmet says why no item of a record was weighed.
func (r *Recall) whyUnmet(ctx context.Context, q Query, id packet.ID) (string, error) {
	e, m, err := r.memory.FindAnyWide(ctx, string(id))
	if err != nil {
		return "", err
	}
	of := r
	if m != r.memory && r.wide != nil {
		of = r.wide
	}
	if why := e.Withheld(q.Reading); why != "" {
		return why, nil
	}
	crowds := of.listCrowds(ctx, q.Reading)
	if err := of.takeFault(); err != nil {
		return "", err
	}
	who := crowds[0]
	if e.Origin().IsClaimed() {
		who = crowds[len(crowds)-1]
	}
	hits := of.searchIndex(ctx, q, candidates, who)
	if err := of.takeFault(); err != nil {
		return "", err
	}
	if len(hits) == candidates {
		return fmt.Sprintf("%d others meet the words better", candidates), nil
	}
	switch {
	case e.Kind() == packet.KindEvent:
		return "it is an event, and only packets, notes and skips are answers", nil
	case len(q.Kinds) > 0 || q.IsNarrow():
		return "it holds none of the words, or it is not of the kinds, tags, branch, path or time that " +
			"were asked for", nil
	default:
		return "it holds none of the words", nil
	}
}
