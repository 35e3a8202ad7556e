package web

import (
	"cmp"
	"context"
	"iter"
	"net/url"
	"slices"
	"strconv"
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

// pages leads from one page of a list to the next.
type pages struct {
	Number       int
	Newer, Older string
}

// pageOf is the number of the page that a query asks for.
func pageOf(query url.Values) (int, error) {
	text := query.Get("page")
	if text == "" {
		return 1, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostPages {
		return 0, errNoPage
	}
	return n, nil
}

// takePage returns one page of a list, and whether there is more behind it.
func takePage[T any](list iter.Seq2[T, error], number int) (items []T, more bool, err error) {
	before := (number - 1) * perPage
	for item, err := range list {
		switch {
		case err != nil:
			return nil, false, err
		case before > 0:
			before--
		case len(items) == perPage:
			return items, true, nil
		default:
			items = append(items, item)
		}
	}
	return items, false, nil
}

// pagesOf says how one leads to the next.
func pagesOf(name string, number int, more bool, query ...string) pages {
	p := pages{Number: number}
	switch {
	case number == 2:
		p.Newer = listHref(name, query...)
	case number > 2:
		p.Newer = listHref(name, append(query, "page", strconv.Itoa(number-1))...)
	}
	if more {
		p.Older = listHref(name, append(query, "page", strconv.Itoa(number+1))...)
	}
	return p
}

// listHref is the address of a list with what narrows it, as pairs of a name and a value. Empty values are
// left out.
func listHref(name string, query ...string) string {
	var parts []string
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			parts = append(parts, query[i]+"="+url.QueryEscape(query[i+1]))
		}
	}
	if len(parts) == 0 {
		return name
	}
	return name + "?" + strings.Join(parts, "&")
}

// toggleHref leads to the same list with, or without, what is out of every list.
func toggleHref(name string, all bool, query ...string) string {
	if !all {
		query = append(query, "all", everything)
	}
	return listHref(name, query...)
}

// timeline is a page of packets and their threads, newest first.
type timeline struct {
	Rows   []row
	Lanes  int // how many threads lie beside each other, at most
	Branch string
	All    bool
	Toggle string   // leads to the same with, or without, what is out of every list
	Choice []choice // the branches of the page, and all
	Pages  pages
}

// A row is one packet of a timeline.
type row struct {
	card
	Rail drawing
}

// A station is a packet with its place among the threads.
type station struct {
	entry replay.Entry
	strip strip
}

// everything is what a query says to see what lists leave out.
const everything = "1"

func (s *shelf) timelineView(ctx context.Context, query url.Values) (view, error) {
	number, err := pageOf(query)
	if err != nil {
		return view{}, err
	}
	branch, all := query.Get("branch"), query.Get("all") == everything
	stations, more, err := takePage(s.listStations(ctx, replay.Query{Branch: branch, Hidden: all}), number)
	if err != nil {
		return view{}, err
	}
	t := timeline{
		Lanes: 1, Branch: cutLine(branch, nameColumns), All: all,
		Toggle: toggleHref(timelineName, all, "branch", branch),
		Pages:  pagesOf(timelineName, number, more, "branch", branch, "all", query.Get("all")),
	}
	exhibits := make([]exhibit, len(stations))
	for i, at := range stations {
		exhibits[i] = exhibitOf(at.entry)
		t.Lanes = max(t.Lanes, at.strip.Lanes)
	}
	if err := s.checkCites(ctx, s.memory, exhibits); err != nil {
		return view{}, err
	}
	for i, x := range exhibits {
		t.Rows = append(t.Rows, row{card: s.cardOf(x), Rail: stations[i].strip.drawStrip(t.Lanes)})
	}
	t.Choice = branchChoices(t.Rows, branch, query.Get("all"))
	return view{template: "timeline", title: cmp.Or(t.Branch, "Timeline"), tab: timelineName, body: t}, nil
}

// mostChoices bounds how many branches a page names at its top.
const mostChoices = 12

// branchChoices lead to the branches that stand on a page, newest first, and back to all of them.
func branchChoices(rows []row, branch, all string) []choice {
	choices := []choice{{Text: "all branches", Href: listHref(timelineName, "all", all), Here: branch == ""}}
	if branch != "" {
		return append(choices,
			choice{
				Text: cutLine(branch, nameColumns), Href: listHref(timelineName, "branch", branch, "all", all),
				Here: true,
			})
	}
	var names []string
	for _, r := range rows {
		names = append(names, r.branch)
	}
	for _, name := range uniqueItems(names) {
		if name != "" && len(choices) <= mostChoices {
			choices = append(choices,
				choice{
					Text: cutLine(name, nameColumns),
					Href: listHref(timelineName, "branch", name, "all", all),
				})
		}
	}
	return choices
}

// listStations yields the packets that are asked for, newest first, and draws their threads. Lanes go on past
// what is left out.
func (s *shelf) listStations(ctx context.Context, q replay.Query) iter.Seq2[station, error] {
	return func(yield func(station, error) bool) {
		var threads lanes
		for e, err := range s.memory.List(ctx, replay.Query{Hidden: true}) {
			if err != nil {
				yield(station{}, err)
				return
			}
			name := e.ID.Suffix()
			shown, _ := e.Open(replay.Asked)
			parents, cut := s.parentsHere(shown)
			if e.Life.Hidden() && !q.Hidden || q.Branch != "" && shown.Packet().Anchor.Branch != q.Branch {
				threads.skipPacket(name, parents)
				continue
			}
			if !yield(station{e, threads.drawPacket(name, parents, cut)}, nil) {
				return
			}
		}
	}
}

// parentsHere are the packets that another one continues, by the lasting parts of their ids, as far as they
// come below it.
func (s *shelf) parentsHere(e replay.Shown) (below []string, cut bool) {
	for _, name := range parentsOf(e) {
		id, here := s.packetOf(name)
		if !here || id >= e.ID {
			cut = true
			continue
		}
		below = append(below, id.Suffix())
	}
	return uniqueItems(below), cut
}

// parentsOf are the packets that another one says it continues, in its own words.
func parentsOf(e replay.Shown) []string {
	return slices.DeleteFunc(append([]string{e.Packet().ParentID}, e.Packet().Parents...),
		func(id string) bool { return id == "" })
}

// uniqueItems returns a list without what stands in it again.
func uniqueItems[T comparable](list []T) []T {
	seen := make(map[T]bool, len(list))
	var kept []T
	for _, item := range list {
		if !seen[item] {
			seen[item] = true
			kept = append(kept, item)
		}
	}
	return kept
}
