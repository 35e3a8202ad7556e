package packet

import (
	"slices"
)

// Downgrade returns the packet as a reader of the published version 0.2 accepts
// it, and the JSON pointers of what was dropped or changed. Members that 0.2
// does not know are dropped. An outcome in free text becomes "failed", and the
// text is joined to what was learned; the model of the provenance becomes its
// author_model where there is none.
//
// The joined text can make a packet longer. Where it was close to the bound,
// [Record.Validate] tells. A record that is not a packet comes back as it is.
func (r *Record) Downgrade() (*Record, []string) {
	if r.Kind() != KindPacket {
		return r.Clone(), nil
	}
	var d downgrade
	if r.Version() != v2 {
		d.noteChange("ltm_version")
	}
	root := d.downgradeObject(r.root, &packetShape)
	return &Record{root: root.withMember("ltm_version", stringValue(v2))}, d.changed
}

type downgrade struct {
	at      trail
	changed []string
}

func (d *downgrade) noteChange(name string) {
	d.at.enter(name)
	d.changed = append(d.changed, d.at.printable())
	d.at.leave()
}

func (d *downgrade) downgradeObject(members object, s *shape) object {
	switch s {
	case &attemptShape:
		members = d.settleOutcome(members)
	case &provenanceShape:
		if model := members.textOf("model"); model != "" && members.textOf("author_model") == "" {
			members = members.withMember("author_model", stringValue(model))
		}
	}
	var kept object
	for _, m := range members {
		f := s.findField(m.name)
		if f == nil || f.since > v2 {
			d.noteChange(m.name)
			continue
		}
		d.at.enter(m.name)
		kept = append(kept, member{name: m.name, value: d.downgradeValue(m.value, f)})
		d.at.leave()
	}
	return kept
}

func (d *downgrade) downgradeValue(v value, f *field) value {
	switch {
	case f.object == nil:
	case v.is == isObject:
		v.items = d.downgradeObject(v.items, f.object)
	case v.is == isArray:
		v.items = slices.Clone(v.items)
		for i := range v.items {
			d.at.enterItem(i)
			v.items[i].value = d.downgradeValue(v.items[i].value, f)
			d.at.leave()
		}
	}
	return v
}

// settleOutcome makes an outcome in free text one that 0.2 knows.
func (d *downgrade) settleOutcome(attempt object) object {
	outcome := attempt.textOf("outcome")
	if outcome == "" || slices.Contains(outcomes, outcome) {
		return attempt
	}
	d.noteChange("outcome")
	learned := outcome
	if before := attempt.textOf("learned"); before != "" {
		learned = before + " Outcome: " + outcome
	}
	runes := []rune(learned)
	return attempt.
		withMember("outcome", stringValue("failed")).
		withMember("learned", stringValue(string(runes[:min(len(runes), longText)])))
}
