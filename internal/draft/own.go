package draft

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/view"
)

// mostListed is how many drafts of one user are shown to sessions, and met by what they do.
const mostListed = 50

// Listed names the drafts that this user keeps here, the one that was kept last first, without a look at the
// refs. In a shared clone those of others are not among them.
func (b *Box) Listed() []view.Drafted { return view.Drafts(b.opts.Repo.Local()) }

// Own returns the first few of those drafts that are wanted, as long as they are what the user kept. Each is
// scanned once more: one in which the scan finds something now is left out, and a scan that cannot run is an
// error.
func (b *Box) Own(ctx context.Context, most int, wanted func(view.Drafted) bool) ([]Draft, error) {
	list := slices.DeleteFunc(b.Listed(), func(d view.Drafted) bool { return !wanted(d) })
	if len(list) == 0 || b.opts.Reader.IsUser() {
		return nil, nil
	}
	here, err := b.opts.Store.Drafts(ctx)
	rules, failed := b.opts.Rules.Rules(ctx)
	if err := cmp.Or(err, failed); err != nil {
		return nil, err
	}
	var all []Draft
	for _, at := range list {
		place := refs.Draft{ID: packet.ID(at.ID), Object: at.Object}
		if len(all) == most || !slices.Contains(here, place) {
			continue
		}
		d, err := b.readDraft(ctx, place)
		if err != nil {
			continue // 'git ltm doctor' says what is wrong with it.
		}
		found, err := rules.Scan(d.data)
		if err != nil {
			return nil, err
		}
		if len(redact.Blocking(found)) == 0 {
			d.from = &provenance.Origin{
				ID: d.ID, Author: d.Record.Packet().Provenance, How: provenance.Transcript,
				Reach: provenance.Automatically,
			}
			all = append(all, d)
		}
	}
	return all, nil
}

// Text seals a text of a draft as one from a transcript. Of a draft that [Box.Own] did not return, it reaches
// nobody.
func (d Draft) Text(text string) provenance.Text { return provenance.Of(text, d.from) }

// Note changes what is kept about some of those drafts beside them.
func (b *Box) Note(ctx context.Context, ids []string, change func(*view.Drafted)) error {
	return b.updateList(ctx, func(all []view.Drafted) []view.Drafted {
		for i := range all {
			if slices.Contains(ids, all[i].ID) {
				change(&all[i])
			}
		}
		return all
	})
}

// Settle notes in the drafts of earlier sessions which commands that failed there worked since: some actions,
// of a session that ended at a time. Nothing is shown and nothing met of them from then on. A draft that
// another process replaces meanwhile stays as that wrote it.
func (b *Box) Settle(ctx context.Context, ended time.Time, worked []deadend.Action) error {
	deeds, traits := make([]deadend.Deed, len(worked)), make([]deadend.Traits, len(worked))
	for i, action := range worked {
		deeds[i] = action.Read()
		traits[i] = deeds[i].Traits()
	}
	all, err := b.Own(ctx, mostListed, func(d view.Drafted) bool { return slices.ContainsFunc(traits, d.MayMeet) })
	if err != nil || len(all) == 0 {
		return err
	}
	rules, err := b.opts.Rules.Rules(ctx)
	if err != nil {
		return err
	}
	for _, d := range all {
		if settled, err := d.settle(deeds); err != nil || !settled || !d.Ended.Before(ended) {
			continue
		}
		data, passed, err := d.formOf(d.Record).passScan(rules)
		if err != nil {
			return err
		}
		made, err := b.opts.Store.WriteDraft(ctx, refs.Draft{ID: d.ID, Object: d.object}, data)
		if err != nil {
			return err
		}
		if err := b.Note(ctx, []string{string(d.ID)}, func(at *view.Drafted) {
			at.Object, at.Rules = made.Object, passed.outlines()
		}); err != nil {
			return err
		}
	}
	return nil
}

// settle notes in the packet of a draft which of its commands some deeds did, and reports whether any.
func (d Draft) settle(deeds []deadend.Deed) (settled bool, err error) {
	attempts := d.Record.Packet().Attempts
	for _, r := range d.Rules() {
		end := deadend.New([]deadend.Rule{r.Rule})
		for i, a := range attempts {
			if r.Place == fmt.Sprintf("/attempts/%d", i) && slices.ContainsFunc(deeds, func(deed deadend.Deed) bool {
				all := end.Meet(deed)
				return len(all) > 0 && all[0].Certain && all[0].By == deadend.ByCommand
			}) {
				attempts[i].Outcome, settled = "succeeded", true
				attempts[i].Learned = "a later session ran it, and it worked; before: " + a.Learned
			}
		}
	}
	return settled, d.Record.Set("attempts", attempts)
}

// listPatience is how long another process may write the list of drafts.
const listPatience = 2 * time.Second

// updateList changes the list of the drafts of this user, of which only those stay that are here.
func (b *Box) updateList(ctx context.Context, change func([]view.Drafted) []view.Drafted) (err error) {
	clone := b.opts.Repo.Local()
	release, err := view.DraftFile(clone).With(".lock").Lock(ctx, listPatience)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	here, err := b.opts.Store.Drafts(ctx)
	if err != nil {
		return err
	}
	list := slices.DeleteFunc(change(b.Listed()), func(d view.Drafted) bool {
		return !slices.Contains(here, refs.Draft{ID: packet.ID(d.ID), Object: d.Object})
	})
	return view.WriteDrafts(clone, list[:min(len(list), mostListed)])
}

// listDrafts puts a draft that was just kept before the others.
func (b *Box) listDrafts(ctx context.Context, d Draft) error {
	at := view.Drafted{ID: string(d.ID), Object: d.object, Rules: d.outlines(), Owes: d.Owes}
	return b.updateList(ctx, func(all []view.Drafted) []view.Drafted {
		for i, other := range all {
			if other.ID == at.ID {
				at.Stated = other.Stated
				all = slices.Delete(all, i, i+1)
				break
			}
		}
		return slices.Insert(all, 0, at)
	})
}

// Rules are what did not work in a draft that was read.
func (d Draft) Rules() []index.Rule {
	c := d.Record.Content()
	c.Items = slices.DeleteFunc(c.Items, func(i packet.Item) bool {
		return i.Kind == packet.ItemAttempt && !i.Failed
	})
	return index.RulesOf(c, packet.Skip{})
}

// outlines are those of what did not work in it.
func (d Draft) outlines() (all deadend.Kept) {
	for _, r := range d.Rules() {
		all = r.Rule.Outline().Append(all)
	}
	return all
}

// OfSession returns what tells the id of the draft of one session from those of others.
func OfSession(host, session string) string { return packet.DerivedSuffix(host + "\x00" + session) }
