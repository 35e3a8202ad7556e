package reply

import (
	"strconv"
	"time"

	"github.com/git-ltm/git-ltm/internal/briefing"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/provenance"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// life says what events made of a record.
func (d *Description) life(entry replay.Shown, now time.Time) {
	l := entry.Life
	for _, line := range []struct {
		is   bool
		text string
	}{
		{l.Retracted, "retracted by event " + string(l.By)},
		{l.Superseded != "", "superseded by " + string(l.Superseded)},
		{l.Consolidated != "", "said together with others by " + string(l.Consolidated)},
		{l.Expired, "expired"},
		{l.Archived, "archived: nobody is told of it unasked"},
		{l.Closed, "closed"},
		{l.Contradicted, "contradicted: somebody said that it is wrong; 'git ltm show " + string(entry.ID) + " --events' says why"},
	} {
		if line.is {
			d.Put("Life", line.text)
		}
	}
	if !l.Confirmed.IsZero() {
		d.Put("Confirmed", Stamp(l.Confirmed)+" ("+briefing.Age(l.Confirmed, now)+")")
	}
	d.confidence(entry)
	if text, by := said(l.Digest, entry); text != "" {
		if by != "" {
			by = " of " + by
		}
		d.Put("Digest", text+" (a short text that an event"+by+" put beside the record; what its author wrote follows)")
	}
}

// claims says what others say of a record in which they have no say.
func (d *Description) claims(entry replay.Shown) {
	l := entry.Life
	if !d.Head("What others say of it, which changes nothing", len(l.Claims)) {
		return
	}
	for _, c := range l.Claims {
		value, by := said(c.Value, entry)
		why, _ := said(c.Why, entry)
		d.Item(c.Event+" "+value+" (by "+by+")", "why", why)
	}
	if l.ClaimsLeft > 0 {
		d.Item("and " + strconv.Itoa(l.ClaimsLeft) + " more")
	}
}

// confidence says how sure a record is, where somebody said so.
func (d *Description) confidence(entry replay.Shown) {
	said := entry.Packet().Provenance.Confidence
	if entry.Kind() == packet.KindNote {
		said = entry.Note().Confidence
	}
	prior := rank.Prior(said)
	now := entry.Life.Confidence(prior)
	if said == "" && now == prior {
		return
	}
	text := strconv.FormatFloat(now, 'f', 2, 64)
	switch {
	case now != prior && said != "":
		text += ", " + said + " by its author and changed by events"
	case now != prior:
		text += ", after what events say of it"
	default:
		text += ", " + said + " by its author"
	}
	d.Put("Confidence", text)
}

// impact says how much depends on a record, and who says so.
func (d *Description) impact(entry replay.Shown) {
	said, set := GistOf(entry).Impact, entry.Life.Impact
	switch {
	case set == "" || set == said:
		d.Put("Impact", said)
	case said == "":
		d.Put("Impact", set+" (by an event)")
	default:
		d.Put("Impact", set+" (by an event; "+said+" by its author)")
	}
}

// ends says when a record ends.
func (d *Description) ends(entry replay.Shown, now time.Time) {
	at := entry.ExpiresAt()
	if at.IsZero() {
		return
	}
	text := at.In(now.Location()).Format(time.RFC3339)
	if !entry.Life.Until.IsZero() {
		text += " (by an event)"
	}
	d.Put("Ends", text)
}

// links says which records events linked with this one.
func (d *Description) links(entry replay.Shown) {
	all := entry.Life.Links
	if !d.Head("Linked with", len(all)) {
		return
	}
	for _, l := range all {
		text, by := said(l.Label, entry)
		d.Item(string(l.ID), "as", text, "by", by)
	}
}

// said is a text that may stand in an event, and who wrote it where that is not the author of the record.
func said(t provenance.Text, of replay.Shown) (text, by string) {
	text, _ = t.For(of.Reader())
	return text, t.ByOther(of.Origin())
}
