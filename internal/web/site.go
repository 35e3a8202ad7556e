package web

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/recall"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// files are the templates of the pages, their style and their icon.
//
//go:embed files
var files embed.FS

// The pages that lists lead to. The page of a record lies below records/.
const (
	timelineName = "index.html"
	notesName    = "notes.html"
	tasksName    = "tasks.html"
	skipsName    = "skips.html"
	recallName   = "recall.html"
	styleName    = "style.css"
	iconName     = "icon.svg"
	recordsPath  = "records/"
	pageSuffix   = ".html"
)

// A site answers requests that the guard let in. One page is made at a time: a memory is not for several at once.
type site struct {
	opts      Options
	turn      chan struct{}             // holds one, for who has the turn
	templates func() (templates, error) // parses them when they are first asked for
}

// readAsset returns a file that pages load.
func readAsset(name string) (data []byte, kind string, ok bool) {
	if kind = map[string]string{styleName: "text/css; charset=utf-8", iconName: "image/svg+xml"}[name]; kind == "" {
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
	shelf.root = strings.Repeat("../", strings.Count(name, "/")) // What is told leads from the page.
	v, err := shelf.viewOf(ctx, name, query)
	if err != nil {
		return nil, err
	}
	return s.fillTemplate(name, shelf.frameOf(), v)
}

// message is a page of a few words.
type message struct{ Text string }

// frame is what stands around every page.
type frame struct {
	Title  string
	Name   string   // of the memory
	Branch string   // the one that is checked out
	Root   string   // leads from the page to the top of the site
	Tabs   []choice // lead to the lists

	Question string
	Body     any
}

// fillTemplate fills in the template of a view.
func (s *site) fillTemplate(name string, f frame, v view) ([]byte, error) {
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

// viewOf finds out what the page of a name shows.
func (s *shelf) viewOf(ctx context.Context, name string, query url.Values) (view, error) {
	if id, ok := strings.CutPrefix(name, recordsPath); ok {
		return s.recordView(ctx, strings.TrimSuffix(id, pageSuffix))
	}
	switch name {
	case "":
		return s.listView(ctx, timelineName, query)
	case timelineName, notesName, tasksName, skipsName:
		return s.listView(ctx, name, query)
	case recallName:
		return s.recallView(ctx, query.Get("q"))
	default:
		return view{}, errNoPage
	}
}

// A shelf is the memory as pages show it: while one request is answered.
type shelf struct {
	memory *memory.Memory
	rules  *scan.Rules
	now    time.Time
	known  map[string]packet.ID // the packets that are here, by the lasting parts of their ids
	root   string               // leads from the page that is made to the top of the site
}

func newShelf(ctx context.Context, m *memory.Memory, now time.Time) (*shelf, error) {
	s := &shelf{memory: m, now: now, known: map[string]packet.ID{}}
	var err error
	if s.rules, err = m.Rules(ctx); err != nil {
		return nil, err
	}
	listed, err := m.Source().Listing(ctx)
	if err != nil {
		return nil, err
	}
	for _, l := range listed {
		folder, id := path.Split(l.Name)
		if known, err := packet.ParseID(id); err == nil && path.Base(folder) == "packets" {
			s.known[known.Suffix()] = known
		}
	}
	return s, nil
}

// packetOf returns the packet that another one names, by its id or by an id that it brought along.
func (s *shelf) packetOf(name string) (packet.ID, bool) {
	if id, err := packet.ParseID(name); err == nil {
		known, ok := s.known[id.Suffix()]
		return known, ok && known == id
	}
	id, ok := s.known[packet.DerivedSuffix(name)]
	return id, ok
}

// frameOf is what stands around the pages of this memory.
func (s *shelf) frameOf() frame {
	f := frame{Name: s.memoryName(), Root: s.root, Branch: s.publicText(s.memory.Repo().Head.Branch)}
	f.Tabs = []choice{
		{Text: "Timeline", Href: timelineName},
		{Text: "Notes", Href: notesName},
		{Text: "Tasks", Href: tasksName},
		{Text: "Skips", Href: skipsName},
	}
	return f
}

// memoryName is what the memory is called: as the folder of the repository is.
func (s *shelf) memoryName() string {
	if s.memory.IsUser() {
		return "Your memory"
	}
	repo := s.memory.Repo()
	dir := repo.WorkTree
	if dir == "" {
		dir = strings.TrimSuffix(strings.TrimSuffix(repo.CommonDir, ".git"), string(filepath.Separator))
	}
	return s.publicText(filepath.Base(dir))
}

// publicText is a name from outside of the records, such as that of a branch, without the secrets that
// somebody may have put there.
func (s *shelf) publicText(text string) string {
	return s.rules.Public(clean.Line(s.rules.Public(text)))
}

// href leads to the page of a record.
func (s *shelf) href(id packet.ID) string { return s.root + recordsPath + string(id) + pageSuffix }

// The bounds of a question.
const (
	mostAsked   = 400 // characters of it
	mostAnswers = 25
	mostOut     = 5 // of what a gate kept out
)

// answer is a page of what is known about some words.
type answer struct {
	Asked   bool
	Results []result
	More    int
	Out     []out
}

// A result is one thing that a record says, and why it is an answer.
type result struct {
	card
	What  string // the kind of the thing: decision, attempt, pitfall, ...
	Why   string
	Met   string // the words of the question that it meets
	Score int    // of 100
}

// An out is a record that nearly was an answer.
type out struct{ Short, Href, Why string }

// recallView asks the memory. A page counts no use of what it shows: only who reads a record to work with it
// uses it.
func (s *shelf) recallView(ctx context.Context, question string) (v view, err error) {
	question = cutLine(question, mostAsked)
	v = view{template: "recall", title: "Recall", tab: recallName, question: question, body: answer{}}
	if !strings.ContainsFunc(question, func(c rune) bool {
		return unicode.IsLetter(c) || unicode.IsNumber(c)
	}) {
		return v, nil
	}
	r := recall.Open(ctx, s.memory, recall.Options{Now: func() time.Time { return s.now }})
	defer func() { err = errors.Join(err, r.Close()) }()
	found, err := r.Find(ctx, recall.Query{Query: index.Query{Text: question, Limit: mostAnswers}})
	if err != nil {
		return v, err
	}
	told := r.Tell(found, replay.Asked)
	a := answer{Asked: true, More: told.More}
	for i, k := range told.Known {
		a.Results = append(a.Results, s.resultOf(k, found.Found[i]))
	}
	for _, o := range found.Out[:min(len(found.Out), mostOut)] {
		id := packet.ID(o.Hit.ID)
		a.Out = append(a.Out, out{briefing.ShortID(id), s.href(id), s.publicText(o.Why)})
	}
	v.body = a
	return v, nil
}

// resultOf is one answer as the page shows it.
func (s *shelf) resultOf(k briefing.Ranked, f recall.Found) result {
	x := exhibit{Shown: f.Entry, content: f.Entry.Content(), cites: f.Cites}
	text, _ := k.Text.For(replay.Asked)
	why, _ := k.Why.For(replay.Asked)
	r := result{
		card: s.cardOf(x), What: strings.ReplaceAll(clean.Line(k.Kind), "_", " "),
		Why:   cutLine(strings.ReplaceAll(why, "\n", " · "), titleColumns+secondColumns),
		Score: min(100, int(k.Score*100+0.5)),
	}
	r.Title = cutLine(text, titleColumns+secondColumns)
	var met []string
	for _, word := range k.Met {
		met = append(met, clean.Line(word))
	}
	slices.Sort(met)
	r.Met = strings.Join(slices.Compact(met), ", ")
	if f.Item.Locked {
		r.Marks = append([]mark{{plain, "locked", "it is not to be reopened"}}, r.Marks...)
	}
	if f.Item.Failed {
		r.Marks = append([]mark{{bad, "did not work", ""}}, r.Marks...)
	}
	return r
}
