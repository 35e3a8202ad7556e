package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/view"
)

// mostNew is how many lines a person reads of new drafts.
const mostNew = 3

// NewDrafts are lines for the person, one for each draft of theirs that they have not read of: what it is,
// and how to keep and to drop it. They are said once; what cannot be noted is not said.
func (s *Session) NewDrafts(ctx context.Context) (string, error) {
	all, err := s.memory.Drafts().Own(ctx, mostNew, func(d view.Drafted) bool {
		return !d.Stated && !s.isOwn(packet.ID(d.ID))
	})
	if err != nil || len(all) == 0 {
		return "", err
	}
	var lines, ids []string
	for _, d := range all {
		id, about := briefing.ShortID(d.ID), d.Title()
		if n := len(d.Rules()); about == "" && n > 0 {
			about = fmt.Sprintf("failed: %d", n)
		}
		if about != "" {
			about = " (" + about + ")"
		}
		lines = append(lines,
			fmt.Sprintf("git ltm: a session left a draft %s%s. Agents here are shown it as not reviewed. "+
				"Keep: git ltm save --draft %s. Drop: git ltm distill --drop %s. All: git ltm distill --list",
				briefing.Age(d.Kept, s.now()), about, id, id))
		ids = append(ids, string(d.ID))
	}
	if err := s.memory.Drafts().Note(ctx, ids, func(d *view.Drafted) { d.Stated = true }); err != nil {
		return "", err
	}
	return strings.Join(lines, "\n"), nil
}

// NotTravelling tells the person at a start why memory stays in this clone.
func NotTravelling(why string) string {
	return briefing.Said + "memory does not travel: " + why + "; to have it so: git ltm setup --no-share"
}
