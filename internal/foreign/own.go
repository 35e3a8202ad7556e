package foreign

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/clean"
	"github.com/git-ltm/git-ltm/internal/packet"
)

const (
	maxTagObject = 128 << 10
	localRefs    = "refs/ltm-local/"
)

// readOwn reads records, one after the other or in lists. What a hub exports is a
// list of packets within an object.
func (r *reader) readOwn(data []byte) error {
	if err := checkSize(data, maxJSON); err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	for {
		var raw json.RawMessage
		if err := d.Decode(&raw); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return notJSON(err)
		}
		place := r.at(1 + bytes.Count(data[:int(d.InputOffset())-len(raw)], []byte("\n")))
		if members := rawMembers(raw, hubList); members != nil {
			raw = members[hubList]
		}
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) != nil {
			r.takeOwn(place, raw)
		}
		for i, raw := range list {
			r.takeOwn(fmt.Sprintf("%s: /%d", r.name, i), raw)
		}
	}
}

// hubList is the member of an export of a hub that holds its packets.
const hubList = "packets"

// eachLine hands out the lines that are not empty.
func (r *reader) eachLine(data []byte, do func(place string, line []byte)) error {
	if err := checkSize(data, MaxInput); err != nil {
		return err
	}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case len(line) > maxLine:
			r.addProblem(r.at(number), "the line is %d bytes, at most %d are read", len(line), maxLine)
		case len(r.read.Drafts) >= maxDrafts:
			r.addRemark(fmt.Sprintf("only the first %d records were read", maxDrafts))
		default:
			do(r.at(number), line)
		}
	}
	return nil
}

// takeOwn reads one record, bare or in the envelope of our own export.
func (r *reader) takeOwn(place string, raw []byte) {
	r.ours = true
	d := Draft{Source: place}
	var err error
	if members := rawMembers(raw, "record"); members != nil {
		d.Ref, d.Tag, err = openEnvelope(raw)
		raw = members["record"]
	}
	d.Private = strings.HasPrefix(d.Ref, localRefs)
	record, bad := packet.Parse(raw, packet.Draft)
	if err = cmp.Or(err, bad); err != nil {
		r.addProblem(place, "%v", err)
		return
	}
	r.completeOwn(&d, record)
}

// rawMembers returns the members of an object that has one of that name, as they are written.
func rawMembers(raw []byte, name string) (members map[string]json.RawMessage) {
	if !bytes.Contains(raw, []byte(`"`+name+`"`)) || json.Unmarshal(raw, &members) != nil || members[name] == nil {
		return nil
	}
	return members
}

var errEnvelope = errors.New(`the members "ref", "tag" and "tag64" of an envelope must be strings`)

// openEnvelope returns what stands around a record. A tag object that is not UTF-8
// stands there in base64.
func openEnvelope(raw []byte) (ref string, tag []byte, err error) {
	v, err := decodeJSON(raw)
	if err != nil {
		return "", nil, err
	}
	o := asObject(v)
	for _, name := range []string{"ref", "tag", "tag64"} {
		if _, ok := o[name].(string); o.hasMember(name) && !ok {
			return "", nil, errEnvelope
		}
	}
	tag = []byte(o.text("tag"))
	if coded := o.text("tag64"); coded != "" {
		if tag, err = base64.StdEncoding.DecodeString(coded); err != nil {
			return "", nil, errEnvelope
		}
	}
	if len(tag) > maxTagObject {
		return "", nil, fmt.Errorf("the tag object is %d bytes, at most %d are read", len(tag), maxTagObject)
	}
	if len(tag) == 0 {
		tag = nil
	}
	return o.text("ref"), tag, nil
}

// completeOwn gives a record what a draft of ours may lack, and hands it out. A
// record that lacks nothing keeps each byte, so that its signature holds.
func (r *reader) completeOwn(d *Draft, record *packet.Record) {
	own := record.OwnID()
	d.Kind, d.Key = record.Kind(), ownKey(record)
	d.Undated = !record.Has("created_at")
	id, at := r.nameRecord(cmp.Or(own, d.Key), cmp.Or(record.Content().CreatedAt, record.Event().CreatedAt))
	named, err := packet.ParseID(own)
	if err == nil {
		id = named
	}
	d.ID = id
	whole := record.Validate(packet.Stored) == nil
	// Our own export kept it under a name, which need not stand in it.
	place, name := path.Split(d.Ref)
	kept, none := packet.ParseID(name)
	isKept := none == nil && (place == "refs/ltm/"+string(d.Kind)+"s/" || place == localRefs+string(d.Kind)+"s/")
	switch {
	case isKept && whole:
		if err != nil {
			d.ID = kept
		}
	case own == "" || d.Undated || !whole:
		values := map[string]string{"id": string(id), "created_at": formatTime(at)}
		if d.Kind == packet.KindPacket {
			values["ltm_version"] = packet.Version
		}
		if d.Kind != packet.KindEvent {
			values["origin"] = "import"
		}
		for name, value := range values {
			if record.Has(name) {
				continue
			}
			if err := record.Set(name, value); err != nil {
				r.addProblem(d.Source, "%v", err)
				return
			}
		}
		if err := record.Validate(packet.Stored); err != nil {
			r.addProblem(d.Source, "%v", err)
			return
		}
		d.Tag = nil // it signs other bytes
	}
	d.Data = record.Encode()
	r.read.Drafts = append(r.read.Drafts, *d)
}

// ownKey returns the key of a record of ours, which is the same in each of our
// formats.
func ownKey(record *packet.Record) string {
	said := record
	if record.OwnID() == "" {
		said = record.Clone()
		said.Remove("created_at")
	}
	return "ltm:" + record.OwnID() + ":" + shortDigest(said.Encode())
}

// A document has the members of the records that readers make. The order of
// the canonical encoding is the business of packet.
type document struct {
	Type       packet.Kind   `json:"type"`
	ID         packet.ID     `json:"id,omitempty"`
	CreatedAt  string        `json:"created_at,omitempty"`
	Kind       string        `json:"kind,omitempty"`
	Text       string        `json:"text,omitempty"`
	Why        string        `json:"why,omitempty"`
	Topic      string        `json:"topic,omitempty"`
	Tags       []string      `json:"tags,omitempty"`
	Impact     string        `json:"impact,omitempty"`
	Confidence string        `json:"confidence,omitempty"`
	Category   string        `json:"category,omitempty"`
	Status     string        `json:"status,omitempty"`
	Priority   int           `json:"priority,omitempty"`
	NextAction string        `json:"next_action,omitempty"`
	Item       string        `json:"item,omitempty"`
	Reason     string        `json:"reason,omitempty"`
	ExpiresAt  string        `json:"expires_at,omitempty"`
	Cites      []packet.Cite `json:"cites,omitempty"`
	Links      []packet.ID   `json:"links,omitempty"`
	Origin     string        `json:"origin,omitempty"`
	Provenance writtenBy     `json:"provenance,omitzero"`
}

type writtenBy struct {
	AuthorHuman string `json:"author_human,omitempty"`
	Agent       string `json:"agent,omitempty"`
}

// toRecord returns the document as a record. The error names members and limits,
// never a value.
func (d *document) toRecord() (*packet.Record, error) {
	return packet.Parse(encodeJSON(d), packet.Draft)
}

// encodeJSON encodes what always can be encoded.
func encodeJSON(v any) []byte {
	data, _ := clean.JSON(v, "")
	return data
}

// keyOf returns the key of what a source calls own. Its time is no part of it,
// since a source that has none gets another one whenever it is written anew.
func keyOf(f Format, own string, d document) string {
	d.ID, d.CreatedAt, d.Links = "", "", nil
	if len(own) > 64 {
		own = shortDigest([]byte(own))
	}
	return string(f) + ":" + own + ":" + shortDigest(encodeJSON(d))
}

// shortDigest returns enough of a SHA-256 to tell the memories of a user apart.
func shortDigest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

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
		objects[i] = objectIn(d.Data)
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
