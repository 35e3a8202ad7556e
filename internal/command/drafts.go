package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/draft"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// DraftJSON is the shape of a draft.
func DraftJSON(d draft.Draft) Draft {
	return Draft{
		ID: string(d.ID), Kept: d.Kept, Host: d.Host, Session: d.Session, Masked: d.Masked, Hooked: d.Hooked,
		Lacks: Lacks(d), Summary: d.Summary,
		Origins: d.Origins, Packet: json.RawMessage(d.Packet),
	}
}

// Lacks names the members that a packet needs and a draft has not.
func Lacks(d draft.Draft) []string {
	missing := []string{}
	rec, err := packet.Parse(d.Packet, packet.Sketch)
	if err != nil {
		return missing
	}
	for _, name := range []string{"goal", "next_step"} {
		if !rec.Has(name) {
			missing = append(missing, name)
		}
	}
	return missing
}

// WaitingDrafts says how many drafts wait to be finished, and which is the newest that can be read.
func WaitingDrafts(ctx context.Context, m *memory.Memory) (Drafts, error) {
	count, err := m.Drafts().Count(ctx)
	if err != nil || count == 0 {
		return Drafts{}, err
	}
	s := Drafts{Count: count}
	all, err := m.Drafts().All(ctx)
	if err == nil && len(all) > 0 {
		s.Newest, s.Kept = string(all[0].ID), all[0].Kept
	}
	return s, err
}

// DraftsLine is what status says of drafts; nothing where there is none.
func DraftsLine(s Drafts, now time.Time) string {
	switch {
	case s.Count == 0:
		return ""
	case s.Newest == "":
		return strconv.Itoa(s.Count) + ", and none can be read: git ltm doctor"
	}
	return fmt.Sprintf("%d, newest %s: git ltm save --draft, or distill --list and --drop", s.Count,
		briefing.Age(s.Kept, now))
}

// DescribeDraft tells a draft to a person, each part with where it comes from.
func DescribeDraft(d draft.Draft, p packet.Packet) string {
	var out reply.Description
	from := func(pointer string) string { return d.Origins[pointer] }
	put := func(label, text, pointer string) {
		if origin := from(pointer); text != "" && origin != "" {
			text += " (" + origin + ")"
		}
		out.Put(label, text)
	}
	out.Block("How it ended", d.Summary)
	put("Goal", p.Goal, "/goal")
	put("Next step", p.Next(), "/next_step")
	put("Branch", p.Anchor.Branch, "/anchor")
	put("Agent", strings.TrimSpace(p.Provenance.Agent+" "+p.Provenance.Model), "/provenance")
	out.PutItems(p, from)
	return strings.TrimPrefix(out.String(), "\n")
}
