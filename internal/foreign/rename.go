package foreign

import (
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// applyRemap applies the remap to records of ours. A record that it changes is
// another one and gets another name; so does each record that names it, and so
// on, so that what hung together hangs together still. Records that are not
// touched keep each byte.
func (r *reader) applyRemap() {
	if m := r.opts.Remap; !r.ours || len(m.Author)+len(m.Topic)+len(m.Tag) == 0 {
		return
	}
	n := renaming{reader: r, names: map[string]packet.ID{}, referrers: map[string][]int{}}
	for i := range r.read.Drafts {
		v, _ := decodeJSON(n.reader.read.Drafts[i].Data)
		o := asObject(v)
		n.objects = append(n.objects, o)
		for _, name := range referenceMembers() {
			for _, id := range o.textList(name) {
				n.referrers[id] = append(n.referrers[id], i)
			}
		}
		if n.reader.remapObject(o) {
			n.markRenamed(i)
		}
	}
	for len(n.queue) > 0 {
		old := n.queue[0]
		n.queue = n.queue[1:]
		for _, i := range n.referrers[old] {
			n.markRenamed(i)
		}
	}
	for i := range r.read.Drafts {
		n.rewriteRecord(i)
	}
	r.read.Drafts = slices.DeleteFunc(r.read.Drafts, func(d Draft) bool { return d.Data == nil })
}

type renaming struct {
	reader    *reader
	objects   []object
	names     map[string]packet.ID // the new name of each record that changes
	referrers map[string][]int     // the records that name a record
	queue     []string
}

// referenceMembers returns the members that name other records.
func referenceMembers() []string {
	return []string{"parent_id", "parents", "supersedes", "links", "targets", "by"}
}

// markRenamed gives a record another name, which depends on the old one and on the
// remap alone.
func (n *renaming) markRenamed(i int) {
	old := n.objects[i].text("id")
	if _, done := n.names[old]; done {
		return
	}
	d := n.reader.read.Drafts[i]
	n.names[old] = packet.DeriveID("remap:"+old+":"+shortDigest(encodeJSON(n.reader.opts.Remap)), d.ID.Time())
	n.queue = append(n.queue, old)
}

// rewriteRecord writes a record anew under its other name.
func (n *renaming) rewriteRecord(i int) {
	d, o := &n.reader.read.Drafts[i], n.objects[i]
	id, changed := n.names[o.text("id")]
	if !changed {
		return
	}
	o["id"] = string(id)
	if d.Kind != packet.KindEvent {
		o["origin"] = "import"
	}
	for _, name := range referenceMembers() {
		// Puts the other names into a member that names records.
		switch v := o[name].(type) {
		case string:
			if id, ok := n.names[v]; ok {
				o[name] = string(id)
			}
		case []any:
			for i := range v {
				s, _ := v[i].(string)
				if id, ok := n.names[s]; ok {
					v[i] = string(id)
				}
			}
		}
	}
	record, err := packet.Parse(encodeJSON(o), packet.Draft)
	if err != nil {
		n.reader.addProblem(d.Source, "after the remap: %v", err)
		d.Data = nil
		return
	}
	if d.Tag != nil {
		d.Notes = append(d.Notes,
			"the remap changes it: its signature does not hold any more and was left out")
	}
	d.Notes = append(d.Notes, "the remap changes it: it gets another name")
	d.Key, d.ID, d.Data, d.Tag, d.Ref = ownKey(record), id, record.Encode(), nil, ""
}

// remapObject gives things in a record of ours another name, and tells whether it
// did.
func (r *reader) remapObject(o object) bool {
	before := encodeJSON(o)
	if raw := o.textList("tags"); len(raw) > 0 && len(r.opts.Remap.Tag) > 0 {
		var list []any
		tags, _ := r.mapTags(raw)
		for _, tag := range tags {
			list = append(list, tag)
		}
		o["tags"] = list
	}
	if topic := o.text("topic"); topic != "" {
		o["topic"] = remapTopic(topic, r.opts.Remap.Topic)
	}
	if from := asObject(o["provenance"]); from != nil {
		for _, name := range slices.Sorted(maps.Keys(from)) {
			switch name {
			case "agent", "author_model", "author_human":
				if to, ok := r.opts.Remap.Author[from.text(name)]; ok {
					from[name] = to
				}
			}
		}
	}
	return string(before) != string(encodeJSON(o))
}
