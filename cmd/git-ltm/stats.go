package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/command"
	"github.com/git-ltm/git-ltm/internal/garden"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/reply"
)

func runStats(ctx context.Context, e *env, m *memory.Memory, r *recall.Recall, _ struct{}, _ []string) error {
	f, err := r.Figures(ctx)
	if err != nil {
		return err
	}
	e.rules, _ = m.Rules(ctx) // Where they cannot be read, names are judged by the built-in ones.
	for _, names := range [][]recall.Named{f.Authors, f.Branches} {
		for i := range names { // Somebody may have put a secret there.
			names[i].Name = e.printable(names[i].Name)
		}
	}
	printFigures(e, f)
	return e.printResult(f, nil)
}

// printFigures prints figures for a person.
func printFigures(e *env, f recall.Figures) {
	var p reply.Description
	var records []string
	for _, kind := range []string{"packet", "note", "skip", "event"} {
		records = append(records, command.Counted(f.Records[kind], kind))
	}
	p.Put("Records", strings.Join(records, ", "))
	done := map[string]int{} // in the words of the log
	for event, n := range f.Events {
		done[reply.EventWord(event)] += n
	}
	for _, some := range []struct {
		title, none string
		counts      []recall.Named
	}{
		{"What was done to them", "", mostFirst(done)},
		{"Notes", "", mostFirst(f.Notes)},
		{"Authors", "(nobody)", f.Authors},
		{"Branches", "(none)", f.Branches},
	} {
		if p.Head(some.title, len(some.counts)) {
			for _, n := range some.counts {
				p.Printf("  %5d  %s\n", n.Records, clean.Truncate(clean.Line(cmp.Or(n.Name, some.none)), 70))
			}
		}
	}
	p.Printf("\nSaved in each of %d weeks, the last from %s:\n  %s\n", len(f.Weeks.Saved), f.Weeks.Last,
		strings.Trim(fmt.Sprint(f.Weeks.Saved), "[]"))
	if p.Head("Expiring next, within 30 days", len(f.Expiring)) {
		for _, x := range f.Expiring {
			p.Printf("  %s  %s  %s\n", reply.EndText(x.At, e.now()), x.ID, x.Kind)
		}
	}
	p.Printf("\n")
	p.Put("Signed", fmt.Sprintf("%d, unsigned %d", f.Signatures.Signed, f.Signatures.Unsigned))
	e.print(p.String())
}

// mostFirst are the words that were counted at all, the most frequent first.
func mostFirst(counts map[string]int) (all []recall.Named) {
	for word, n := range counts {
		if n > 0 {
			all = append(all, recall.Named{Name: word, Records: n})
		}
	}
	slices.SortFunc(all, func(a, b recall.Named) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), strings.Compare(a.Name, b.Name))
	})
	return all
}

// The bounds of an achievement.
const (
	achievementLife = 90 * 24 * time.Hour // it counts so long
	longestAuthor   = 128                 // characters of a name that a record holds
)

type achievementOptions struct {
	Since string
	Apply bool

	within git.Range
}

func runAchievements(ctx context.Context, e *env, m *memory.Memory, o achievementOptions, _ []string) error {
	o.within.Since = e.now().Add(-achievementLife)
	if since, err := reply.ParseWhen(o.Since, e.now()); err != nil {
		o.within.Not = o.Since
	} else if since.After(o.within.Since) {
		o.within.Since = since
	}
	if m.IsUser() {
		return usagef("a user-wide memory has no commits; run it inside a repository")
	}
	all, err := achievementsOf(ctx, m, o.within)
	if err != nil {
		return err
	}
	if err := keepAchievements(ctx, e, m, all, o); err != nil {
		return err
	}
	shown := make([]command.Achievement, len(all))
	for i, a := range all {
		shown[i] = *a
		shown[i].Text, shown[i].Tag = e.printable(a.Text), e.printable(a.Tag)
	}
	fresh := len(inState(all, achievedNew))
	switch {
	case len(all) == 0:
		e.hint("nothing was found: no commit of yours says that it is a feature or a fix, and no " +
			"tag of yours names a version")
	case fresh > 0:
		e.hintf("nothing was stored; --apply stores those that are new: %d", fresh)
	}
	for _, a := range shown {
		e.printf("%-7s  %s  %-6s  %s\n", a.State, a.ID, a.Impact, a.Text)
	}
	return e.printResult(shown, nil)
}

// achievementsOf returns what the person at work has achieved in a part of the history, the oldest first.
func achievementsOf(ctx context.Context, m *memory.Memory, within git.Range) ([]*command.Achievement, error) {
	_, email, err := m.Repo().Identity(ctx)
	if err == nil && email == "" {
		err = usagef("nothing says whose commits count; git config user.email ADDRESS")
	}
	if err != nil {
		return nil, err
	}
	made, err := m.Repo().History().Commits(ctx, within)
	if err != nil {
		return nil, err
	}
	commits, here := make([]garden.Commit, len(made)), map[string]bool{}
	for i, c := range made {
		commits[i] = garden.Commit{
			Hash: c.Hash, Subject: c.Subject, Body: c.Body, Author: c.Author,
			Email: c.Email, At: c.At,
		}
		here[c.Hash] = true
	}
	var all []*command.Achievement
	for _, a := range garden.Achievements(commits, email) {
		all = append(all, achievedBy(a, "commit:"+a.Key, ""))
	}
	tags, err := m.Repo().History().TagsMade(ctx)
	if err != nil {
		return nil, err
	}
	for _, t := range tags {
		if t.At.Before(within.Since) || within.Not != "" && !here[t.Commit] {
			continue
		}
		// Whoever makes a release may not have written the commit, and a tag can come when the commit was
		// noted.
		tagged := garden.Commit{
			Hash: t.Commit, Author: t.Maker, Email: t.Email, At: t.At,
			Tags: []string{t.Name},
		}
		for _, a := range garden.Achievements([]garden.Commit{tagged}, email) {
			all = append(all, achievedBy(a, "tag:"+t.Object, t.Name))
		}
	}
	slices.SortStableFunc(all, func(a, b *command.Achievement) int {
		return strings.Compare(string(a.ID), string(b.ID))
	})
	return all, nil
}

// achievedBy makes a note of an achievement. Everything in it comes from the commit or the tag, so that each
// clone makes the same.
func achievedBy(a garden.Achievement, key, tag string) *command.Achievement {
	done := command.Achievement{
		State: achievedNew, ID: packet.DeriveID(key, a.At), Commit: a.Key, Tag: tag, Text: a.Text,
		Impact:  a.Impact,
		Created: reply.Stamp(a.At), Expires: reply.Stamp(a.At.Add(achievementLife)),
	}
	note := map[string]any{
		"type": packet.KindNote, "id": done.ID, "created_at": done.Created, "kind": "achievement",
		"text": a.Text, "impact": a.Impact,
		"expires_at": done.Expires, "anchor": map[string]any{"commit": a.Key}, "origin": "tool",
	}
	if len(a.Tags) > 0 {
		note["tags"] = a.Tags
	}
	if name := clean.Line(a.Author); name != "" && utf8.RuneCountInString(name) <= longestAuthor {
		note["provenance"] = map[string]any{"author_human": name}
	}
	done.Data, _ = json.Marshal(note) //nolint:errchkjson // Strings.
	return &done
}

// What became of an achievement.
const (
	achievedNew     = "new"     // it would be stored
	achievedStored  = "stored"  // it was stored now
	achievedKnown   = "known"   // it was stored before, and maybe taken back since
	achievedRefused = "refused" // it does not pass the gate
)

// keepAchievements stores what is not there yet, or only finds out what would be.
func keepAchievements(ctx context.Context, e *env, m *memory.Memory, all []*command.Achievement,
	o achievementOptions,
) error {
	listed, err := m.Source().Listing(ctx)
	if err != nil {
		return err
	}
	known := map[packet.ID]bool{}
	for _, l := range listed {
		known[packet.ID(path.Base(l.Ref))] = true
	}
	for _, a := range all {
		if known[a.ID] {
			a.State = achievedKnown
		}
	}
	fresh := inState(all, achievedNew)
	reqs := make([]gate.SaveRequest, len(fresh))
	for i, a := range fresh {
		reqs[i] = gate.SaveRequest{Data: a.Data, DryRun: !o.Apply}
	}
	_, err = m.SaveBatch(ctx, reqs)
	batch, failed := errors.AsType[*gate.BatchError](err)
	if err != nil && !failed {
		return err
	}
	for i := 0; failed && i < len(batch.Failed); i++ {
		f := batch.Failed[i]
		a := fresh[f.Index]
		if errors.Is(f.Err, replay.ErrPurged) {
			a.State = achievedKnown
			continue
		}
		a.State, a.Text = achievedRefused, "(withheld)"
		for _, text := range errorParts(f.Err) {
			e.warnf("what commit %s says is left out: %s", a.Commit, text)
		}
	}
	for _, a := range fresh {
		if a.State == achievedNew && o.Apply {
			a.State = achievedStored
		}
	}
	return nil
}

func inState(all []*command.Achievement, state string) []*command.Achievement {
	var some []*command.Achievement
	for _, a := range all {
		if a.State == state {
			some = append(some, a)
		}
	}
	return some
}

type pictureOptions struct {
	Format, Branch, Since string
	Depth, Limit          int
	All, Private, Commits bool
}

func runGraph(ctx context.Context, e *env, m *memory.Memory, o pictureOptions, args []string) error {
	id := strings.Join(args, "")
	var wrong refusals
	for _, name := range []string{"branch", "since", "limit"} {
		wrong.when(id != "" && e.isGiven(name),
			"--%s and ID exclude each other: what lies near a record is drawn wherever it was made", name)
	}
	since, _, err := command.Question{Since: o.Since}.Span(e.now())
	wrong.when(id == "" && e.isGiven("depth"), "--depth asks for the ID of a record")
	wrong.when(e.isGiven("json") && e.isGiven("format"), "--json and --format exclude each other")
	wrong.when(!slices.Contains([]string{"text", "dot", "mermaid"}, o.Format), "--format takes text, dot or mermaid")
	wrong.when(o.Depth < 0, "--depth takes a number, 0 for the record alone")
	wrong.when(o.Limit < 0, "--limit takes a number, 0 for no bound")
	if err := usage(append(wrong, wrongInput(e, err)...)); err != nil {
		return err
	}
	p, err := recall.Draw(ctx, m, recall.PictureQuery{
		ID: id, Depth: o.Depth, Branch: o.Branch, Since: since, Limit: o.Limit, Hidden: o.All,
		Private: o.Private, Commits: o.Commits,
	})
	if errors.Is(err, recall.ErrNoPlace) {
		return &usageError{err: err}
	}
	if err != nil {
		return err
	}
	if len(p.Graph.Nodes) == 0 {
		e.hint("there is no such record here; 'git ltm save' and 'git ltm note' store some, and " +
			"'git ltm sync' brings those of a remote")
	}
	if p.More {
		e.hintf("these are the newest %d, and there are more; --limit 0 draws all", o.Limit)
	}
	if e.asJSON {
		return e.printJSON(command.PictureOf(p))
	}
	var text strings.Builder
	switch o.Format {
	case "dot":
		err = p.Graph.DOT(&text)
	case "mermaid":
		err = p.Graph.Mermaid(&text)
		const mostEdges, mostCharacters = 500, 50_000
		if edges := len(p.Graph.Sorted().Edges); edges > mostEdges || text.Len() > mostCharacters {
			e.warnf("Mermaid draws up to %d edges and %d characters, and these are %d and %d; 'git ltm "+
				"graph ID --depth N' draws a part", mostEdges, mostCharacters, edges, text.Len())
		}
	default:
		columns, _ := e.width(e.stdout)
		err = p.Graph.Text(&text, columns)
	}
	e.print(text.String())
	return err
}
