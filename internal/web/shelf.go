package web

import (
	"context"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/scan"
)

// A shelf is the memory as pages show it: while one request is answered, or while an export is written.
type shelf struct {
	memory *memory.Memory
	rules  *scan.Rules
	now    time.Time
	export *selection           // what an export lets out; nil while pages are served, which show all
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

// turnTo makes what is told from now on lead from the page of a name.
func (s *shelf) turnTo(name string) { s.root = strings.Repeat("../", strings.Count(name, "/")) }

// frame is what stands around the pages of this memory.
func (s *shelf) frame() frame {
	f := frame{Name: s.name(), Root: s.root, Branch: s.public(s.memory.Repo().Head.Branch)}
	f.Tabs = []tab{
		{Text: "Timeline", Href: timelineName},
		{Text: "Graph", Href: graphName},
		{Text: "Notes", Href: notesName},
		{Text: "Tasks", Href: tasksName},
		{Text: "Skips", Href: skipsName},
	}
	if s.export != nil {
		f.Static, f.Branch = true, ""
		f.Tabs = append(f.Tabs, tab{Text: "Search", Href: searchName})
		f.AsOf = s.now.Format("2 January 2006, 15:04 MST")
	}
	return f
}

// name is what the memory is called: as the folder of the repository is.
func (s *shelf) name() string {
	if s.memory.IsUser() {
		return "Your memory"
	}
	repo := s.memory.Repo()
	dir := repo.WorkTree
	if dir == "" {
		dir = strings.TrimSuffix(strings.TrimSuffix(repo.CommonDir, ".git"), string(filepath.Separator))
	}
	return s.public(filepath.Base(dir))
}

// public is a name from outside of the records, such as that of a branch, without the secrets that somebody may have put there.
func (s *shelf) public(text string) string { return s.rules.Public(clean.Line(s.rules.Public(text))) }

// lets tells whether pages may speak of a record.
func (s *shelf) lets(e replay.Entry) bool { return s.export == nil || s.export.holds(e) }

// href leads to the page of a record; nothing where there is none.
func (s *shelf) href(id packet.ID) string {
	if s.export != nil && !s.export.has(id) {
		return ""
	}
	return s.root + recordsPath + string(id) + pageSuffix
}
