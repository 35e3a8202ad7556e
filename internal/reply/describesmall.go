package reply

import (
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/replay"
)

func (d *Description) note(entry replay.Shown, now time.Time) {
	n := entry.Note()
	d.Put("Kind", n.Kind)
	if n.Kind == packet.NoteTask {
		task := entry.Task()
		d.Put("Category", task.Category)
		d.Put("Status", TaskStatus(entry))
		d.Put("Priority", strconv.Itoa(task.Priority))
		next, by := said(entry.NextAction(), entry)
		d.Put("Next action", next)
		if next != "" {
			d.Put("Set by", by)
		}
	}
	d.Put("Topic", n.Topic)
	d.anchor(n.Anchor)
	d.Put("Tags", strings.Join(n.Tags, " "))
	d.impact(entry)
	d.Put("Origin", n.Origin)
	d.ends(entry, now)
	d.Block("Text", n.Text)
	d.Block("Why", n.Why)
	d.cites(n.Cites)
	d.List("Speaks of", n.Links)
	d.links(entry)
	d.masked(n.Scan)
}

func (d *Description) skip(entry replay.Shown, now time.Time) {
	s := entry.Skip()
	d.anchor(s.Anchor)
	d.Put("Tags", strings.Join(s.Tags, " "))
	d.impact(entry)
	d.Put("Origin", s.Origin)
	d.ends(entry, now)
	d.Put("Words", s.Match.Words)
	d.Put("Files", s.Match.Path)
	d.Put("Command", s.Match.Command)
	d.Block("Not to be done", s.Item)
	d.Block("Reason", s.Reason)
	d.cites(s.Cites)
	d.links(entry)
	d.masked(s.Scan)
}

func (d *Description) masked(scan packet.Scan) {
	if scan.Masked > 0 {
		d.Printf("\nMasked: %d secrets or places that must not travel\n", scan.Masked)
	}
}

func (d *Description) event(ev packet.Event) {
	d.Put("Event", ev.Event)
	d.Put("Targets", strings.Join(ev.Targets, " "))
	d.Put("By", strings.Join(ev.By, " "))
	d.Put("Value", ev.Value)
	d.Put("Ends", Stamp(ev.ExpiresAt))
	d.Put("Why", ev.Why)
}
