package recall

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// The bounds of a context: how many of the newest items of each sort are weighed, and how many of the best
// are read, which is about two times what fits into the budget where none is given.
const (
	weighedOfSort = 64
	readOfContext = 64
	readOfStart   = 32 // the same of what nobody asked for, which has a smaller budget
	readOfClaims  = 16 // and of what is only claimed, which has half of that
	further       = 8  // how many times further back is looked where gates keep out most of that
)

// Context returns what a session should know now, weighed and not yet fitted into a budget: skips, tasks,
// where the thread of the branch stands, locked decisions, failed attempts, pitfalls and the rest, each thing
// once.
func (r *Recall) Context(ctx context.Context, reading replay.Reading) (briefing.Context, error) {
	c, wide, err := askBoth(r, func(r *Recall) briefing.Context { return r.contextHere(ctx, reading) })
	if err != nil {
		return c, err
	}
	c.More += wide.More
	all := telling{to: reading}
	var drafts []briefing.Known
	if reading != replay.Strictly {
		// A scan that cannot run lets none of them pass, and does not take away what is known besides.
		drafts = r.draftItems(ctx)
	}
	for _, k := range slices.Concat(c.Known, wide.Known, drafts) {
		all.addKnown(k)
	}
	c.Known = foldAlike(currentIdentity(all.known), reading)
	return c, nil
}

// contextHere is what one memory has to say. Where gates keep out most of what is newest, older things are
// looked at. What is claimed comes from what is newest alone.
func (r *Recall) contextHere(ctx context.Context, reading replay.Reading) (all briefing.Context) {
	stands, err := r.memory.Threads().Stand(ctx, reading)
	r.noteFault(err)
	for _, who := range r.listCrowds(ctx, reading) {
		stand, ended, beside := replay.Shown{}, replay.Followed{}, []replay.Entry(nil)
		if !who.claimed {
			maps.Copy(ended, stands.Ended)
			beside = stands.Beside
			if stands.Own.ID != "" {
				stand, _ = stands.Own.Open(reading)
			}
		}
		for far := 1; ; far *= further {
			c, crowded := r.contextOf(ctx, reading, far, who, stand, beside, ended)
			if crowded && far < deepestLook(1, reading) && !who.claimed {
				continue
			}
			c.Known, c.More = slices.Concat(all.Known, c.Known), all.More+c.More
			all = c
			break
		}
	}
	all.Known = currentStands(all.Known, r.now())
	return all
}

// currentStands leaves out where others say that the branch stands if that is long ago, or if what is trusted
// says so of the same person and a later time: that of one's other machine.
func currentStands(all []briefing.Known, now time.Time) []briefing.Known {
	newest := map[string]time.Time{} // what is trusted, by who wrote it
	for _, k := range all {
		o := k.Text.Origin()
		if at := o.ID.Time(); k.Section == briefing.Thread && !isClaimedStand(k) &&
			at.After(newest[o.Author.AuthorHuman]) {
			newest[o.Author.AuthorHuman] = at
		}
	}
	return slices.DeleteFunc(all, func(k briefing.Known) bool {
		o := k.Text.Origin()
		at := possibleTime(o.ID.Time(), o.At, now)
		return isClaimedStand(k) &&
			(at.Before(newest[o.Author.AuthorHuman]) || now.Sub(at) > replay.RecentThread)
	})
}

// possibleTime is when something was written, by the time that it states: one of the future is when it came
// here, or now where that is not known.
func possibleTime(stated, arrived, now time.Time) time.Time {
	switch {
	case !stated.After(now):
		return stated
	case arrived.IsZero() || arrived.After(now):
		return now
	default:
		return arrived
	}
}

// possibleTimes gives hits of the future a time that is possible.
func (r *Recall) possibleTimes(hits []index.Hit) []index.Hit {
	for i, h := range hits {
		if h.Record.CreatedAt.After(r.now()) {
			made := *h.Record
			made.CreatedAt = possibleTime(made.CreatedAt, r.memory.Source().Delivered(h.Ref), r.now())
			hits[i].Record = &made
		}
	}
	return hits
}

func isClaimedStand(k briefing.Known) bool {
	return k.Section == briefing.Thread && k.Text.Origin().IsClaimed()
}

// contextOf looks so many times as far back as usual, and reports whether most of that was kept out and there
// is more.
func (r *Recall) contextOf(ctx context.Context, reading replay.Reading, far int,
	who crowd, stand replay.Shown, beside []replay.Entry, over replay.Followed,
) (c briefing.Context, crowded bool) {
	c = briefing.Context{To: reading, Now: r.now(), Branch: r.branch()}
	found, worked, full := r.newestOfSorts(ctx, far, who, stand)
	hits := r.withoutStrangers(ctx, found, reading, who)
	worked = r.withoutStrangers(ctx, worked, reading, who)
	glance := r.glanceAt(ctx, slices.Concat(hits, worked[:min(len(worked), readWorked)]))
	near := r.nearnessOf(ctx, hits)
	let := r.weighItems(hits, glance, near)
	all := r.ofHeads(ctx, let, hits, stand, beside, over, glance, reading)
	ended := 0 // as their records say
	for _, h := range found {
		if hasEnded(h.Record.ExpiresAt, r.now()) {
			ended++
		}
	}
	most, half := readOfContext, mostOf(len(found)-len(let)-ended, len(found))
	switch {
	case who.claimed:
		most = readOfClaims
	case reading >= replay.Unasked:
		most = readOfStart
	}
	read := mostValuable(all, most*far)
	c.More = len(all) - len(read)
	ahead := make([]index.Hit, len(read))
	for i, w := range read {
		ahead[i] = w.Hit
	}
	r.citeAhead(ctx, glance, ahead)
	out := 0
	told := telling{to: reading}
	for _, w := range read {
		known, ok := r.tellItem(ctx, glance, w, reading)
		switch {
		case !ok:
			out++
		case w.section != briefing.Failed || !r.isOvercome(ctx, glance, w.Found, worked, reading):
			told.addKnown(known)
		}
	}
	c.Known = told.known
	return c, full && (half || mostOf(out, len(read)))
}

// mostOf tells whether some are most of all.
func mostOf(some, all int) bool { return 2*some > all }

// mostValuable are the n most valuable, and of each section some at least.
func mostValuable(all []*weighed, n int) []*weighed {
	if len(all) <= n {
		return all
	}
	least, room := n/16, n
	taken, of := make([]bool, len(all)), map[briefing.Section]int{}
	for i, w := range all {
		if of[w.section] < least {
			of[w.section]++
			taken[i] = true
			room--
		}
	}
	var some []*weighed
	for i, w := range all {
		if !taken[i] && room > 0 {
			taken[i] = true
			room--
		}
		if taken[i] {
			some = append(some, w)
		}
	}
	return some
}

// How many people a context says of where they stand on the branch, and how many of the newest packets are
// read for that.
const (
	mostStands    = 3
	readForStands = 6
)

// ofHeads leaves out the goals and next steps of all packets but those where a few people stand on the branch:
// the one that the user would resume from, and of others the newest that nothing continues and that has not
// ended. Of the user's threads beside that one the goals stay, below it.
func (r *Recall) ofHeads(ctx context.Context, all []*weighed, hits []index.Hit, stand replay.Shown,
	beside []replay.Entry, over replay.Followed, g *replay.Glance, reading replay.Reading,
) []*weighed {
	packets := slices.DeleteFunc(slices.Clone(hits), func(h index.Hit) bool {
		return sections[h.Kind] != briefing.Thread
	})
	madeAt := func(h index.Hit) time.Time {
		return possibleTime(packet.ID(h.ID).Time(), h.Record.CreatedAt, r.now())
	}
	slices.SortFunc(packets, func(a, b index.Hit) int {
		return cmp.Or(madeAt(b).Compare(madeAt(a)), strings.Compare(b.ID, a.ID))
	})
	packets = slices.CompactFunc(packets, func(a, b index.Hit) bool { return a.ID == b.ID })
	heads := map[string]replay.Entry{} // by who wrote them, or says so
	if stand.ID != "" {
		heads[stand.Origin().Author.AuthorHuman] = stand.Entry
	}
	continued := replay.Followed{}
	for _, h := range packets[:min(len(packets), readForStands)] {
		e, why := r.openRecord(ctx, g, h.Ref, reading)
		if why != "" {
			continue
		}
		who := e.Origin().Author.AuthorHuman
		was, known := heads[who]
		if !over.Ends(e.Entry) && !continued.Has(e.Entry) &&
			(!known && len(heads) < mostStands || known && e.Trusted() && !was.Trusted()) {
			heads[who] = e.Entry
		}
		continued.Note(e.Entry)
	}
	isHead := map[string]bool{}
	for _, e := range heads {
		isHead[string(e.ID)] = true
	}
	const below = 0.5 // of the value
	for _, w := range all {
		if !isHead[w.Hit.ID] && w.Hit.Kind == packet.ItemGoal &&
			slices.ContainsFunc(beside, func(e replay.Entry) bool { return string(e.ID) == w.Hit.ID }) {
			w.beside = true
			w.Score.Value *= below
		}
	}
	return slices.DeleteFunc(all, func(w *weighed) bool {
		return w.section == briefing.Thread && !isHead[w.Hit.ID] && !w.beside
	})
}

// newestOfSorts finds the newest items of each sort that a context is made of, and the attempts among them that
// worked, and reports whether there are more of one.
func (r *Recall) newestOfSorts(ctx context.Context, far int,
	who crowd, stand replay.Shown,
) (all, worked []index.Hit, full bool) {
	asked := []index.Query{
		{Kinds: []string{packet.ItemSkip}},
		{Kinds: []string{packet.NoteTask}},
		{Kinds: []string{packet.NoteIdentity}},
		{Kinds: []string{packet.ItemDecision}},
		{Kinds: []string{packet.ItemAttempt}},
		{Kinds: []string{"pitfall"}},
		{Kinds: []string{"preference"}},
		{Kinds: []string{packet.ItemConstraint}},
		{Kinds: []string{packet.ItemMethod, "procedure"}},
		{Kinds: []string{"learning", "fact", "reference"}},
	}
	// Each kind by itself: one packet with many questions hides no goal.
	for _, kind := range []string{packet.ItemGoal, packet.ItemNext, packet.ItemQuestion} {
		branch := r.branch()
		if branch != "" {
			asked = append(asked, index.Query{Kinds: []string{kind}, Filter: index.Filter{Branch: branch}})
		}
		if stand.ID != "" && (branch == "" || stand.Packet().Anchor.Branch != branch) { // It may have gone on elsewhere.
			at := stand.CreatedAt()
			asked = append(asked, index.Query{
				Kinds: []string{kind}, Filter: index.Filter{Since: at, Until: at.Add(time.Millisecond)},
			})
		}
	}
	for _, q := range asked {
		q.Signers = who.signers
		// What ended, as the record itself says, does not count among them, because an event may have put the
		// end off; nor does what states a time of the future, which would stand before all others for ever.
		n := weighedOfSort * far
		q.Limit = n * further
		before, counted := len(all), 0
		for h := range r.hitsOf(ctx, q) {
			if _, ok := sectionOf(h); !ok {
				worked = append(worked, h)
				continue
			}
			all = append(all, h)
			if !hasEnded(h.Record.ExpiresAt, r.now()) && !h.Record.CreatedAt.After(r.now()) {
				counted++
			}
			if counted == n {
				break
			}
		}
		full = full || counted == n || len(all)-before >= n
	}
	return r.possibleTimes(all), worked, full
}

// A weighed item has a section and a value, and is not read yet.
type weighed struct {
	Found

	section briefing.Section
	near    float64
	beside  bool // the goal of another open thread of the user
}

// weighItems asks the gates, puts each item below its section and weighs it, the most valuable first.
func (r *Recall) weighItems(hits []index.Hit, g *replay.Glance, near map[string]float64) []*weighed {
	all := make([]*weighed, 0, len(hits))
	for _, h := range hits {
		life, purged := g.Life(packet.ID(h.ID))
		section, ok := sectionOf(h)
		if !ok || isResting(h, life) || r.gateReason(h, life, purged) != "" {
			continue
		}
		w := &weighed{Found: Found{Hit: h, Use: r.usage.useOf(packet.ID(h.ID))}, section: section}
		w.near = near[h.Record.Anchor.Commit+" "+h.Record.Anchor.Branch]
		w.subject = subjectOf(h, life, w.Use)
		if w.subject.Locality = w.near; !citation.IsNear(r.memory.Repo().Prefix, h.Record.Paths) {
			w.subject.Locality = rank.LocalityElsewhere
		}
		w.Score = rank.Standing(w.subject, r.now())
		w.Score.Value *= sectionWeight(section, w.subject)
		all = append(all, w)
	}
	slices.SortStableFunc(all, func(a, b *weighed) int { return compareFound(a.Found, b.Found) })
	return all
}

// withoutStrangers leaves out what is surely kept from those who did not ask for it, before anything is read
// of it: strangers can make any number of records, and of events about each.
func (r *Recall) withoutStrangers(ctx context.Context, hits []index.Hit, reading replay.Reading,
	who crowd,
) []index.Hit {
	if who.claimed {
		return hits
	}
	return slices.DeleteFunc(slices.Clone(hits), func(h index.Hit) bool {
		return r.strangerReason(ctx, h, reading) != ""
	})
}

// sectionOf puts an item below a heading of a context, if it belongs there.
func sectionOf(h index.Hit) (s briefing.Section, ok bool) {
	if h.Kind == packet.ItemDecision && h.Locked {
		return briefing.Locked, true
	}
	if s, ok = sections[h.Kind]; !ok {
		s = briefing.Learned
	}
	return s, h.Kind != packet.ItemAttempt || h.Failed
}

// sections are the headings of the kinds of items; all others were learned.
//
//nolint:gochecknoglobals // A table that nobody writes to.
var sections = map[string]briefing.Section{
	packet.ItemSkip: briefing.Skips, packet.NoteTask: briefing.Work, packet.ItemGoal: briefing.Thread,
	packet.ItemNext: briefing.Thread, packet.ItemQuestion: briefing.Thread,
	packet.ItemDecision: briefing.Decisions, packet.ItemAttempt: briefing.Failed, "pitfall": briefing.Pitfalls,
	"preference": briefing.Preferences, packet.ItemConstraint: briefing.Constraints,
	packet.ItemMethod: briefing.Ways, "procedure": briefing.Ways, packet.NoteIdentity: briefing.People,
}

// sectionWeight is how much more the things of a section count than a plain one: what binds comes before what
// informs.
func sectionWeight(s briefing.Section, subject rank.Subject) float64 {
	if subject.Impact == rank.Critical {
		return 6
	}
	switch s {
	case briefing.Locked, briefing.Skips:
		return 4
	case briefing.Thread, briefing.Work:
		return 3
	case briefing.Failed, briefing.Pitfalls, briefing.Preferences:
		return 2
	default:
		return 1
	}
}

// nearnessOf says how near the places are at which records were made, by commit and branch: this branch and
// no branch at all are here, what HEAD contains is near, the rest is elsewhere.
func (r *Recall) nearnessOf(ctx context.Context, hits []index.Hit) map[string]float64 {
	const asked = 64
	branch := r.branch()
	near := map[string]float64{}
	var commits []string
	for _, h := range hits {
		at := h.Record.Anchor
		key := at.Commit + " " + at.Branch
		if _, known := near[key]; known {
			continue
		}
		near[key] = rank.LocalityElsewhere
		switch {
		case at.Branch == "" || at.Branch == branch:
			near[key] = rank.LocalityHere
		case at.Commit != "" && len(commits) < asked && !slices.Contains(commits, at.Commit):
			commits = append(commits, at.Commit)
		}
	}
	if len(commits) == 0 || r.memory.IsUser() {
		return near
	}
	contained, err := r.memory.Repo().History().Ancestry(ctx, commits)
	r.noteFault(err)
	for key, value := range near {
		commit, _, _ := strings.Cut(key, " ")
		if _, is := contained[commit]; is && value < rank.LocalityAncestor {
			near[key] = rank.LocalityAncestor
		}
	}
	return near
}
