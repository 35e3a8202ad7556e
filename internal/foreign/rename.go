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
	drafts := r.read.Drafts
	objects := make([]object, len(drafts))
	names := map[string]packet.ID{} // the new name of each record that changes
	referrers := map[string][]int{} // the records that name a record
	var queue []string
	// A new name depends on the old one and on the remap alone.
	rename := func(i int) {
		old := objects[i].text("id")
		if _, done := names[old]; !done {
			names[old] = packet.DeriveID("remap:"+old+":"+shortDigest(encodeJSON(r.opts.Remap)), drafts[i].ID.Time())
			queue = append(queue, old)
		}
	}
	for i, d := range drafts {
		v, _ := decodeJSON(d.Data)
		objects[i] = asObject(v)
		for _, name := range referenceMembers() {
			for _, id := range objects[i].textList(name) {
				referrers[id] = append(referrers[id], i)
			}
		}
		if r.remapObject(objects[i]) {
			rename(i)
		}
	}
	for len(queue) > 0 {
		old := queue[0]
		queue = queue[1:]
		for _, i := range referrers[old] {
			rename(i)
		}
	}
	for i := range drafts {
		if id, changed := names[objects[i].text("id")]; changed {
			r.rewriteRecord(&drafts[i], objects[i], id, names)
		}
	}
	r.read.Drafts = slices.DeleteFunc(drafts, func(d Draft) bool { return d.Data == nil })
}

// referenceMembers returns the members that name other records.
func referenceMembers() []string {
	return []string{"parent_id", "parents", "supersedes", "links", "targets", "by"}
}

// rewriteRecord writes a record anew under its other name.
func (r *reader) rewriteRecord(d *Draft, o object, id packet.ID, names map[string]packet.ID) {
	o["id"] = string(id)
	if d.Kind != packet.KindEvent {
		o["origin"] = "import"
	}
	for _, name := range referenceMembers() {
		// Puts the other names into a member that names records.
		switch v := o[name].(type) {
		case string:
			if id, ok := names[v]; ok {
				o[name] = string(id)
			}
		case []any:
			for i := range v {
				s, _ := v[i].(string)
				if id, ok := names[s]; ok {
					v[i] = string(id)
				}
			}
		}
	}
	record, err := packet.Parse(encodeJSON(o), packet.Draft)
	if err != nil {
		r.addProblem(d.Source, "after the remap: %v", err)
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
