package recall

import (
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Warn returns known dead ends as they are written.
func (r *Recall) Warn(ends []DeadEnd, to replay.Reading) briefing.Warning {
	w := briefing.Warning{To: to, Now: r.now()}
	for _, end := range ends {
		w.Met = append(w.Met, end.Met())
	}
	return w
}

// Met is how it is written. What holds a call back is certain, whoever asks.
func (e DeadEnd) Met() briefing.Met {
	met := briefing.Met{Known: e.Known, By: string(e.Match.By), On: e.Match.On, Sure: string(e.Match.Sure)}
	if e.Holds != "" {
		met.Sure = "certain"
	}
	return met
}
