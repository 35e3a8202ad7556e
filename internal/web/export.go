package web

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// Exported is what an export wrote.
type Exported struct {
	Records int
	Left    []Left // what it left out, in the order in which it came
}

// The policies of pages that are files: they load a style and an icon from their folder, and ask nobody. Not every browser counts
// one file as 'self' of another. The page with the filter runs that one script.
const (
	filePolicy   = "default-src 'none'; style-src 'self' file:; img-src 'self' file:; base-uri 'none'; form-action 'none'"
	filterPolicy = filePolicy + "; script-src 'sha256-%s'"
)

// mostSearched bounds how many records the page with the filter holds.
const mostSearched = 2000

// searchedColumns bounds what that page holds of one record.
const searchedColumns = 1200

// Export writes the pages as files into a folder, which must be new, empty, or an earlier export: then it is replaced as a whole.
// Every record is scanned on its way out, and what must not travel stays behind. The same records at the same time make the
// same bytes.
func Export(ctx context.Context, o Options, dir string) (done Exported, err error) {
	place, err := newPlace(dir)
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
	if err := shelf.choose(ctx); err != nil {
		return Exported{}, err
	}
	x := &exporter{site: newSite(o), shelf: shelf}
	if err := place.fill(func(write writer) error { return x.write(ctx, write) }); err != nil {
		return Exported{}, err
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

// write writes all pages, and what they load.
func (x *exporter) write(ctx context.Context, write writer) error {
	for _, name := range []string{styleName, iconName} {
		data, _, _ := asset(name)
		if err := write(name, data); err != nil {
			return err
		}
	}
	x.shelf.turnTo(timelineName)
	if err := each(chunks(x.shelf.stations(ctx, replay.Query{})), func(c chunk[station]) error {
		t, err := x.shelf.timeline(ctx, c.items)
		if err != nil {
			return err
		}
		t.Pages = x.shelf.pages(timelineName, c.leaf)
		return x.page(write, pageFile(timelineName, c.number), view{template: "timeline", title: "Timeline", tab: timelineName, body: t})
	}); err != nil {
		return err
	}
	for _, name := range []string{notesName, tasksName, skipsName} {
		x.shelf.turnTo(name)
		if err := each(chunks(x.shelf.entries(ctx, smallQuery(name, ""))), func(c chunk[replay.Entry]) error {
			l, err := x.shelf.listing(ctx, name, c.items)
			if err != nil {
				return err
			}
			l.Pages = x.shelf.pages(name, c.leaf)
			return x.page(write, pageFile(name, c.number), view{template: "list", title: titleOf(l.What), tab: name, body: l})
		}); err != nil {
			return err
		}
	}
	v, err := x.shelf.graphView(ctx, "")
	if err != nil {
		return err
	}
	if err := x.page(write, graphName, v); err != nil {
		return err
	}
	if err := x.records(ctx, write); err != nil {
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
	return x.page(write, searchName, view{template: "search", title: "Search", tab: searchName, body: s})
}

// page writes one page.
func (x *exporter) page(write writer, name string, v view) error {
	f := x.shelf.frame()
	f.Policy = filePolicy
	if s, ok := v.body.(search); ok {
		sum := sha256.Sum256([]byte(s.Script))
		f.Policy = fmt.Sprintf(filterPolicy, base64.StdEncoding.EncodeToString(sum[:]))
	}
	data, err := x.site.write(name, f, v)
	if err != nil {
		return err
	}
	return write(name, data)
}

// records writes a page for each record.
func (x *exporter) records(ctx context.Context, write writer) error {
	for _, kind := range kinds() {
		noted := 0
		err := each(x.shelf.entries(ctx, replay.Query{Kind: kind}), func(e replay.Entry) error {
			x.shelf.turnTo("")
			if noted++; noted <= mostSearched+1 { // More than the page with the filter holds are not asked for.
				shown := exhibitOf(e)
				f := finding{card: x.shelf.card(shown)}
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
			return x.page(write, name, v)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// each calls do for everything that a list yields.
func each[T any](list iter.Seq2[T, error], do func(T) error) error {
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
