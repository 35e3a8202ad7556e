package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
)

// read reads the newest records through the gate of the memory: the index knows neither who vouches for one nor what it cites.
func (c *counter) read(ctx context.Context) error {
	var citing []memory.Shown
	tasks, looked := 0, 0 // A record may name files and cite none.
	for i, one := range c.list {
		task := one.live && one.kind == packet.NoteTask && tasks < figureRead
		cites := one.live && one.cites && len(citing) < figureCited && looked < 2*figureCited
		if i >= figureRead && !task && !cites {
			continue
		}
		e, err := c.glance.Read(ctx, one.ref)
		if memory.IsUnreadable(err) {
			continue
		}
		if err != nil {
			return err
		}
		shown, why := e.Open(memory.Asked)
		if i < figureRead {
			c.vouched(shown)
		}
		if task && why == "" {
			tasks++
			c.Tasks[cmp.Or(shown.Task().Status, "active")]++
		}
		if cites {
			looked++
		}
		if cites && len(shown.Content().Cites) > 0 {
			citing = append(citing, shown)
		}
	}
	return c.places(ctx, citing)
}

// vouched counts who vouches for a record, and whether its author overrode the scan.
func (c *counter) vouched(e memory.Shown) {
	c.Read++
	if e.Signed || len(e.Endorsers) > 0 {
		c.Signed++
	} else {
		c.Unsigned++
	}
	if len(e.Packet().Scan.Overridden) > 0 {
		c.Overridden++
	}
	c.Local.Standings[string(e.Verdict.Standing)]++
}

// places counts how the places are now that some records cite.
func (c *counter) places(ctx context.Context, citing []memory.Shown) error {
	c.Local.Citing = len(citing)
	all, err := c.recall.memory.Cited(ctx, citing)
	if err != nil {
		return err
	}
	for _, one := range all {
		for _, cited := range one {
			c.Local.Places[string(cited.State)]++
		}
	}
	return nil
}

// byName are the records that have each name, newest first.
type byName map[string][]string

func (n byName) add(name, ref string) {
	name = clean.Line(name)
	n[name] = append(n[name], ref)
}

// most returns the names that most records have. One that stands in no record that may be read is not told.
func (c *counter) most(ctx context.Context, all byName) ([]Named, error) {
	list := make([]Named, 0, len(all))
	for name, refs := range all {
		list = append(list, Named{name, len(refs)})
	}
	slices.SortFunc(list, func(a, b Named) int {
		return cmp.Or(cmp.Compare(b.Records, a.Records), strings.Compare(a.Name, b.Name))
	})
	list = list[:min(len(list), figureNames)]
	for i := range list {
		ok, err := c.tellable(ctx, all[list[i].Name])
		if err != nil {
			return nil, err
		}
		if !ok {
			list[i].Name = "(withheld)"
		}
	}
	return list, nil
}

// tellable tells whether one of some records is not withheld.
func (c *counter) tellable(ctx context.Context, refs []string) (bool, error) {
	for _, ref := range refs {
		e, err := c.glance.Read(ctx, ref)
		if err != nil && !memory.IsUnreadable(err) {
			return false, err
		}
		if err == nil && e.Withheld(memory.Asked) == "" {
			return true, nil
		}
	}
	return false, nil
}

// writer is who made a record, in its own words.
func writer(h index.Hit) string {
	return provenance.By(packet.Provenance{AuthorHuman: h.Author, Agent: h.Agent, Model: h.Model})
}
