package packet

import (
	"slices"
	"unicode/utf8"
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
		d.change("ltm_version")
	}
	root := d.object(r.root, &packetShape)
	return &Record{root: root.with("ltm_version", stringValue(v2))}, d.changed
}

type downgrade struct {
	at      trail
	changed []string
}

func (d *downgrade) change(name string) {
	d.at.enter(name)
	d.changed = append(d.changed, d.at.printable())
	d.at.leave()
}

func (d *downgrade) object(members object, s *shape) object {
	switch s {
	case &attemptShape:
		members = d.settleOutcome(members)
	case &provenanceShape:
		members = nameAuthor(members)
	}
	var kept object
	for _, m := range members {
		f := s.find(m.name)
		if f == nil || f.since > v2 {
			d.change(m.name)
			continue
		}
		d.at.enter(m.name)
		kept = append(kept, member{name: m.name, value: d.value(m.value, f)})
		d.at.leave()
	}
	return kept
}

func (d *downgrade) value(v value, f *field) value {
	switch {
	case f.object == nil:
	case v.is == isObject:
		v.items = d.object(v.items, f.object)
	case v.is == isArray:
		v.items = slices.Clone(v.items)
		for i := range v.items {
			d.at.enterItem(i)
			v.items[i].value = d.value(v.items[i].value, f)
			d.at.leave()
		}
	}
	return v
}

// settleOutcome makes an outcome in free text one that 0.2 knows.
func (d *downgrade) settleOutcome(attempt object) object {
	outcome := attempt.text("outcome")
	if outcome == "" || slices.Contains(outcomes, outcome) {
		return attempt
	}
	d.change("outcome")
	learned := outcome
	if before := attempt.text("learned"); before != "" {
		learned = before + " Outcome: " + outcome
	}
	return attempt.
		with("outcome", stringValue("failed")).
		with("learned", stringValue(cut(learned, longText)))
}

func nameAuthor(provenance object) object {
	model := provenance.text("model")
	if model == "" || provenance.text("author_model") != "" {
		return provenance
	}
	return provenance.with("author_model", stringValue(model))
}

// cut returns the first characters of s.
func cut(s string, most int) string {
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	return string([]rune(s)[:most])
}
