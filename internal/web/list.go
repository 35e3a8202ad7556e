package web

import (
	"cmp"
	"context"
	"iter"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// listing is a page of packets, notes, tasks or skips, newest first.
type listing struct {
	Branch  string // whose timeline it is, where it is narrowed to one
	Lead    string
	Cards   []listed
	Choices []choice // branches of packets, kinds of notes
	Of      string   // what the choices are
	All     bool
	Toggle  string
	Empty   string // what is said where there is none
	Pages   pages
}

// A listed is a record with what its list tells beside it.
type listed struct {
	card
	Status   string // of a task, as are the following
	Class    string
	Category string
	Priority int
	About    []field // what a packet continues, and what a skip is about
}

// A list is a page of records of one sort.
type list struct {
	name, title string
	lead        string
	query       replay.Query
}

// lists are those that lead to all records.
func lists() []list {
	return []list{
		{timelineName, "Timeline", "", replay.Query{Kind: packet.KindPacket}},
		{
			notesName, "Notes",
			"Small facts that outlive a session: decisions, pitfalls, preferences, ways of doing things.",
			replay.Query{Kind: packet.KindNote, Notes: noteKinds()},
		},
		{
			tasksName, "Tasks", "What is to be done, as later events left it.",
			replay.Query{Kind: packet.KindNote, Notes: []string{packet.NoteTask}},
		},
		{
			skipsName, "Skips", "What not to do for a while. Agents are warned before they do it again.",
			replay.Query{Kind: packet.KindSkip},
		},
	}
}

// holds tells whether a record stands on a list.
func (l list) holds(x exhibit) bool {
	return x.Kind() == l.query.Kind && (len(l.query.Notes) == 0 || slices.Contains(l.query.Notes, x.Note().Kind))
}

// A choice narrows a list.
type choice struct {
	Text, Href string
	Here       bool
}

// A field is a short text and what it is.
type field struct{ Name, Text string }

// everything is what a query says to see what lists leave out.
const everything = "1"

func (s *shelf) listView(ctx context.Context, of list, query url.Values) (view, error) {
	number, err := pageOf(query)
	if err != nil {
		return view{}, err
	}
	l := listing{All: query.Get("all") == everything, Empty: "There are none here.", Lead: of.lead}
	name, q, narrow := of.name, of.query, "kind"
	if name == timelineName {
		narrow = "branch"
	}
	to := query.Get(narrow)
	switch {
	case name == timelineName:
		q.Branch = to
	case name == notesName && slices.Contains(noteKinds(), to):
		q.Notes = []string{to}
	}
	q.Hidden = l.All
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
	l.Toggle = toggleHref(name, l.All, narrow, to)
	l.Pages = pagesOf(name, number, more, narrow, to, "all", query.Get("all"))
	switch name {
	case timelineName:
		l.Branch, l.Of = cutLine(to, nameColumns), "Branches"
		l.Choices = branchChoices(exhibits, to, query.Get("all"))
		l.Empty = "There is no packet here yet. 'git ltm save' stores one, and 'git ltm sync' brings those of a " +
			"remote."
	case notesName:
		l.Choices, l.Of = kindChoices(name, to), "Kinds of notes"
	}
	for _, x := range exhibits {
		c := listed{card: s.cardOf(x)}
		switch {
		case x.withheld != "":
		case x.Kind() == packet.KindPacket:
			c.Kind = "" // The page says it.
			continues := ""
			for _, parent := range s.parentsHere(x.Shown) {
				continues += briefing.ShortID(parent) + " "
			}
			if continues != "" {
				c.About = []field{{"Continues", strings.TrimSpace(continues)}}
			}
		case x.Kind() == packet.KindSkip:
			c.About = matchFields(x.Skip().Match)
		case x.Note().Kind == packet.NoteTask:
			task := x.Task()
			c.Category, c.Priority = strings.ReplaceAll(clean.Line(task.Category), "_", " "), task.Priority
			c.Status, c.Class = statusOf(task)
		}
		l.Cards = append(l.Cards, c)
	}
	if number > 1 {
		l.Empty = "There is nothing further back."
	}
	return view{template: "list", title: cmp.Or(l.Branch, of.title), tab: name, body: l}, nil
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
	Many         bool // there are more than this one
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
	p := pages{Number: number, Many: number > 1 || more}
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

// mostChoices bounds how many branches a page names at its top.
const mostChoices = 12

// branchChoices lead to the branches that stand on a page, newest first, and back to all of them.
func branchChoices(page []exhibit, branch, all string) []choice {
	choices := []choice{{Text: "all branches", Href: listHref(timelineName, "all", all), Here: branch == ""}}
	var names []string
	for _, x := range page {
		name := x.content.Anchor.Branch
		if name != "" && !slices.Contains(names, name) && len(names) < mostChoices {
			names = append(names, name)
		}
	}
	if branch != "" {
		names = []string{branch}
	}
	for _, name := range names {
		choices = append(choices, choice{
			Text: cutLine(name, nameColumns), Href: listHref(timelineName, "branch", name, "all", all),
			Here: name == branch,
		})
	}
	return choices
}

// parentsHere are the packets that another one continues, as far as they are here and come below it.
func (s *shelf) parentsHere(e replay.Shown) (below []packet.ID) {
	for _, name := range parentsOf(e) {
		if id, here := s.packetOf(name); here && id < e.ID && !slices.Contains(below, id) {
			below = append(below, id)
		}
	}
	return below
}

// parentsOf are the packets that another one says it continues, in its own words.
func parentsOf(e replay.Shown) []string {
	return slices.DeleteFunc(append([]string{e.Packet().ParentID}, e.Packet().Parents...),
		func(id string) bool { return id == "" })
}
