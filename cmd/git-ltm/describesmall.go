package main

import (
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/memory"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/reply"
)

func (d *description) note(entry memory.Entry, now time.Time) {
	n := entry.Note
	d.put("Kind", n.Kind)
	if n.Kind == packet.NoteTask {
		task := entry.Task()
		d.put("Category", task.Category)
		d.put("Status", reply.TaskStatus(entry))
		d.put("Priority", strconv.Itoa(task.Priority))
		d.put("Next action", task.NextAction)
	}
	d.put("Topic", n.Topic)
	d.anchor(n.Anchor)
	d.put("Tags", strings.Join(n.Tags, " "))
	d.impact(entry)
	d.put("Origin", n.Origin)
	d.ends(entry, now)
	d.block("Text", n.Text)
	d.block("Why", n.Why)
	d.cites(n.Cites)
	d.list("Speaks of", n.Links)
	d.links(entry.Life.Links)
	d.masked(n.Scan)
}

func (d *description) skip(entry memory.Entry, now time.Time) {
	s := entry.Skip
	d.anchor(s.Anchor)
	d.put("Tags", strings.Join(s.Tags, " "))
	d.impact(entry)
	d.put("Origin", s.Origin)
	d.ends(entry, now)
	d.put("Words", s.Match.Words)
	d.put("Files", s.Match.Path)
	d.put("Command", s.Match.Command)
	d.block("Not to be done", s.Item)
	d.block("Reason", s.Reason)
	d.cites(s.Cites)
	d.links(entry.Life.Links)
	d.masked(s.Scan)
}

func (d *description) masked(scan packet.Scan) {
	if scan.Masked > 0 {
		d.printf("\nMasked: %d secrets or places that must not travel\n", scan.Masked)
	}
}

func (d *description) event(ev packet.Event) {
	d.put("Event", ev.Event)
	d.put("Targets", strings.Join(ev.Targets, " "))
	d.put("By", strings.Join(ev.By, " "))
	d.put("Value", ev.Value)
	d.put("Ends", reply.Stamp(ev.ExpiresAt))
	d.put("Why", ev.Why)
}
