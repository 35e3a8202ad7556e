package citation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// The members of a cited place that say what stood there when it was cited.
const (
	citeCommit = "commit"
	citeBlob   = "blob"
	citeMember = "cites"
)

// members is a JSON object whose values are left as they are written.
type members map[string]json.RawMessage

// Fill notes with each cited place of a new record, which says nothing of that itself, the commit and the
// blob at which it is cited: those of HEAD, where the file is as HEAD holds it. Where it is not, the anchor
// says that there were changes, so that nobody takes the commit for what was cited. It is called when the
// anchor is there, and asks git nothing where nothing is cited.
func (t Tree) Fill(ctx context.Context, rec *packet.Record) error {
	content := rec.Content()
	cites, ok := memberList(rec, citeMember)
	if !ok || len(cites) != len(content.Cites) || t.Repo == nil || content.Anchor.Commit == "" {
		return nil
	}
	check := t.newCheck()
	for _, cite := range content.Cites {
		cite.Line, cite.EndLine = 0, 0
		if p := check.addCite(cite, content.Anchor); cite.Commit+cite.Blob != "" {
			p.decided = true
		}
	}
	if len(check.openPlaces()) == 0 {
		return nil
	}
	dirty, err := check.fillCites(ctx, cites)
	if err != nil {
		return err
	}
	before := rec.Clone()
	if err := rec.Set(citeMember, cites); err != nil {
		return err
	}
	if !fitsWith(rec) {
		rec.CopyFrom(before, citeMember)
	}
	if dirty && !content.Anchor.Dirty {
		// Says in the anchor of a record that the work tree had changes.
		var all struct{ Anchor members }
		if err := json.Unmarshal(rec.Encode(), &all); err != nil || all.Anchor == nil {
			return nil //nolint:nilerr // It is no valid record, which validation says.
		}
		all.Anchor["dirty"] = json.RawMessage("true")
		return rec.Set("anchor", all.Anchor)
	}
	return nil
}

// fillCites writes into the cited places what they are in HEAD, and tells whether the work tree holds one
// of them otherwise. The record has to be made at HEAD.
func (c *check) fillCites(ctx context.Context, cites []members) (dirty bool, err error) {
	head, err := c.Repo.Resolve(ctx)
	if err != nil {
		return false, err
	}
	c.beginCheck()
	defer func() { err = errors.Join(err, c.closeCheck()) }()
	for _, p := range c.openPlaces() {
		c.lookAt(p)
		p.decided = p.commit != head.Commit
	}
	if len(c.openPlaces()) == 0 {
		return false, nil
	}
	if c.settleAll(ctx); c.fault != nil {
		return false, ctx.Err() // What git does not tell is left out.
	}
	for i, p := range c.list {
		now := c.now[p.path]
		switch {
		case p.decided || now.head == missingObject || !now.file:
		case now.dirty:
			dirty = true
		default:
			cites[i][citeCommit], cites[i][citeBlob] = quotedText(head.Commit), quotedText(now.head)
		}
	}
	return dirty, nil
}

// Refill takes from the record that is there what filling once added to the cited places, so that a record
// that is saved again is the same one.
func Refill(rec, from *packet.Record) {
	cites, ok := memberList(rec, citeMember)
	known, there := memberList(from, citeMember)
	if !ok || !there || len(cites) != len(known) {
		return
	}
	for i, k := range known {
		k = maps.Clone(k)
		for _, name := range []string{citeCommit, citeBlob} {
			if _, said := cites[i][name]; !said {
				delete(k, name)
			}
		}
		if !maps.EqualFunc(cites[i], k, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			return
		}
	}
	rec.CopyFrom(from, citeMember)
}

// memberList returns a member of a record that is a list of objects.
func memberList(rec *packet.Record, name string) (list []members, ok bool) {
	if !rec.Has(name) {
		return nil, false
	}
	var all members
	if json.Unmarshal(rec.Encode(), &all) != nil || json.Unmarshal(all[name], &list) != nil {
		return nil, false // It is no valid record, which validation says.
	}
	return list, len(list) > 0
}

// fitsWith tells whether a record stays within its bound, with some room for what is filled in later.
func fitsWith(rec *packet.Record) bool {
	const room = 256
	most := packet.MaxSmall
	if rec.Kind() == packet.KindPacket {
		most = packet.MaxPacket
	}
	return len(rec.Encode())+room <= most
}

// quotedText is a text that needs no escapes as JSON.
func quotedText(text string) json.RawMessage { return json.RawMessage(`"` + text + `"`) }
