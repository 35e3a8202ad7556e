package accept

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// takeAtOnce is how many records that are taken in become refs in one transaction.
const takeAtOnce = 256

// Store stores what passed. Events come first, because they say what of the others was purged.
func (t *taker) storeAll(ctx context.Context) (removed []string, err error) {
	isEvent := func(p passing) bool { return p.name.Kind == refs.Events }
	rest := slices.DeleteFunc(slices.Clone(t.ready), isEvent)
	events := slices.DeleteFunc(slices.Clone(t.ready), func(p passing) bool { return !isEvent(p) })
	if err := t.createRecords(ctx, events); err != nil {
		return nil, err
	}
	if t.purges {
		buried, err := t.intake.opts.Purges.Bury(ctx, "")
		removed = buried.Gone
		if err != nil {
			return removed, err
		}
		// What was purged by an event that came along is left out.
		var kept []passing
		for _, p := range rest {
			err := t.intake.opts.Reader.Buried(ctx, p.name.ID)
			switch {
			case err == nil:
				kept = append(kept, p)
			case isFault(err):
				t.out[p.at].noteFault(err)
			default:
				return removed, err
			}
		}
		rest = kept
	}
	if err := t.createRecords(ctx, rest); err != nil {
		return removed, err
	}
	if len(t.public) == 0 {
		return removed, nil
	}
	// The private records that travel now are taken out.
	if err := t.intake.opts.Store.Delete(ctx, t.public); err != nil {
		return removed, err
	}
	for _, ref := range t.public {
		t.intake.opts.Seen.Erase(ref.Name)
	}
	t.intake.opts.Seen.Keep()
	return removed, nil
}

// createRecords stores records, some hundred in one transaction: who is interrupted calls again, and what is
// there is known then.
func (t *taker) createRecords(ctx context.Context, all []passing) error {
	for group := range slices.Chunk(all, takeAtOnce) {
		news := make([]refs.New, len(group))
		for i, p := range group {
			tag := func(string) ([]byte, error) { return p.tag, nil }
			if p.tag == nil {
				tag = nil
				// Nobody signs for others unasked.
				if t.req.Signing != gate.AsConfigured || t.req.Records[p.at].Made {
					var err error
					tag, err = t.intake.opts.Signer.TagFor(ctx, p.name.ID, p.data, t.req.Signing)
					if err != nil {
						return err
					}
				}
			}
			news[i] = refs.New{Name: p.name, Data: p.data, Tag: tag}
		}
		made, err := t.intake.opts.Store.Create(ctx, news)
		if err != nil {
			return fmt.Errorf("store %d records: %w", len(group), err)
		}
		var others []string // what others made, which came without a remote
		for i, ref := range made {
			p, now := group[i], ledger.Sighting{Blob: t.intake.opts.Store.BlobOID(group[i].data), Made: true}
			if ref.Object != now.Blob {
				t.out[p.at].Signed, now.Tag = true, ref.Object
			}
			if t.req.Records[p.at].Made { // This clone answers only for what it made.
				t.intake.opts.Seen.Note(ref.Name, now)
			} else {
				others = append(others, ref.Name.Ref())
			}
		}
		t.intake.Delivered(others, "")
		t.intake.opts.Seen.Keep()
		t.intake.opts.Reader.Forget()
		if t.stored += len(group); t.req.Progress != nil {
			t.req.Progress(t.stored, len(t.ready))
		}
	}
	return nil
}

// makePrivate makes each record private that names one which is. What travels must not tell of it.
func (t *taker) makePrivate(ctx context.Context) error {
	if t.intake.opts.Reader.IsUser() {
		return nil
	}
	naming := map[packet.ID][]int{}
	for i, b := range t.req.Records {
		if b.Reach != replay.Private {
			rec, err := packet.Parse(b.Data, packet.Stored)
			if err != nil {
				continue
			}
			var names []string
			for _, l := range check.Links(rec) {
				names = append(names, l.Id)
			}
			if rec.Kind() == packet.KindNote {
				names = append(names, rec.Note().Links...)
			}
			for _, id := range replay.IDs(names) {
				naming[id] = append(naming[id], i)
			}
		}
	}
	brought := map[packet.ID]bool{}
	for _, b := range t.req.Records {
		brought[b.ID] = brought[b.ID] || b.Reach == replay.Private
	}
	var queue []packet.ID
	for _, id := range slices.Sorted(maps.Keys(naming)) {
		private, err := t.intake.opts.Reader.IsPrivate(ctx, id)
		shared, failed := check.HolderOf(ctx, t.intake.opts.Store, id)
		if err := cmp.Or(err, failed); err != nil {
			return err
		}
		if private || brought[id] && shared.Name.ID == "" {
			queue = append(queue, id)
		}
	}
	t.req.Records = slices.Clone(t.req.Records)
	for len(queue) > 0 {
		id := queue[0]
		queue = queue[1:]
		for _, i := range naming[id] {
			b := &t.req.Records[i]
			if b.Reach == replay.Private {
				continue
			}
			b.Reach = replay.Private
			t.out[i].addNote("it names the private record " + string(id) + ", so that it is private too")
			queue = append(queue, b.ID)
		}
	}
	return nil
}

// Derived returns what finds the record whose id ends with a suffix, as [packet.DerivedSuffix] makes it,
// among those that are known here and those that were purged. It reads nothing but names and events.
func (n *Intake) Derived(ctx context.Context) (func(suffix string) (packet.ID, bool), error) {
	s, err := n.opts.Reader.Fold(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]packet.ID{}
	add := func(id packet.ID) {
		suffix := id.Suffix()
		if was, ok := found[suffix]; !ok || id < was {
			found[suffix] = id
		}
	}
	for id := range s.Purged {
		add(id)
	}
	for _, kind := range refs.Kinds() {
		for ref, err := range n.opts.Reader.Everything(ctx, refs.Query{Kind: kind, Remotes: true}) {
			if err != nil {
				return nil, err
			}
			add(ref.Name.ID)
		}
	}
	return func(suffix string) (packet.ID, bool) {
		id, ok := found[suffix]
		return id, ok
	}, nil
}

// placeRecord finds the name under which a record is kept, and whether it is here already.
func (t *taker) placeRecord(ctx context.Context, p passing) error {
	out := &t.out[p.at]
	found, err := t.findLike(ctx, p)
	if err != nil || found == same {
		out.Fate = Present
		return err
	}
	if found == none {
		t.keepFor(p, Added)
		return nil
	}
	taken := p.name.ID
	if p, err = t.nameByBytes(ctx, p); err != nil {
		return err
	}
	out.ID = p.name.ID
	out.addNote(fmt.Sprintf("another record has the id %s here, and this one is kept as %s", taken, p.name.ID))
	found, err = t.findLike(ctx, p)
	switch {
	case err != nil:
		return err
	case found == same:
		out.Fate = Present
		return nil
	case found == other:
		return fmt.Errorf("record %s: %w", p.name.ID, replay.ErrExists)
	}
	if t.req.Records[p.at].Tag != nil {
		out.addNote("with another id its signature does not hold any more and was left out")
	}
	t.keepFor(p, Beside)
	return nil
}

// keepFor notes that a record is to be stored.
func (t *taker) keepFor(p passing, fate Fate) {
	out := &t.out[p.at]
	out.Fate, out.Signed = fate, p.tag != nil
	t.blobs[p.name] = t.intake.opts.Store.BlobOID(p.data)
	t.ready = append(t.ready, p)
}

// nameByBytes gives a record a name that is made of its bytes, so that it has the same one each time.
func (t *taker) nameByBytes(ctx context.Context, p passing) (passing, error) {
	rec, err := packet.Parse(p.data, packet.Stored)
	if err != nil {
		return p, err
	}
	sum := sha256.Sum256(p.data)
	p.name.ID, p.tag = packet.DeriveID("beside:"+hex.EncodeToString(sum[:]), p.name.ID.Time()), nil
	if err := t.intake.opts.Reader.Buried(ctx, p.name.ID); err != nil {
		return p, err
	}
	if err := rec.Set("id", string(p.name.ID)); err != nil {
		return p, err
	}
	receipt, err := gate.Pass(t.rules, rec, gate.Answer{})
	p.data = receipt.Data
	return p, err
}

// likeness is how a record compares with what is here under its name.
type likeness int

const (
	none  likeness = iota // nothing is here
	same                  // the very record
	other                 // another one
)

// findLike looks for a record among those that passed before and those that are here, of any reach.
func (t *taker) findLike(ctx context.Context, p passing) (likeness, error) {
	shared, private := p.name, p.name
	shared.Private, private.Private = false, true
	for _, name := range []refs.Name{shared, private} {
		if blob, ok := t.blobs[name]; ok {
			t.out[p.at].Private = name.Private
			return t.compareBytes(blob, nil, p), nil
		}
	}
	for _, name := range []refs.Name{shared, private} {
		found, err := t.compareStored(ctx, name, p)
		if found != none || err != nil {
			return found, err
		}
	}
	return none, nil
}

// compareStored compares a record with what is stored under a name. One that only a remote holds is not here
// yet.
func (t *taker) compareStored(ctx context.Context, name refs.Name, p passing) (likeness, error) {
	m, out := t.intake, &t.out[p.at]
	ref, err := m.opts.Store.Lookup(ctx, name)
	if errors.Is(err, refs.ErrNotFound) {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	obj, err := m.opts.Store.Read(ctx, ref)
	if err != nil {
		return none, fmt.Errorf("read %q: %w", ref.Full(), err)
	}
	found := t.compareBytes(obj.OID, obj.Data, p)
	if found == other {
		return other, nil
	}
	if ref.Remote != "" {
		return none, nil
	}
	// Who has the same at hand answers for it, as if it had not come first.
	if was, _ := m.opts.Seen.Find(name); t.req.Records[p.at].Made && !t.req.DryRun && obj.TagOID == "" && was.Tag == "" {
		m.opts.Seen.Note(name, ledger.Sighting{Blob: obj.OID, Made: true})
	}
	switch {
	case name.Private && !p.name.Private && t.req.Publish:
		t.public = append(t.public, ref)
		out.addNote("it was private here, and is not any more")
		return none, nil
	case name.Private && !p.name.Private:
		out.addNote("it is here as a private record, and stays one")
	case !name.Private && p.name.Private:
		out.addNote("it is here as a record that travels, and stays one")
	}
	if p.tag != nil && obj.TagOID == "" {
		out.addNote("it is here without the signature that it comes with")
	}
	out.Private, out.Signed = name.Private, obj.TagOID != ""
	return same, nil
}

// compareBytes compares a record with a stored one. Newer rules of the scan alone make no other record of it, and
// nor does who brought it from another system first: the name of such a record says what it holds.
func (t *taker) compareBytes(blob string, data []byte, p passing) likeness {
	made := t.req.Records[p.at].Made
	if blob == t.intake.opts.Store.BlobOID(p.data) ||
		data != nil && withoutScan(data, made) == withoutScan(p.data, made) {
		return same
	}
	return other
}

// withoutScan is a record without what says how it was scanned, and, if it was brought from another system, by whom.
func withoutScan(data []byte, brought bool) string {
	rec, err := packet.Parse(data, packet.Stored)
	if err != nil || rec.Kind() == packet.KindPacket && len(rec.Packet().Scan.Overridden) > 0 {
		return string(data)
	}
	rec.Remove("scan")
	if brought {
		rec.Remove("provenance")
	}
	return string(rec.Encode())
}
