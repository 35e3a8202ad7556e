package web

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
)

// files are the templates of the pages, their style, their icon and the filter of an export.
//
//go:embed files
var files embed.FS

// The pages that lists lead to. The page of a record lies below records/.
const (
	timelineName = "index.html"
	graphName    = "graph.html"
	notesName    = "notes.html"
	tasksName    = "tasks.html"
	skipsName    = "skips.html"
	recallName   = "recall.html"
	searchName   = "search.html"
	styleName    = "style.css"
	iconName     = "icon.svg"
	recordsPath  = "records/"
	pageSuffix   = ".html"
)

// A site makes pages.
type site struct {
	opts      Options
	templates func() (templates, error) // parses them when they are first asked for
}

func newSite(o Options) *site {
	return &site{opts: o, templates: sync.OnceValues(func() (templates, error) { return parseTemplates(files, "files/*.html") })}
}

// asset returns a file that pages load.
func asset(name string) (data []byte, kind string, ok bool) {
	switch name {
	case styleName:
		kind = "text/css; charset=utf-8"
	case iconName:
		kind = "image/svg+xml"
	default:
		return nil, "", false
	}
	data, err := files.ReadFile("files/" + name)
	return data, kind, err == nil
}

// A view is what one page shows.
type view struct {
	template string // required: which template shows it
	title    string // required
	tab      string // the name of the list that it belongs to; empty for none
	question string // what stands in the box of recall
	body     any
}

// page makes the page of a name, from the memory as it is now.
func (s *site) page(ctx context.Context, name string, query url.Values) (page []byte, err error) {
	m, err := s.opts.Open(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	shelf, err := newShelf(ctx, m, s.opts.Now())
	if err != nil {
		return nil, err
	}
	shelf.turnTo(name)
	v, err := shelf.view(ctx, name, query)
	if err != nil {
		return nil, err
	}
	return s.write(name, shelf.frame(), v)
}

// failure makes the page that says why there is none, so many folders below the top.
func (s *site) failure(depth int, title, why string) ([]byte, error) {
	v := view{template: "message", title: title, body: message{Text: why}}
	return s.write("failure", frame{Name: "Memory", Root: strings.Repeat("../", depth)}, v)
}

// message is a page of a few words.
type message struct{ Text string }

// frame is what stands around every page.
type frame struct {
	Title  string
	Name   string // of the memory
	Branch string // the one that is checked out
	Root   string // leads from the page to the top of the site
	Tabs   []tab
	Static bool   // it is a file, and nobody answers questions
	Policy string // what a browser may do, of a file
	AsOf   string // when it was made, of a file

	Question string
	Body     any
}

// tab leads to one of the lists.
type tab struct {
	Text, Href string
	Here       bool
}

// write fills in the template of a view.
func (s *site) write(name string, f frame, v view) ([]byte, error) {
	all, err := s.templates()
	if err != nil {
		return nil, fmt.Errorf("read templates: %w", err)
	}
	f.Title, f.Body, f.Question = v.title, v.body, v.question
	for i := range f.Tabs {
		f.Tabs[i].Here = f.Tabs[i].Href == v.tab
	}
	page, err := all.write(v.template, f)
	if err != nil {
		return nil, fmt.Errorf("write page %q: %w", name, err)
	}
	return page, nil
}

// view finds out what the page of a name shows.
func (s *shelf) view(ctx context.Context, name string, query url.Values) (view, error) {
	if id, ok := strings.CutPrefix(name, recordsPath); ok {
		return s.recordView(ctx, strings.TrimSuffix(id, pageSuffix))
	}
	switch name {
	case "", timelineName:
		return s.timelineView(ctx, query)
	case graphName:
		return s.graphView(ctx, query.Get("around"))
	case notesName, tasksName, skipsName:
		return s.smallView(ctx, name, query)
	case recallName:
		return s.recallView(ctx, query.Get("q"))
	default:
		return view{}, errNoPage
	}
}
