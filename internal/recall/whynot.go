package recall

import (
	"context"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
)

// WhyNot says of each item of a record why it is not among the answers to a question, or at which rank it is.
func (r *Recall) WhyNot(ctx context.Context, q Query, id packet.ID) ([]Reason, error) {
	ranked, answer, err := r.ranked(ctx, q)
	if err != nil {
		return nil, err
	}
	var reasons []Reason
	for _, out := range answer.Out {
		if out.Hit.ID == string(id) {
			reasons = append(reasons, Reason{Place: out.Hit.Place, Why: out.Why})
		}
	}
	for i, f := range ranked.list {
		if f.Hit.ID != string(id) {
			continue
		}
		reason, err := r.whyAt(ctx, ranked.glance, f, i, q)
		if err != nil {
			return nil, err
		}
		reasons = append(reasons, reason)
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
	Rank  int    // from 1, where nothing but its rank or the reading speaks against it
	Why   string
}

// whyAt says what speaks against an item that has a rank.
func (r *Recall) whyAt(ctx context.Context, g *memory.Glance, f Found, at int, q Query) (Reason, error) {
	reason := Reason{Place: f.Hit.Place, Rank: at + 1}
	why, err := r.read(ctx, g, &f, q.Reading)
	switch {
	case err != nil:
		return reason, err
	case why != "":
		reason.Why = why
	case at >= limitOf(q):
		reason.Why = fmt.Sprintf("its rank is %d with a score of %.3f, and %d are shown", at+1, f.Score.Value, limitOf(q))
	default:
		reason.Why = fmt.Sprintf("it is an answer, at rank %d with a score of %.3f", at+1, f.Score.Value)
	}
	return reason, nil
}

// whyUnmet says why no item of a record was weighed.
func (r *Recall) whyUnmet(ctx context.Context, q Query, id packet.ID) (string, error) {
	hits, err := r.search(ctx, q)
	if err != nil {
		return "", err
	}
	for i, h := range hits {
		if h.ID == string(id) {
			return fmt.Sprintf("it meets %d of %d words, with a relevance of %.2f, and below %.2f nothing is an answer",
				len(h.Matched), len(h.Asked), h.Relevance, floor), nil
		}
		if i == candidates-1 {
			return fmt.Sprintf("%d others meet the words better", candidates), nil
		}
	}
	e, err := r.memory.FindAny(ctx, string(id))
	if err != nil {
		return "", err
	}
	if e.Verdict.Standing.Withheld() {
		return e.Verdict.Why, nil
	}
	if q.narrows() {
		return "it holds none of the words, or it is not of the kinds, tags, branch, path or time that were asked for", nil
	}
	return "it holds none of the words", nil
}

// narrows tells whether a question asks for anything but words.
func (q Query) narrows() bool {
	return len(q.Kinds)+len(q.Tags) > 0 || q.Topic+q.Branch+q.Author+q.Path != "" || !q.Since.IsZero()
}
