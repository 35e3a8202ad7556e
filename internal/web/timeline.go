package web

import (
	"cmp"
	"context"
	"iter"
	"net/url"
	"slices"

	"github.com/git-ltm/git-ltm/internal/replay"
)

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
