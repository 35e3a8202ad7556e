package recall

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/citation"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/words"
)

// The bounds of a search.
const (
	weighedOfLimit = 4   // how many items are weighed for each answer that is asked for: gates keep out some
	candidates     = 200 // items that are weighed where gates keep out most, and [further] times as many
	defaultLimit   = 10
)

// eventNames is the part of a ref's name below which events lie.
const eventNames = "events"

// Query is a question in words and what narrows the answer. Where it sets no limit, that is 10.
type Query struct {
	index.Query

	Reading replay.Reading

	// what one answer at least has to be, or nothing is read and there is none; nil is anything
	One  func(index.Hit) bool
	Only func(index.Hit) bool // what an answer has to be, as far as the index knows; nil is anything
}

// Found is one answer.
type Found struct {
	Entry replay.Shown
	Item  packet.Item
	Hit   index.Hit
	Score rank.Score
	Use   Use
	Cites []citation.Cited // how the places that it cites are now
	Weak  bool             // what it meets of the question may well be there by chance

	subject  rank.Subject
	wrong    bool    // somebody said so, and nobody confirmed it since
	standing float64 // what it counts beside answers that meet the question as well
}

// Answer is what is known.
type Answer struct {
	Found []Found // best first; nothing where nothing is known
	Out   []Out   // what the words met and a gate kept out, best first
	More  int     // answers beyond the limit, of those that were weighed

	Unknown []briefing.Spelling // where nothing was found: words that no record has
	Instead string              // the question that is answered in place of one with such words
}

// Out is an item that is no answer, and why.
type Out struct {
	Hit index.Hit
	Why string
}

// Find answers a question, from the user-wide memory too.
func (r *Recall) Find(ctx context.Context, q Query) (Answer, error) {
	own, wide, err := askBoth(r, func(r *Recall) Answer { return r.findHere(ctx, q) })
	if err != nil {
		return own, err
	}
	all, limit := slices.Concat(own.Found, wide.Found), limitOf(q)
	slices.SortStableFunc(all, betterRead)
	kept := all[:min(limit, len(all))]
	return Answer{
		Found: kept, Out: slices.Concat(own.Out, wide.Out), More: own.More + wide.More + len(all) - len(kept),
	}, nil
}

// FindSpelt is [Recall.Find] without what may have met the question by chance. Where nothing is found, it looks
// whether words of the question are misspelt.
func (r *Recall) FindSpelt(ctx context.Context, q Query) (Answer, error) {
	answer, err := r.Find(ctx, q)
	if err == nil && len(answer.Found) == 0 {
		answer, err = r.respell(ctx, q, answer)
	}
	return answer.WithoutWeak(), err
}

// WithoutWeak leaves out what may have met the question by chance, where something met it surely, and else
// what only echoes it.
func (a Answer) WithoutWeak() Answer {
	if !a.isSure() {
		return a.WithoutEchoes()
	}
	a.Found = slices.DeleteFunc(a.Found, func(f Found) bool { return f.Weak })
	return a
}

// WithoutEchoes leaves out items that meet the question by what holds for their whole record alone, as the
// goal of a packet does, but for the best of each record of which no item meets it by itself: these words
// count once.
func (a Answer) WithoutEchoes() Answer {
	speaks := map[string]bool{} // the records that an item speaks for
	for _, f := range a.Found {
		if f.meetsItself() {
			speaks[f.Hit.Ref] = true
		}
	}
	a.Found = slices.DeleteFunc(a.Found, func(f Found) bool {
		echo := speaks[f.Hit.Ref] && !f.meetsItself()
		speaks[f.Hit.Ref] = true
		return echo
	})
	return a
}

// meetsItself tells whether a word of the question that an answer meets stands in the item itself.
func (f Found) meetsItself() bool {
	own := map[string]bool{}
	for word := range words.All(f.Item.Text + "\n" + f.Item.Why) {
		for _, key := range slices.Concat(word.Parts, word.Names) {
			own[key] = true
		}
	}
	for word := range words.All(strings.Join(f.Hit.Matched, "\n")) {
		if slices.ContainsFunc(slices.Concat(word.Parts, word.Names), func(key string) bool { return own[key] }) {
			return true
		}
	}
	return false
}

func (a Answer) isSure() bool {
	return slices.ContainsFunc(a.Found, func(f Found) bool { return !f.Weak })
}

// findHere answers a question from one memory. What is claimed is only looked for where there is room left.
func (r *Recall) findHere(ctx context.Context, q Query) (all Answer) {
	limit := limitOf(q)
	for _, who := range r.listCrowds(ctx, q.Reading) {
		if q.Limit = limit - len(all.Found); q.Limit <= 0 {
			break
		}
		// Where gates keep out too many of those that meet the words best, more are weighed.
		var some Answer
		for n := weighedOfLimit * q.Limit; ; n *= further {
			var full bool
			some, full = r.findAmong(ctx, q, n, who)
			if !full || len(some.Found) >= q.Limit || n >= deepestLook(candidates, q.Reading) || who.claimed {
				break
			}
		}
		all = Answer{
			Found: slices.Concat(all.Found, some.Found), Out: slices.Concat(all.Out, some.Out),
			More: all.More + some.More,
		}
	}
	return all
}

// findAmong weighs the n items that meet the words best, and reports whether others meet them, too.
func (r *Recall) findAmong(ctx context.Context, q Query, n int,
	who crowd,
) (answer Answer, full bool) {
	let := 0          // how many no gate kept out
	var list []*Found // what no gate kept out, best first, not read yet
	hits := r.searchIndex(ctx, q, n, who)
	full = len(hits) == n
	hits = r.withoutStrangers(ctx, hits, q.Reading, who)
	if found := len(hits); q.Only != nil {
		hits = slices.DeleteFunc(hits, func(h index.Hit) bool { return !q.Only(h) })
		let = found - len(hits) // Nothing is looked for in their place.
	}
	if q.One != nil && !slices.ContainsFunc(hits, q.One) {
		return answer, false
	}
	glance := r.glanceAt(ctx, hits)
	for _, h := range hits {
		life, purged := glance.Life(packet.ID(h.ID))
		switch why := r.gateReason(h, life, purged); {
		case purged:
		case why != "":
			answer.Out = append(answer.Out, Out{h, why})
		default:
			let++
			f := &Found{Hit: h, Use: r.usage.useOf(packet.ID(h.ID)), wrong: life.Contradicted}
			f.subject = subjectOf(h, life, f.Use)
			f.weighAnswer(r.now())
			list = append(list, f)
		}
	}
	slices.SortStableFunc(list, func(a, b *Found) int { return compareFound(*a, *b) })
	limit := limitOf(q)
	var ahead []index.Hit
	for _, f := range list[:min(limit, len(list))] {
		ahead = append(ahead, f.Hit)
	}
	r.citeAhead(ctx, glance, ahead)
	for i, f := range list {
		if len(answer.Found) == limit {
			answer.More = len(list) - i
			break
		}
		why := r.readFound(ctx, glance, f, q.Reading)
		if why != "" {
			answer.Out = append(answer.Out, Out{f.Hit, why})
			let--
			continue
		}
		if citation.Outdated(f.Cites) {
			f.subject.Confidence = rank.Outdated(f.subject.Confidence)
			f.weighAnswer(r.now())
		}
		answer.Found = append(answer.Found, *f)
	}
	slices.SortStableFunc(answer.Found, betterRead)
	return answer, full && let < limit
}

// How much evidence an item has that it answers.
const (
	Nearby = 0.3 // Nearby is worth a look beside one that is likelier.
	Likely = 1.0 // Likely is more than chance has it.
	Sure   = 1.4 // Sure is enough for a question: most that nothing answers meet something of what is known.
)

// IsSure tells an item that meets a question surely.
func IsSure(h index.Hit) bool { return h.Evidence > Sure }

// weighAnswer says how well an answer meets the question, and what it counts beside others that do as well.
func (f *Found) weighAnswer(now time.Time) {
	standing := rank.Standing(f.subject, now)
	f.standing = standing.Value
	f.Weak = !IsSure(f.Hit) && !f.Hit.Full
	f.Score = rank.Score{Value: f.Hit.Score, Factors: append([]rank.Factor{
		{
			Name: "words", Value: f.Hit.Score,
			Why: fmt.Sprintf("meets %d of %d words, by how rare they are", len(f.Hit.Matched),
				len(f.Hit.Asked)),
		},
		{
			Name: "evidence", Value: f.Hit.Evidence,
			Why: "how rare the rarest of them are together: 1 is what chance meets, and above 1.4 is sure",
		},
	}, standing.Factors...)}
	if f.wrong {
		f.Score.Value /= 2
		f.Score.Factors = append(f.Score.Factors,
			rank.Factor{Name: "wrong", Value: 0.5, Why: "somebody said that it is wrong"})
	}
}

// searchIndex asks the index.
func (r *Recall) searchIndex(ctx context.Context, q Query, n int, who crowd) []index.Hit {
	asked := q.Query
	asked.Signers, asked.Limit = who.signers, n
	hits, err := r.index.Search(ctx, asked)
	r.noteFault(err)
	return r.possibleTimes(hits)
}

// glanceAt reads the events about the records of some hits.
func (r *Recall) glanceAt(ctx context.Context, hits []index.Hit) *replay.Glance {
	var ids []string
	for _, h := range hits {
		ids = append(ids, h.ID)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	r.seen = map[string]replay.Entry{}
	g, err := r.memory.Glance(ctx, ids, r.findEvents)
	if r.noteFault(err) {
		return &replay.Glance{}
	}
	return g
}

// findEvents names the events about some records. An index that another process writes may lack the newest of
// them, so that all are named.
func (r *Recall) findEvents(ctx context.Context, ids []string) (events []string, err error) {
	if len(ids) == 0 {
		return nil, nil
	}
	if r.fresh {
		return r.index.Events(ctx, ids)
	}
	listed, err := r.memory.Source().Listing(ctx)
	for _, l := range listed {
		if path.Base(path.Dir(l.Ref)) == eventNames && !l.Aside {
			events = append(events, l.Ref)
		}
	}
	return events, err
}

// readEntry reads a record as a glance sees it, once for all of its items; not ok where it cannot be read.
func (r *Recall) readEntry(ctx context.Context, g *replay.Glance, ref string) (e replay.Entry, ok bool) {
	if e, ok = r.seen[ref]; ok || r.fault != nil {
		return e, ok
	}
	e, err := g.Read(ctx, ref)
	if replay.IsUnreadable(err) || r.noteFault(err) {
		return e, false
	}
	r.seen[ref] = e
	return e, true
}

// gateReason says why an item is no answer, or nothing. What was archived or consolidated is still found by
// those who ask.
func (r *Recall) gateReason(h index.Hit, life replay.Life, purged bool) string {
	until := h.Record.ExpiresAt
	if !life.Until.IsZero() {
		until = life.Until
	}
	switch {
	case purged:
		return "it was purged"
	case life.Retracted:
		return "it was retracted"
	case life.Superseded != "":
		return fmt.Sprintf("%s takes its place", life.Superseded)
	case hasEnded(until, r.now()):
		return "it expired on " + until.UTC().Format(time.DateOnly)
	default:
		return ""
	}
}

// hasEnded tells whether an end has come; the zero time is none.
func hasEnded(until, now time.Time) bool { return !until.IsZero() && !until.After(now) }

// isResting tells whether nobody is told of an item unasked. What a thread settled, and what failed in it,
// outlives the thread.
func isResting(h index.Hit, life replay.Life) bool {
	outlives := h.Record.Kind == packet.KindPacket && h.Kind != packet.ItemGoal && h.Kind != packet.ItemNext &&
		h.Kind != packet.ItemQuestion
	return life.Resting() || life.Closed && !outlives
}

// subjectOf is what ranking has to know of an item.
func subjectOf(h index.Hit, life replay.Life, use Use) rank.Subject {
	nature := rank.Nature{Kind: h.Kind, Locked: h.Locked, Failed: h.Failed}
	impact := h.Record.Impact
	if impact == rank.Critical { // That takes an event of somebody who counts here.
		impact = rank.High
	}
	return rank.Subject{
		Impact:     cmp.Or(life.Impact, impact, rank.DefaultImpact(nature)),
		Confidence: life.Confidence(rank.Prior(h.Confidence)),
		Created:    h.Record.CreatedAt,
		Confirmed:  life.Confirmed,
		Used:       use.Last,
		Uses:       use.Uses,
	}
}

// compareFound is the order of answers.
func compareFound(a, b Found) int {
	return cmp.Or(
		cmp.Compare(b.Score.Value, a.Score.Value), cmp.Compare(b.standing, a.standing),
		b.Hit.Record.CreatedAt.Compare(a.Hit.Record.CreatedAt),
		strings.Compare(a.Hit.Ref, b.Hit.Ref), strings.Compare(a.Hit.Place, b.Hit.Place),
	)
}

// betterRead is the order of answers that were read: where nobody asked, what is only claimed comes last.
func betterRead(a, b Found) int { return cmp.Or(a.claimed()-b.claimed(), compareFound(a, b)) }

// claimed is 1 for what is shown to somebody who did not ask although nobody vouches for it, and else 0.
func (f Found) claimed() int {
	if f.Entry.Reader() == replay.Unasked && f.Entry.Origin().IsClaimed() {
		return 1
	}
	return 0
}

// readFound reads the record of an answer through the gate of the memory, and says why it is none.
func (r *Recall) readFound(ctx context.Context, g *replay.Glance, f *Found, to replay.Reading) (why string) {
	if f.Entry, why = r.openRecord(ctx, g, f.Hit.Ref, to); why != "" {
		return why
	}
	var ok bool
	if f.Item, ok = itemAt(f.Entry.Content(), f.Hit.Place); !ok {
		return "the index is behind"
	}
	cites, known := r.cited[f.Hit.Ref]
	if f.Cites = cites; known || len(f.Hit.Record.Paths) == 0 {
		return ""
	}
	all, err := r.memory.Cited(ctx, []replay.Shown{f.Entry})
	if !r.noteFault(err) {
		f.Cites = all[0]
	}
	return ""
}

// strangerReason says why the record of an item is surely kept from those who did not ask for it, without
// reading it. An index that is behind does not know which records were signed.
func (r *Recall) strangerReason(ctx context.Context, h index.Hit, reading replay.Reading) string {
	if reading < replay.Unasked || !r.fresh {
		return ""
	}
	why, err := r.memory.Source().Stranger(ctx, h.Ref, h.Signer)
	r.noteFault(err)
	return why
}

// crowd is whose records are looked at.
type crowd struct {
	signers []string // of whom one must have put a record here; nil is everybody
	claimed bool     // nobody vouches for them, and they are shown automatically all the same
}

// listCrowds are the crowds that are asked one after the other. Who asks hears everybody at once. Where
// nobody did, those who may be trusted come first, so that nobody else takes their place, and behind them
// those who are heard unsigned. An index that is behind does not know who put a record here, and where most
// records may be trusted they are not asked for by their signers.
func (r *Recall) listCrowds(ctx context.Context, reading replay.Reading) []crowd {
	if r.noteFault(r.refreshIndex(ctx)) {
		return nil
	}
	if reading < replay.Unasked || !r.fresh {
		return []crowd{{}}
	}
	counts, err := r.index.Counts(ctx, index.CountSigner)
	r.noteFault(err)
	by := counters(counts).withPrefix(index.CountSigner)
	v, err := r.memory.Source().Voices(ctx, slices.Collect(maps.Keys(by)))
	if r.noteFault(err) {
		return nil
	}
	all, known := 0, 0
	for word, n := range by {
		all += n
		if slices.Contains(v.Trusted, word) {
			known += n
		}
	}
	trusted := crowd{}
	if !v.Anybody && !mostOf(known, all) {
		trusted.signers = append([]string{}, v.Trusted...)
	}
	if len(v.Claimed) == 0 || reading != replay.Unasked {
		return []crowd{trusted}
	}
	return []crowd{trusted, {signers: v.Claimed, claimed: true}}
}

// NewAuthors are the names of those whose unsigned records are shown automatically and who were not told of
// before in this clone.
func (r *Recall) NewAuthors(ctx context.Context) ([]string, error) {
	return askMended(r, func() (names []string) {
		crowds := r.listCrowds(ctx, replay.Unasked)
		if r.fault == nil && crowds[len(crowds)-1].claimed {
			var err error
			names, err = r.memory.Source().NewAuthors(ctx, crowds[len(crowds)-1].signers)
			r.noteFault(err)
		}
		return names
	})
}

func limitOf(q Query) int { return cmp.Or(q.Limit, defaultLimit) }
