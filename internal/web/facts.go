package web

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/rank"
	"github.com/git-ltm/git-ltm/internal/replay"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// facts are the short texts beside what a record says.
func (s *shelf) facts(x exhibit) []fact {
	var f facts
	c := x.content
	f.add("Created", s.moment(x.CreatedAt()).Full)
	f.add("Author", s.card(x).Author)
	f.add("Branch", c.Anchor.Branch)
	f.add("Commit", abbreviated(c.Anchor.Commit))
	if c.Anchor.Dirty {
		f.add("Work tree", "with changes that were not committed")
	}
	f.add("Topic", c.Topic)
	f.add("Tags", strings.Join(c.Tags, ", "))
	f.add("Impact", cmp.Or(x.Life.Impact, c.Impact))
	f.add("Confidence", confidence(x))
	if x.Kind() == packet.KindNote && x.Note().Kind == packet.NoteTask {
		task := x.Task()
		f.add("Category", strings.ReplaceAll(task.Category, "_", " "))
		f.add("Priority", priority(task.Priority))
	}
	f.add("Project", x.Packet().Project.Name+" "+x.Packet().Project.Ref)
	f.add("Origin", c.Origin)
	if at := x.ExpiresAt(); !at.IsZero() {
		f.add("Ends", s.moment(at).Full)
	}
	f.add("Own id", ownID(x))
	if s.export == nil {
		f.add("Held by", x.Remote)
	}
	f.add("Format", x.Packet().Version)
	return f
}

// facts are gathered one by one; what says nothing is left out.
type facts []fact

func (f *facts) add(name, text string) {
	if text = clean.Line(text); text != "" {
		*f = append(*f, fact{Name: name, Text: text})
	}
}

// abbreviated is a hash as people read it.
func abbreviated(hash string) string {
	const length = 12
	hash = clean.Line(hash)
	return hash[:min(len(hash), length)]
}

// ownID is an id that a record brought along.
func ownID(x exhibit) string {
	if own := x.Record().OwnID(); own != string(x.ID) {
		return own
	}
	return ""
}

// confidence is how sure a record is, where somebody said so.
func confidence(x exhibit) string {
	said := x.content.Confidence
	prior := rank.Prior(said)
	now := x.Life.Confidence(prior)
	switch {
	case said == "" && now == prior:
		return ""
	case now != prior:
		return strconv.FormatFloat(now, 'f', 2, 64) + ", after what events say of it"
	default:
		return said
	}
}

// vouch says who vouches for a record.
func (s *shelf) vouch(x exhibit) []fact {
	var f facts
	v := x.Verdict
	f.add("Standing", string(v.Standing))
	if s.export == nil {
		f.add("Because", s.public(v.Why))
	}
	f.add("Signed by", v.By)
	f.add("Key", v.Key)
	for i, later := range x.Endorsers {
		if i == mostEndorser {
			break
		}
		f.add("Signed later", strings.Join([]string{string(later.Verdict.Standing), later.Verdict.By, later.Verdict.Key}, " "))
	}
	if !x.Signed && v.Standing != sign.Unsigned {
		f.add("Signature", "none of its own")
	}
	return f
}

// relations are the records that a record names, or that events set in relation to it.
func (s *shelf) relations(x exhibit) []part {
	var parts []part
	l := x.Life
	for _, of := range []struct {
		title string
		ids   []string
	}{
		{"Superseded by", s.related(l.Superseded)},
		{"Said together with others by", s.related(l.Consolidated)},
		{"Takes the place of", x.Packet().Supersedes},
		{"Speaks of", x.Note().Links},
		{"About", append(append([]string{}, x.Event().Targets...), x.Event().By...)},
	} {
		if items := s.links(of.ids); len(items) > 0 {
			parts = append(parts, part{of.title, items})
		}
	}
	if items := s.linked(x, l.Links); len(items) > 0 {
		parts = append(parts, part{"Linked with", items})
	}
	return parts
}

// related is a record to which an event set another in relation, as far as pages may say so.
func (s *shelf) related(id packet.ID) []string {
	if id == "" || !s.knows(id) {
		return nil
	}
	return []string{string(id)}
}

// links lead to records, as far as their pages are known to be there.
func (s *shelf) links(names []string) []item {
	var items []item
	for _, name := range names {
		if name = clean.Line(name); name == "" {
			continue
		}
		i := item{Text: name}
		if id, err := packet.ParseID(name); err == nil {
			i.Href = s.href(id)
		} else if id, ok := s.packetOf(name); ok {
			i.Href = s.href(id)
		}
		items = append(items, i)
	}
	return items
}

// linked are the records that events linked with another.
func (s *shelf) linked(of exhibit, all []replay.Linked) []item {
	var items []item
	for _, l := range all {
		if !s.knows(l.ID) {
			continue
		}
		i := item{Text: string(l.ID), Href: s.href(l.ID)}
		if label := clean.Line(s.says(l.Label, of)); label != "" {
			i.Fields = []field{{"As", label}}
		}
		items = append(items, i)
	}
	return items
}
