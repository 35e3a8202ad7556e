package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Exported is what an export wrote.
type Exported struct {
	Records int
	Left    []Left // what it left out, in the order in which it came
}

// The policies of pages that are files: they load a style and an icon from their folder, and ask nobody. Not
// every browser counts one file as 'self' of another. The page with the filter runs that one script.
const (
	filePolicy = "default-src 'none'; style-src 'self' file:; img-src 'self' file:; base-uri 'none'; " +
		"form-action 'none'"
	filterPolicy = filePolicy + "; script-src 'sha256-%s'"
)

// mostSearched bounds how many records the page with the filter holds.
const mostSearched = 2000

// searchedColumns bounds what that page holds of one record.
const searchedColumns = 1200

// Export writes the pages as files into a folder, which must be new, empty, or an earlier export: then it is
// replaced as a whole. Every record is scanned on its way out, and what must not travel stays behind. The
// same records at the same time make the same bytes.
func Export(ctx context.Context, o Options, dir string) (done Exported, err error) {
	dir, err = checkFolder(dir)
	if err != nil {
		return Exported{}, err
	}
	m, err := o.Open(ctx)
	if err != nil {
		return Exported{}, err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	shelf, err := newShelf(ctx, m, o.Now().UTC())
	if err != nil {
		return Exported{}, err
	}
	if err := shelf.chooseRecords(ctx); err != nil {
		return Exported{}, err
	}
	x := &exporter{site: newSite(o), shelf: shelf}
	// The folder is filled beside the place, and put there when it is whole.
	if err := local.Beside(dir, func(fresh string) error {
		return writeFresh(fresh, func(write writer) error { return x.writeAll(ctx, write) })
	}); err != nil {
		return Exported{}, fmt.Errorf("write pages: %w", err)
	}
	return Exported{Records: len(shelf.export.sums), Left: shelf.export.left}, nil
}

// A writer keeps a file under a name with slashes.
type writer func(name string, data []byte) error

// An exporter writes one page after another.
type exporter struct {
	site  *site
	shelf *shelf
	found []finding
}

// A finding is a record on the page with the filter.
type finding struct {
	card
	Text string // the rest of what it says
}

// search is the page with the filter.
type search struct {
	Found  []finding
	More   bool
	Script markup // this package's own
}

// writeAll writes all pages, and what they load.
func (x *exporter) writeAll(ctx context.Context, write writer) error {
	for _, name := range []string{styleName, iconName} {
		data, _, _ := asset(name)
		if err := write(name, data); err != nil {
			return err
		}
	}
	err := exportList(x, write, timelineName, x.shelf.listStations(ctx, replay.Query{}),
		func(items []station, p pages) (view, error) {
			t, err := x.shelf.timelineOf(ctx, items)
			t.Pages = p
			return view{template: "timeline", title: "Timeline", tab: timelineName, body: t}, err
		})
	if err != nil {
		return err
	}
	for _, name := range []string{notesName, tasksName, skipsName} {
		err := exportList(x, write, name, x.shelf.listEntries(ctx, smallQuery(name, "")),
			func(items []replay.Entry, p pages) (view, error) {
				l, err := x.shelf.listingOf(ctx, name, items)
				l.Pages = p
				return view{template: "list", title: titleOf(strings.TrimSuffix(name, pageSuffix)), tab: name, body: l}, err
			})
		if err != nil {
			return err
		}
	}
	v, err := x.shelf.graphView(ctx, "")
	if err != nil {
		return err
	}
	if err := x.writePage(write, graphName, v); err != nil {
		return err
	}
	if err := x.writeRecords(ctx, write); err != nil {
		return err
	}
	x.shelf.turnTo(searchName)
	script, err := files.ReadFile("files/filter.js")
	if err != nil {
		return fmt.Errorf("read filter: %w", err)
	}
	slices.SortStableFunc(x.found, func(a, b finding) int { return strings.Compare(b.ID, a.ID) })
	s := search{Found: x.found, More: len(x.found) > mostSearched, Script: markup(script)}
	s.Found = s.Found[:min(len(s.Found), mostSearched)]
	return x.writePage(write, searchName, view{template: "search", title: "Search", tab: searchName, body: s})
}

// exportList writes the pages of a list.
func exportList[T any](x *exporter, write writer, name string, list iter.Seq2[T, error],
	show func(items []T, p pages) (view, error),
) error {
	x.shelf.turnTo(name)
	return eachItem(eachPage(list), func(c chunk[T]) error {
		v, err := show(c.items, x.shelf.pagesOf(name, c.number, c.more))
		if err != nil {
			return err
		}
		return x.writePage(write, pageFile(name, c.number), v)
	})
}

// writePage writes one page.
func (x *exporter) writePage(write writer, name string, v view) error {
	f := x.shelf.frameOf()
	f.Policy = filePolicy
	if s, ok := v.body.(search); ok {
		sum := sha256.Sum256([]byte(s.Script))
		f.Policy = fmt.Sprintf(filterPolicy, base64.StdEncoding.EncodeToString(sum[:]))
	}
	data, err := x.site.fillTemplate(name, f, v)
	if err != nil {
		return err
	}
	return write(name, data)
}

// writeRecords writes a page for each record.
func (x *exporter) writeRecords(ctx context.Context, write writer) error {
	for _, kind := range shownKinds() {
		noted := 0
		err := eachItem(x.shelf.listEntries(ctx, replay.Query{Kind: kind}), func(e replay.Entry) error {
			x.shelf.turnTo("")
			// More than the page with the filter holds are not asked for.
			if noted++; noted <= mostSearched+1 {
				shown := exhibitOf(e)
				f := finding{card: x.shelf.cardOf(shown)}
				for _, i := range shown.content.Items {
					if i.Kind != packet.ItemGoal && i.Kind != packet.ItemNext {
						f.Text += i.Text + " " + i.Why + " · "
					}
				}
				f.Text = clean.Truncate(clean.Line(f.Text), searchedColumns)
				x.found = append(x.found, f)
			}
			name := x.shelf.href(e.ID)
			x.shelf.turnTo(name)
			v, err := x.shelf.recordOf(ctx, x.shelf.memory, e)
			if err != nil {
				return err
			}
			return x.writePage(write, name, v)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachItem calls do for everything that a list yields.
func eachItem[T any](list iter.Seq2[T, error], do func(T) error) error {
	for item, err := range list {
		if err == nil {
			err = do(item)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ErrOccupied says that a folder holds something else than an earlier export, which would be lost.
var ErrOccupied = errors.New("it holds what is not of an earlier export")

// manifestName is the file that lists an export, and by which it is known.
const manifestName = "git-ltm-pages.txt"

// manifestHead is its first line.
const manifestHead = "Pages that git ltm web --export wrote. It replaces these files as a whole:"

// The modes of folders and files: what a memory says is its owner's to hand on.
const (
	folderMode = 0o700
	fileMode   = 0o600
)

// checkFolder makes sure that nothing is lost where an export goes to a folder, and returns its full path.
func checkFolder(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("write pages: %w", err)
	}
	strange := ""
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return dir, nil
	case err == nil && !info.IsDir():
		err = ErrOccupied
	case err == nil:
		if strange, err = findStrange(dir); strange != "" && err == nil {
			err = fmt.Errorf("%w: %s", ErrOccupied, strange)
		}
	}
	if err != nil {
		return "", fmt.Errorf("write pages: %q: %w", dir, err)
	}
	return dir, nil
}

// findStrange returns the first thing in a folder that its manifest does not list. A link is strange wherever
// it leads.
func findStrange(dir string) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }()
	manifest, err := root.ReadFile(manifestName)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return manifestName, nil
	}
	lines := strings.Split(string(manifest), "\n")
	if lines[0] != manifestHead {
		lines = nil
	}
	listed := make(map[string]bool, len(lines))
	for _, name := range lines {
		for ; name != "" && name != "."; name = path.Dir(name) {
			listed[name] = true
		}
	}
	found := ""
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		ours := listed[name] || name == manifestName && len(lines) > 0
		if err == nil && name != "." && (!ours || d.Type()&fs.ModeType&^fs.ModeDir != 0) {
			found = name
			return fs.SkipAll
		}
		return err
	})
	return found, err
}

// writeFresh fills a new folder, and lists in it what it holds.
func writeFresh(fresh string, fill func(writer) error) (err error) {
	if err := os.Mkdir(fresh, folderMode); err != nil {
		return fmt.Errorf("write pages: %w", err)
	}
	root, err := os.OpenRoot(fresh)
	if err != nil {
		return fmt.Errorf("write pages: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	var names []string
	err = fill(func(name string, data []byte) error {
		if err := root.MkdirAll(path.Dir(name), folderMode); err != nil {
			return fmt.Errorf("write pages: %w", err)
		}
		names = append(names, name)
		if err := root.WriteFile(name, data, fileMode); err != nil {
			return fmt.Errorf("write pages: %w", err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(names)
	var manifest bytes.Buffer
	manifest.WriteString(manifestHead + "\n" + strings.Join(names, "\n") + "\n")
	return root.WriteFile(manifestName, manifest.Bytes(), fileMode)
}

// A selection is what an export lets out: what the gate gave, byte for byte, and nothing that came after it.
type selection struct {
	sums     map[packet.ID][sha256.Size]byte
	about    map[packet.ID][]replay.Shown // the events about a record, oldest first
	packets  map[packet.ID]replay.Shown
	children map[string][]replay.Shown // what continues a packet, newest first, by the lasting part of its id
	left     []Left
}

// Left is a record that an export leaves out.
type Left struct {
	Kind   packet.Kind
	ID     packet.ID
	Why    string // the rule and the place of a secret, or why it is withheld; never the secret
	Secret bool
}

// has tells whether a record goes out.
func (s *selection) has(id packet.ID) bool { _, ok := s.sums[id]; return ok }

// holdsBytes tells whether these very bytes go out under their name.
func (s *selection) holdsBytes(e replay.Entry) bool {
	sum, ok := s.sums[e.ID]
	return ok && sum == e.Sum()
}

// chooseRecords asks the gate for everything that may go out, as an export of records does, and for the
// events about it.
func (s *shelf) chooseRecords(ctx context.Context) error {
	c := &selection{
		sums: map[packet.ID][sha256.Size]byte{}, about: map[packet.ID][]replay.Shown{},
		children: map[string][]replay.Shown{},
		packets:  map[packet.ID]replay.Shown{},
	}
	s.known = map[string]packet.ID{}
	var packets []replay.Shown
	for _, kind := range append(shownKinds(), packet.KindEvent) {
		q := replay.Query{Kind: kind, Hidden: kind == packet.KindEvent}
		for g, err := range s.memory.Give(ctx, q, replay.Shared) {
			if err != nil {
				return err
			}
			if !c.takeGiven(g) {
				continue
			}
			switch kind {
			case packet.KindEvent:
				c.noteEvent(g.Shown)
			case packet.KindPacket:
				s.known[g.ID.Suffix()] = g.ID
				packets = append(packets, g.Shown)
				c.packets[g.ID] = g.Shown
			default:
			}
		}
	}
	for _, e := range slices.Backward(packets) {
		parents, _ := s.parentsHere(e)
		for _, parent := range parents {
			if len(c.children[parent]) < mostBefore {
				c.children[parent] = append(c.children[parent], e)
			}
		}
	}
	s.export = c
	return nil
}

// takeGiven notes a record that goes out, or why it does not.
func (s *selection) takeGiven(g replay.Given) bool {
	if g.Kept == "" && len(g.Findings) == 0 {
		s.sums[g.ID] = g.Sum()
		return true
	}
	left := Left{Kind: g.Kind(), ID: g.ID, Why: clean.Line(g.Kept)}
	if left.Why == "" {
		left.Why, left.Secret = clean.Line(g.Findings[0].String()), true
	}
	s.left = append(s.left, left)
	return false
}

// noteEvent notes an event with the records that it speaks of.
func (s *selection) noteEvent(e replay.Shown) {
	delete(s.sums, e.ID) // It has no page of its own.
	for _, target := range e.Event().Targets {
		if id, err := packet.ParseID(target); err == nil && s.has(id) {
			s.about[id] = append(s.about[id], e)
		}
	}
}

// textFor is a text that may stand in an event about a record, with who wrote it where that is not the
// author. An export says it where such an event goes out: one that is private, or that the gate keeps, is
// silent.
func (s *shelf) textFor(t provenance.Text, of exhibit) string {
	text, _ := t.For(replay.Asked)
	if text == "" || s.export != nil && !s.export.goesOutWith(of.ID, t.Origin().ID) {
		return ""
	}
	if by := t.ByOther(of.Origin()); by != "" {
		text += " (" + by + ")"
	}
	return text
}

// goesOutWith tells whether a record goes out that holds a text about another one.
func (s *selection) goesOutWith(of, holder packet.ID) bool {
	return holder == of ||
		slices.ContainsFunc(s.about[of], func(e replay.Shown) bool { return e.ID == holder })
}

// maySay tells whether pages may say that an event set a record in relation to another.
func (s *shelf) maySay(other packet.ID) bool { return s.export == nil || s.export.has(other) }
