package recall

import (
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Warn returns known dead ends as they are written.
func (r *Recall) Warn(ends []DeadEnd, to replay.Reading) briefing.Warning {
	w := briefing.Warning{To: to, Now: r.now()}
	for _, end := range ends {
		w.Met = append(w.Met, briefing.Met{Known: knownOf(end.Found), By: string(end.Match.By), On: end.Match.On, Sure: string(end.Match.Sure)})
	}
	return w
}
