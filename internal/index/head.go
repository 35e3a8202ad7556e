package index

import (
	"cmp"
	"encoding/binary"
	"slices"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/view"
)

// head is what is known of a record and its items beside their words. Of its content are kept what holds for the
// whole record, and of the items all but texts and matches.
type head struct {
	packet.Content

	event                   string // what an event says
	signer                  string
	aside, cites            bool
	citesLines              bool // one of its cites names lines
	private, remote, signed bool
}

// headOf takes what a document says apart from its words.
func headOf(at Listed, d Document) head {
	h := head{
		Content: d.Content, signer: d.Signer, aside: at.Aside, private: d.Private, remote: d.Remote,
		signed: d.Signed, cites: len(d.Content.Cites) > 0,
		citesLines: slices.ContainsFunc(d.Content.Cites, func(c packet.Cite) bool { return c.Line > 0 }),
	}
	if e := d.Event; h.Kind == packet.KindEvent {
		h.Content = packet.Content{
			Kind: packet.KindEvent, CreatedAt: e.CreatedAt, Provenance: e.Provenance, Paths: e.Targets,
			ExpiresAt: e.ExpiresAt,
		}
		h.event = e.Event
	}
	h.Provenance.AuthorModel = cmp.Or(h.Provenance.AuthorModel, h.Provenance.Model)
	return h
}

// memberTexts are the members that are one text each, in the order in which they are written.
func (h *head) memberTexts() []*string {
	return []*string{
		(*string)(&h.Kind), &h.Impact, &h.Confidence, &h.Anchor.Branch, &h.Anchor.Commit,
		&h.Provenance.AuthorHuman, &h.Provenance.Agent, &h.Provenance.AuthorModel, &h.Topic, &h.event,
		&h.signer,
	}
}

// appendTo writes a head as lengths and texts.
func (h *head) appendTo(out []byte) []byte {
	out = appendMoment(appendMoment(out, h.CreatedAt), h.ExpiresAt)
	for _, text := range h.memberTexts() {
		out = appendText(out, *text)
	}
	for _, list := range [][]string{h.Tags, h.Paths} {
		out = appendList(out, list)
	}
	out = binary.AppendUvarint(out, uint64(len(h.Items)))
	for _, item := range h.Items {
		out = appendText(appendText(appendText(out, item.Kind), item.Place), item.Confidence)
		out = append(out, flagBits(item.Locked, item.Failed))
	}
	return append(out, flagBits(h.aside, h.cites, h.citesLines, h.private, h.remote, h.signed))
}

// flagBits is up to eight answers in one byte.
func flagBits(all ...bool) (flags byte) {
	for i, set := range all {
		if set {
			flags |= 1 << i
		}
	}
	return flags
}

func appendList(out []byte, list []string) []byte {
	out = binary.AppendUvarint(out, uint64(len(list)))
	for _, text := range list {
		out = appendText(out, text)
	}
	return out
}

func appendText(out []byte, text string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(text))), text...)
}

// appendMoment writes a time to the millisecond. The zero time, which none has in a record, is written as
// nothing else is.
func appendMoment(out []byte, t time.Time) []byte {
	if t.IsZero() {
		return binary.AppendVarint(out, 0)
	}
	ms := t.UnixMilli()
	if ms >= 0 {
		ms++
	}
	return binary.AppendVarint(out, ms)
}

// decodeHead reads what append has written.
func (d *decoder) decodeHead() head {
	var h head
	h.CreatedAt, h.ExpiresAt = d.decodeTime(), d.decodeTime()
	for _, text := range h.memberTexts() {
		*text = d.decodeText()
	}
	h.Tags, h.Paths = d.decodeList(), d.decodeList()
	if n := d.decodeCount(); n > 0 {
		h.Items = make([]packet.Item, n)
	}
	for i := range h.Items {
		item := &h.Items[i]
		item.Kind, item.Place, item.Confidence = d.decodeText(), d.decodeText(), d.decodeText()
		flags := d.decodeByte()
		item.Locked, item.Failed = flags&1 != 0, flags&2 != 0
	}
	flags := d.decodeByte()
	h.aside, h.cites, h.citesLines = flags&1 != 0, flags&2 != 0, flags&4 != 0
	h.private, h.remote, h.signed = flags&8 != 0, flags&16 != 0, flags&32 != 0
	return h
}

// decoder reads lengths and texts. After what it cannot read it yields nothing more.
type decoder struct {
	rest string
	bad  bool
}

// decodeNumber reads an unsigned number.
func (d *decoder) decodeNumber() uint64 {
	value, rest, ok := view.Number(d.rest)
	d.rest, d.bad = rest, d.bad || !ok
	return value
}

// decodeCount reads how many texts follow: each takes a byte at least.
func (d *decoder) decodeCount() int {
	n := d.decodeNumber()
	if n > uint64(len(d.rest)) {
		d.bad, d.rest = true, ""
		return 0
	}
	return int(n) //nolint:gosec // It is not above the length of a string.
}

// atMost reads a number that is not above a bound.
func (d *decoder) atMost(bound int) int {
	n := d.decodeNumber()
	if bound < 0 || n > uint64(bound) {
		d.bad, d.rest = true, ""
		return 0
	}
	return int(n) //nolint:gosec // It is not above an int.
}

func (d *decoder) decodeText() string {
	n := d.decodeCount()
	text := d.rest[:n]
	d.rest = d.rest[n:]
	return text
}

func (d *decoder) decodeByte() byte {
	if d.rest == "" {
		d.bad = true
		return 0
	}
	b := d.rest[0]
	d.rest = d.rest[1:]
	return b
}

func (d *decoder) decodeList() []string {
	n := d.decodeCount()
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = d.decodeText()
	}
	return list
}

func (d *decoder) decodeTime() time.Time {
	value := d.decodeNumber()
	ms := int64(value>>1) ^ -int64(value&1)
	switch {
	case ms == 0:
		return time.Time{}
	case ms > 0:
		ms--
	}
	return time.UnixMilli(ms).UTC()
}
