package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/quiet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
	"github.com/git-ltm/git-ltm/internal/session"
)

// Question is what somebody asks the memory, in one of several ways.
type Question struct {
	Query  string `json:"query"`  // words
	Path   string `json:"path"`   // of a file, with lines where nothing else is asked
	Action string `json:"action"` // a command line, or a plan in words
	ID     string `json:"id"`

	Also   []string `json:"also"`
	Kinds  []string `json:"kinds"`
	Tags   []string `json:"tags"`
	Topic  string   `json:"topic"`
	Branch string   `json:"branch"`
	Author string   `json:"author"`
	Since  string   `json:"since"`
	Until  string   `json:"until"`
	All    bool     `json:"all"` // also what is out of sight
	Limit  int      `json:"limit"`
	Budget int      `json:"budget"`

	Trusted bool `json:"trusted"`

	// Of lists on the command line: only what never leaves this clone, is not trusted, or nobody confirmed.
	Private, Untrusted, Unconfirmed bool `json:"-"`
}

// Reading is why records are read for it.
func (q Question) Reading() replay.Reading {
	if q.Trusted {
		return replay.Strictly
	}
	return replay.Asked
}

// Narrows tells whether it asks for records by what they are.
func (q Question) Narrows() bool {
	return len(q.Kinds)+len(q.Tags) > 0 || q.Topic+q.Branch+q.Author+q.Since+q.Until != "" || q.All ||
		q.Private || q.Untrusted || q.Unconfirmed
}

// Span is the time that is asked for, or what is wrong with it.
func (q Question) Span(now time.Time) (since, until time.Time, err error) {
	var wrong problems
	since, until = q.parseTimes(now, &wrong)
	return since, until, wrong.err()
}

// parseTimes are the span of time that is asked for.
func (q Question) parseTimes(now time.Time, wrong *problems) (since, until time.Time) {
	for _, one := range []struct {
		member, text string
		at           *time.Time
	}{{"/since", q.Since, &since}, {"/until", q.Until, &until}} {
		if one.text == "" {
			continue
		}
		var err error
		if *one.at, err = reply.ParseWhen(one.text, now); err != nil {
			wrong.addProblem(one.member, "%v", err)
		}
	}
	return since, until
}

// filter is what its filters let pass, but for kinds.
func (q Question) filter(now time.Time, wrong *problems) index.Filter {
	f := index.Filter{Topic: q.Topic, Branch: q.Branch, Author: q.Author, Path: q.Path}
	f.Since, f.Until = q.parseTimes(now, wrong)
	for _, tag := range q.Tags {
		f.Tags = append(f.Tags, reply.Slug(tag))
	}
	return f
}

// Words is the question that its words and filters ask, or everything that is wrong with it.
func (q Question) Words(now time.Time) (recall.Query, error) {
	var wrong problems
	asked := recall.Query{Reading: q.Reading(), Query: index.Query{
		Text: q.Query, Also: q.Also, Kinds: slices.Clone(q.Kinds), Filter: q.filter(now, &wrong), Limit: q.Limit,
	}}
	if !strings.ContainsFunc(q.Query, func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsNumber(c)
	}) {
		wrong.addProblem("/query", "must say in words what to look for")
	}
	for i, kind := range q.Kinds {
		if note, ok := packet.NoteKind(kind); ok {
			asked.Kinds[i] = note
		} else if !slices.Contains(packet.AskedKinds(), kind) {
			wrong.addProblem("/kinds", "must be of %s", strings.Join(packet.AskedKinds(), ", "))
		}
	}
	return asked, wrong.err()
}

// Find answers it by words, or by the path where it has none. Where one of the words is a file or a folder
// of the work tree, and nothing narrows the answer, it is by both.
func (q Question) Find(
	ctx context.Context, m *memory.Memory, r *recall.Recall, now time.Time) (recall.Answer, error,
) {
	if q.Query == "" {
		place, err := PlaceIn(m.Repo(), q.Path)
		if err != nil {
			return recall.Answer{}, err
		}
		place.Limit, place.Reading = q.Limit, q.Reading()
		return r.FindAbout(ctx, recall.Query{Reading: q.Reading(), Query: index.Query{Limit: q.Limit}}, place)
	}
	asked, err := q.Words(now)
	if err != nil {
		return recall.Answer{}, err
	}
	var answer recall.Answer
	if q.Path != "" {
		asked.Path = m.Repo().PathIn(q.Path)
	}
	if place, word, ok := q.placeAmong(m.Repo()); ok {
		if asked.Text = strings.TrimSpace(strings.Replace(q.Query, word, " ", 1)); asked.Text != "" {
			asked.Also = append(slices.Clip(asked.Also), word)
		}
		answer, err = r.FindAbout(ctx, asked, place)
	} else {
		return r.FindSpelt(ctx, asked)
	}
	return answer.WithoutChanges().WithoutWeak(), err
}

// placeAmong is the place that one of the words means: a file or a folder that is there. Beside other
// words, it has to look like a path.
func (q Question) placeAmong(repo *git.Repo) (place recall.Place, word string, ok bool) {
	const most = 32 // words that are looked at
	words := strings.Fields(q.Query)
	if q.Path != "" || q.Narrows() || repo.WorkTree == "" {
		return place, "", false
	}
	for _, word := range words[:min(len(words), most)] {
		word = strings.Trim(word, "`'\"()[]<>,;?!")
		if len(words) > 1 && !strings.ContainsAny(word, "./") {
			continue
		}
		place, err := PlaceIn(repo, word)
		if err != nil {
			continue
		}
		if _, err := os.Lstat(filepath.Join(repo.WorkTree, filepath.FromSlash(place.Path))); err == nil {
			place.Limit, place.Reading = q.Limit, q.Reading()
			return place, word, true
		}
	}
	return place, "", false
}

// PlaceIn is the place that PATH[:LINE[-LINE]] means to somebody who stands in a repository, or says where on the
// disk it is.
func PlaceIn(repo *git.Repo, spec string) (recall.Place, error) {
	cite := ParseCite(spec)
	var wrong problems
	name := repo.PathIn(filepath.FromSlash(cite.Path))
	switch {
	case cite.Path == "" || name == ".":
		wrong.addProblem("/path", "name a file, or a folder below the top of the repository")
	case path.IsAbs(name) || name == ".." || strings.HasPrefix(name, "../"):
		wrong.addProblem("/path", "%q is not in the work tree", cite.Path)
	case cite.EndLine > 0 && cite.EndLine < cite.Line:
		wrong.addProblem("/path", "lines %d-%d: the last stands before the first", cite.Line, cite.EndLine)
	}
	return recall.Place{Path: name, Line: cite.Line, EndLine: cite.EndLine}, wrong.err()
}

// DeadEnds are what is known not to work of an action, and where that is nothing, skips that perhaps speak of it.
// What may be a command line or a plan in words is read as both.
func DeadEnds(
	ctx context.Context, m *memory.Memory, r *recall.Recall, call agent.Call, plan string, to replay.Reading,
) (ends, perhaps []recall.DeadEnd, err error) {
	if call.Command+plan == "" && len(call.Paths) == 0 {
		return nil, nil, Refuse("/action", errors.New("must name what is about to be done"))
	}
	action := quiet.Action(m.Repo(), call)
	action.Prompt = plan
	if ends, err = r.DeadEnds(ctx, action, to, recall.Wanted{}); err != nil || len(ends) > 0 {
		session.Release(m.Repo().Local(), ends)
		return ends, nil, err
	}
	if said := cmp.Or(plan, call.Command); said != "" {
		return r.Likely(ctx, said, to)
	}
	return nil, nil, nil
}

// Queries are what its filters ask for, one for each kind of record, or everything that is wrong with them.
func (q Question) Queries(now time.Time) ([]replay.Query, error) {
	var wrong problems
	asked := replay.Query{
		Filter: q.filter(now, &wrong), Hidden: q.All, Private: q.Private, Untrusted: q.Untrusted,
		Unconfirmed: q.Unconfirmed,
	}
	kinds := q.Kinds
	if len(kinds) == 0 && q.Topic == "" {
		kinds = []string{reply.AllKinds}
	}
	queries, err := reply.Queries(kinds, asked)
	if err != nil {
		wrong.addProblem("/kinds", "%v", err)
	}
	return queries, wrong.err()
}

// List returns the records that its filters ask for, the newest first; tasks alone by their urgency.
func (q Question) List(
	ctx context.Context, m *memory.Memory, now time.Time, to replay.Reading,
) ([]replay.Shown, error) {
	queries, err := q.Queries(now)
	if err != nil {
		return nil, err
	}
	isTasks := len(q.Kinds) == 1 && q.Kinds[0] == packet.NoteTask
	if isTasks {
		q.Limit = 0 // The most urgent may be old.
	}
	found, _, err := q.Current(ctx, m, queries, to)
	if isTasks {
		found = Tasks(found, q.All, "")
	}
	return found, err
}

// LeftOutText says how many records a list leaves out; "" where it leaves out none.
func LeftOutText(l replay.LeftOut) string {
	var all []string
	if l.Hidden > 0 {
		all = append(all, fmt.Sprintf("%d hidden", l.Hidden))
	}
	if l.Ended > 0 {
		all = append(all, fmt.Sprintf("%d removed, replaced or over", l.Ended))
	}
	return strings.Join(all, ", ")
}

// Current lists what queries find, without what a person or an agent hid unless all is asked for, and
// counts what is left out. Where filters ask for some records alone, it does not count those that have ended.
func (q Question) Current(ctx context.Context, m *memory.Memory, queries []replay.Query, to replay.Reading,
) (found []replay.Shown, left replay.LeftOut, err error) {
	for i := range queries {
		if q.Path != "" {
			queries[i].Path = m.Repo().PathIn(q.Path)
		}
		if !q.All {
			queries[i].LeftOut = &left
		}
	}
	found, err = reply.List(ctx, m, queries, to, q.Limit)
	if q.Path != "" || q.Narrows() {
		left.Ended = 0
	}
	return found, left, err
}

// Tasks are those of some tasks that are to be done, or have a status, the most urgent first.
func Tasks(found []replay.Shown, all bool, status string) []replay.Shown {
	found = slices.DeleteFunc(found, func(entry replay.Shown) bool {
		is := reply.TaskStatus(entry)
		if status != "" {
			return is != status
		}
		return !all && (entry.Life.Resting() || is != "active" && is != "paused")
	})
	slices.SortStableFunc(found, reply.ByUrgency)
	return found
}
