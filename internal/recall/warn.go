package recall

import (
	"context"

	"github.com/git-ltm/git-ltm/internal/briefing"
)

// Warn returns known dead ends as they are written.
func (r *Recall) Warn(ctx context.Context, ends []DeadEnd) (briefing.Warning, error) {
	w := briefing.Warning{Now: r.now()}
	for _, end := range ends {
		k, err := r.told(ctx, end.Found)
		if err != nil {
			return w, err
		}
		w.Met = append(w.Met, briefing.Met{Known: k, By: string(end.Match.By), On: end.Match.On, Sure: string(end.Match.Sure)})
	}
	return w, nil
}
