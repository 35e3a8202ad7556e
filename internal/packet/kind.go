package packet

// Kind says which table a record follows.
type Kind string

// The kinds of records.
const (
	KindPacket Kind = "packet"
	KindNote   Kind = "note"
	KindSkip   Kind = "skip"
	KindEvent  Kind = "event"
)

// typeMember is the member that says the kind of a record. A record without it
// is a packet.
const typeMember = "type"

// A recordKind is all that sets one kind of record apart from the others.
type recordKind struct {
	kind  Kind
	shape *shape
	bound int // bytes of the canonical encoding
}

// kindOf returns the kind that a record states. One that is not known has no
// table, so that every member passes for unknown.
func kindOf(root object) recordKind {
	v := root.find(typeMember)
	switch {
	case v == nil, v.is == isString && v.text == string(KindPacket):
		return recordKind{KindPacket, &packetShape, MaxPacket}
	case v.is == isString && v.text == string(KindNote):
		return recordKind{KindNote, &noteShape, MaxSmall}
	case v.is == isString && v.text == string(KindSkip):
		return recordKind{KindSkip, &skipShape, MaxSmall}
	case v.is == isString && v.text == string(KindEvent):
		return recordKind{KindEvent, &eventShape, MaxSmall}
	default:
		return recordKind{"", nil, MaxPacket}
	}
}

//nolint:gochecknoglobals // A table that nobody writes to.
var eventShape = shape{fields: []field{
	{name: typeMember, form: formWord, words: []string{string(KindEvent)}, needed: true},
	{name: "id", form: formID, needed: true, stamped: true},
	{name: "created_at", form: formTime, needed: true, stamped: true},
	{name: "event", form: formWord, words: []string{
		"supersede", "expire", "archive", "restore", "confirm", "contradict", "impact", "link",
		"consolidate", "close", "reopen", "set", "retract", "purge", "undo", "allow", "disallow", "digest",
	}, needed: true},
	{name: "targets", form: formLine, least: 10, most: 64, fewest: 1, items: 64, needed: true},
	{name: "by", form: formLine, least: 10, most: 64, items: 64},
	{name: "value", form: formText, most: longText},
	{name: "object", form: formCommit},
	{name: "why", form: formText, most: longText},
	{name: "expires_at", form: formTime},
	{name: "provenance", form: formObject, object: &provenanceShape},
}}
