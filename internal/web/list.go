package web

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// listing is a page of notes, tasks or skips, newest first.
type listing struct {
	What   string // notes, tasks or skips
	Lead   string
	Cards  []small
	Kinds  []choice // of notes
	All    bool
	Toggle string
	Pages  pages
}

// A small is a note, a task or a skip.
type small struct {
	card
	Status   string // of a task, as are the following
	Class    string
	Category string
	Priority int
	Match    []field // of a skip: what it is about
}

// A choice narrows a list.
type choice struct {
	Text, Href string
	Here       bool
}

// A field is a short text and what it is.
type field struct{ Name, Text string }

func (s *shelf) smallView(ctx context.Context, name string, query url.Values) (view, error) {
	number, err := pageOf(query)
	if err != nil {
		return view{}, err
	}
	kind, all := query.Get("kind"), query.Get("all") == everything
	q := smallQuery(name, kind)
	q.Hidden = all
	entries, more, err := takePage(s.memory.List(ctx, q), number)
	if err != nil {
		return view{}, err
	}
	exhibits := make([]exhibit, len(entries))
	for i, e := range entries {
		exhibits[i] = exhibitOf(e)
	}
	if err := s.checkCites(ctx, s.memory, exhibits); err != nil {
		return view{}, err
	}
	l := listing{
		What: strings.TrimSuffix(name, pageSuffix), All: all, Toggle: toggleHref(name, all, "kind", kind),
		Pages: pagesOf(name, number, more, "kind", kind, "all", query.Get("all")),
	}
	switch name {
	case notesName:
		l.Kinds = kindChoices(name, kind)
		l.Lead = "Small facts that outlive a session: decisions, pitfalls, preferences, ways of doing things."
	case tasksName:
		l.Lead = "What is to be done, as later events left it."
	default:
		l.Lead = "What not to do for a while. Agents are warned before they do it again."
	}
	for _, x := range exhibits {
		c := small{card: s.cardOf(x)}
		switch {
		case x.withheld != "":
		case x.Kind() == packet.KindSkip:
			c.Match = matchFields(x.Skip().Match)
		case x.Note().Kind == packet.NoteTask:
			task := x.Task()
			c.Category, c.Priority = strings.ReplaceAll(clean.Line(task.Category), "_", " "), task.Priority
			c.Status, c.Class = statusOf(task)
		}
		l.Cards = append(l.Cards, c)
	}
	title := strings.ToUpper(l.What[:1]) + l.What[1:]
	return view{template: "list", title: title, tab: name, body: l}, nil
}

// smallQuery asks for what stands on a list.
func smallQuery(name, kind string) replay.Query {
	switch name {
	case tasksName:
		return replay.Query{Kind: packet.KindNote, Notes: []string{packet.NoteTask}}
	case skipsName:
		return replay.Query{Kind: packet.KindSkip}
	}
	notes := noteKinds()
	if slices.Contains(notes, kind) {
		notes = []string{kind}
	}
	return replay.Query{Kind: packet.KindNote, Notes: notes}
}

// noteKinds are the kinds of notes, without tasks, which have a list of their own.
func noteKinds() []string {
	return slices.DeleteFunc(packet.NoteKinds(), func(kind string) bool { return kind == packet.NoteTask })
}

// kindChoices are the kinds of notes that a list can be narrowed to.
func kindChoices(name, kind string) []choice {
	all := []choice{{Text: "all", Href: name, Here: !slices.Contains(noteKinds(), kind)}}
	for _, k := range noteKinds() {
		all = append(all, choice{Text: k, Href: listHref(name, "kind", k), Here: k == kind})
	}
	return all
}

// statusOf is how far a task is, and the class of that.
func statusOf(task packet.Note) (status, class string) {
	if status = cmp.Or(clean.Line(task.Status), "active"); status == "active" {
		return status, good
	}
	return status, plain
}

// matchFields says what a skip is about.
func matchFields(m packet.Match) []field {
	var all []field
	for _, f := range []field{{"Command", m.Command}, {"Files", m.Path}, {"Words", m.Words}} {
		if f.Text = cutLine(f.Text, secondColumns); f.Text != "" {
			all = append(all, f)
		}
	}
	return all
}
