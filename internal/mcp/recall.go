package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/git-ltm/git-ltm/internal/agent"
	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/remote"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

// The most that one call returns.
const (
	answersMost = 50
	listMost    = 200
	listUsual   = 20
)

// recallRecords is the tool recall: it answers a question in the way that its arguments ask for.
func recallRecords(ctx context.Context, c *call, q command.Question) (answer, error) {
	if q.Limit < 0 || q.Limit > listMost {
		return answer{}, command.Refuse("/limit", fmt.Errorf("must be a whole number from 1 to %d", listMost))
	}
	if err := checkBudget(q.Budget); err != nil {
		return answer{}, err
	}
	switch {
	case q.ID != "":
		return c.wholeRecord(ctx, q.ID)
	case q.Action != "":
		return c.tellDeadEnds(ctx, q)
	case q.Query == "" && q.Narrows():
		return c.listRecords(ctx, q)
	case q.Query+q.Path == "":
		return c.tellContext(ctx, q.Reading(), q.Budget)
	}
	q.Limit = min(q.Limit, answersMost)
	return c.withIndex(ctx, func(r *recall.Recall) (answer, error) {
		found, err := q.Find(ctx, c.m, r, c.Now())
		if err != nil {
			return answer{}, err
		}
		told := r.Tell(found, q.Reading())
		if told.Nonce, told.Budget, err = c.wrapAnswer(ctx, q.Budget); err != nil {
			return answer{}, err
		}
		value, err := told.JSON()
		out := answer{text: told.Markdown(), value: json.RawMessage(value)}
		if text := found.SpellingText(); text != "" {
			c.notef("%s", text)
		}
		switch {
		case len(told.Known) == 0:
			out.text = "Nothing is known about that.\n"
			for _, kept := range found.Out[:min(len(found.Out), 3)] {
				c.notef("%s comes near and is no answer: %s", kept.Hit.ID, kept.Why)
			}
		case out.text == "":
			out.text = fmt.Sprintf("Nothing of the %d answers fits into %d characters; budget allows "+
				"more.\n", len(told.Known), told.Budget)
		}
		return out, err
	})
}

// checkBudget refuses a budget into which nothing fits; 0 is the usual one.
func checkBudget(n int) error {
	const least, most = 200, 200_000
	if n != 0 && (n < least || n > most) {
		return command.Refuse("/budget", fmt.Errorf("must be a whole number from %d to %d", least, most))
	}
	return nil
}

// wrapAnswer is what stands around an answer: its nonce, and how many characters it may have.
func (c *call) wrapAnswer(ctx context.Context, budget int) (nonce string, _ int, err error) {
	if nonce, err = briefing.Nonce(c.Entropy); err != nil || budget > 0 {
		return nonce, budget, err
	}
	budget, err = command.Budget(ctx, c.m)
	return nonce, budget, err
}

// tellContext says what counts here now.
func (c *call) tellContext(ctx context.Context, to replay.Reading, budget int) (answer, error) {
	return c.withIndex(ctx, func(r *recall.Recall) (answer, error) {
		found, err := r.Context(ctx, to)
		if err != nil {
			return answer{}, err
		}
		if found.Nonce, found.Budget, err = c.wrapAnswer(ctx, budget); err != nil {
			return answer{}, err
		}
		value, err := found.JSON()
		out := answer{text: found.Markdown(), value: json.RawMessage(value)}
		switch {
		case len(found.Known) == 0:
			out.text = "Nothing is known here yet; note and save write something down.\n"
		case out.text == "":
			out.text = fmt.Sprintf("Nothing of what is known fits into %d characters; budget allows "+
				"more.\n", found.Budget)
		}
		return out, err
	})
}

// tellDeadEnds says what is known against an action.
func (c *call) tellDeadEnds(ctx context.Context, q command.Question) (answer, error) {
	does := agent.Call{Command: q.Action}
	if q.Path != "" {
		does.Paths = []string{q.Path}
	}
	return c.withIndex(ctx, func(r *recall.Recall) (answer, error) {
		ends, _, err := command.DeadEnds(ctx, c.m, r, does, q.Action, q.Reading())
		if err != nil {
			return answer{}, err
		}
		var all []reply.DeadEnd
		for _, end := range ends {
			all = append(all, reply.DeadEndOf(end, q.Reading()))
		}
		value := map[string]any{"note": briefing.DataNote, "dead_ends": all}
		out := answer{text: "Nothing is known against that.\n", value: value}
		if len(ends) > 0 {
			w := r.Warn(ends, q.Reading())
			w.Nonce, err = briefing.Nonce(c.Entropy)
			out.text = w.Markdown()
		}
		return out, err
	})
}

// listRecords returns records by what they are, the newest first.
func (c *call) listRecords(ctx context.Context, q command.Question) (answer, error) {
	if q.Limit == 0 {
		q.Limit = listUsual
	}
	found, err := q.List(ctx, c.m, c.Now(), q.Reading())
	if err != nil {
		return answer{}, err
	}
	if left := len(found) - q.Limit; left > 0 {
		c.notef("%d more are left out", left)
		found = found[:q.Limit]
	}
	all, lines := make([]reply.Listed, len(found)), make([]string, len(found))
	for i, entry := range found {
		all[i] = reply.ListedOf(entry)
		g := reply.GistOf(entry)
		about := append([]string{briefing.Age(entry.CreatedAt(), c.Now()), string(entry.Verdict.Standing)},
			command.Marks(entry, c.Now())...)
		if g.Kind == packet.NoteTask {
			about = append(about, reply.TaskStatus(entry), fmt.Sprintf("priority %d", entry.Task().Priority))
		}
		lines[i] = string(entry.ID) + " " + command.Marked(g.Author()+": "+g.Line(), about...)
	}
	nonce, err := briefing.Nonce(c.Entropy)
	out := answer{
		text:  briefing.Quote("records", nonce, lines),
		value: map[string]any{"note": briefing.DataNote, "records": all},
	}
	if len(found) == 0 {
		out.text = "There is no such record here.\n"
	}
	return out, err
}

// wholeRecord returns all of a record, and what became of it.
func (c *call) wholeRecord(ctx context.Context, spec string) (answer, error) {
	found, of, err := c.m.FindAnyWide(ctx, spec)
	if err != nil {
		return answer{}, err
	}
	entry, err := found.MustOpen(replay.Asked)
	if err != nil {
		return answer{}, err
	}
	if of != c.m {
		c.notef("%s %s is of the user-wide memory, not of this repository", entry.Kind(), entry.ID)
	} else if entry.Kind() != packet.KindEvent {
		recall.Used(c.m, c.Now(), entry.ID)
	}
	value, err := command.WholeOf(ctx, of, entry)
	if err != nil {
		return answer{}, err
	}
	lines := strings.Split(strings.TrimRight(reply.Describe(entry, c.Now()).String(), "\n"), "\n")
	if len(value.Events) > 0 {
		lines = append(lines, "", "What became of it:", "")
	}
	for _, ev := range value.Events {
		lines = append(lines, fmt.Sprintf("%s %s %s %s [%s]: "+
			"%s", ev.At, ev.What, ev.ID, ev.Author, ev.Standing, ev.Why))
	}
	nonce, err := briefing.Nonce(c.Entropy)
	return answer{text: briefing.Quote("record", nonce, lines), value: value}, err
}

// errNoObject refuses arguments that are none.
var errNoObject = errors.New("the arguments must be an object")

// resumeArguments is what resume takes.
type resumeArguments struct {
	ID      string `json:"id"`
	Budget  int    `json:"budget"`
	Trusted bool   `json:"trusted"`
}

func (o resumeArguments) howRead() replay.Reading {
	return command.Question{Trusted: o.Trusted}.Reading()
}

// resumePacket returns the packet that is asked for, or the best. Where none was saved yet, it says what
// counts here all the same.
func resumePacket(ctx context.Context, c *call, o resumeArguments) (answer, error) {
	if err := checkBudget(o.Budget); err != nil {
		return answer{}, err
	}
	if o.ID != "" {
		entry, of, err := c.m.FindWide(ctx, o.ID)
		if err != nil {
			return answer{}, err
		}
		return c.briefPacket(ctx, of, entry, o)
	}
	chosen, of, err := c.m.ChooseWide(ctx, o.howRead())
	if errors.Is(err, replay.ErrNotFound) {
		return c.tellContext(ctx, o.howRead(), o.Budget)
	}
	if err != nil {
		return answer{}, err
	}
	if who := reply.Whose(ctx, c.m, replay.Choice{Entry: chosen.Newer}, c.Now()); who != "" {
		c.notef("this is the user's own thread; there is a newer one of this branch %s: resume with id "+
			"%s", who, chosen.Newer.ID)
	}
	if chosen.Beside.ID != "" {
		c.notef("another thread of the user is open on this branch: resume with id %s", chosen.Beside.ID)
	}
	if n := chosen.PassedOver; n > 0 && !o.Trusted {
		c.notef("%d that are withheld were passed over: 'git ltm verify' says why", n)
	}
	return c.briefPacket(ctx, of, chosen.Entry, o)
}

// briefPacket writes the briefing of a packet, unless its signature or policy forbids.
func (c *call) briefPacket(
	ctx context.Context, of *memory.Memory, entry replay.Entry, o resumeArguments) (answer, error,
) {
	b, err := recall.Brief(ctx, of, entry, recall.BriefOptions{Reading: o.howRead(), Now: c.Now()})
	if err != nil {
		return answer{}, err
	}
	if of != c.m {
		c.notef("packet %s is of the user-wide memory, not of this repository", entry.ID)
	}
	if entry.Life.Retracted {
		c.notef("packet %s was retracted; recall with its id says why", entry.ID)
	}
	if entry.Conflict {
		c.notef("a remote holds another record under the id %s; this is the one of this clone", entry.ID)
	}
	if b.Nonce, b.Budget, err = c.wrapAnswer(ctx, o.Budget); err != nil {
		return answer{}, err
	}
	recall.Used(of, c.Now(), entry.ID)
	value, err := b.JSON()
	return answer{text: b.Markdown(), value: json.RawMessage(value)}, err
}

// state is the JSON shape of where the memory stands.
type state struct {
	Repository string `json:"repository"` // the top of the work tree, or the git directory
	command.State

	Drafts int `json:"drafts"` // what sessions left, and nobody finished
}

func tellStatus(ctx context.Context, c *call) (answer, error) {
	rules, _ := c.m.Rules(ctx) // Where they cannot be read, names are judged by the built-in ones.
	var local command.State
	_, err := c.withIndex(ctx, func(r *recall.Recall) (a answer, err error) {
		local, err = command.StateOf(ctx, c.m, r, rules)
		return a, err
	})
	if err != nil {
		return answer{}, err
	}
	top := cmp.Or(c.m.Repo().WorkTree, c.m.Repo().GitDir)
	s := state{State: local, Repository: reply.Printable(rules, top)}
	if s.Drafts, err = c.m.Drafts().Count(ctx); err != nil {
		return answer{}, err
	}
	x, err := remote.Look(ctx, c.m)
	if err == nil {
		x.URL = reply.Address(x.URL)
		x = reply.Printables(nil, x)
		s.Remote = &x
	} else if !errors.Is(err, remote.ErrNone) {
		return answer{}, err
	}
	var out strings.Builder
	fmt.Fprintf(&out, "repository: %s\nbranch: %s\nthread head: %s\n", s.Repository,
		cmp.Or(s.Branch, "(detached)"), cmp.Or(s.Head, "none of the user is open here"))
	fmt.Fprintf(&out, "packets: %d, notes: %d, open tasks: %d, skips: %d\n", s.Packets, s.Notes,
		s.Tasks, s.Skips)
	if r := s.Remote; r != nil {
		fmt.Fprintf(&out, "remote: %s, unpushed: %s, only there: %d\n", r.Remote,
			remote.CountRefs(r.Unpushed, r.Changes), r.NotHere)
	} else {
		out.WriteString("remote: none, memory stays in this clone\n")
	}
	if s.Drafts > 0 {
		fmt.Fprintf(&out, "drafts: %d; save with draft: newest shows the last of this branch\n", s.Drafts)
	}
	if n := len(s.Broken); n > 0 {
		fmt.Fprintf(&out, "broken refs: %d\n", n)
	}
	return answer{text: out.String(), value: s}, nil
}
