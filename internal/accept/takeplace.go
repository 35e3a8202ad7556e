package accept

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/git-ltm/git-ltm/internal/gate"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/replay"
)

// place finds the name under which a record is kept, and whether it is here already.
func (t *taker) place(ctx context.Context, p passing) error {
	out := &t.out[p.at]
	found, err := t.compare(ctx, p)
	if err != nil || found == same {
		out.Fate = Present
		return err
	}
	if found == none {
		return t.keep(p, Added)
	}
	taken := p.name.ID
	if p, err = t.beside(ctx, p); err != nil {
		return err
	}
	out.ID = p.name.ID
	out.note(fmt.Sprintf("another record has the id %s here, and this one is kept as %s", taken, p.name.ID))
	found, err = t.compare(ctx, p)
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
		out.note("with another id its signature does not hold any more and was left out")
	}
	return t.keep(p, Beside)
}

// keep notes that a record is to be stored.
func (t *taker) keep(p passing, fate Fate) error {
	out := &t.out[p.at]
	out.Fate, out.Signed = fate, p.tag != nil
	t.blobs[p.name] = t.intake.opts.Store.BlobOID(p.data)
	t.ready = append(t.ready, p)
	return nil
}

// beside gives a record a name that is made of its bytes, so that it has the same one each time.
func (t *taker) beside(ctx context.Context, p passing) (passing, error) {
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

// compare looks for a record among those that passed before and those that are here, of any reach.
func (t *taker) compare(ctx context.Context, p passing) (likeness, error) {
	shared, private := p.name, p.name
	shared.Private, private.Private = false, true
	for _, name := range []refs.Name{shared, private} {
		if blob, ok := t.blobs[name]; ok {
			t.out[p.at].Private = name.Private
			return t.alike(blob, nil, p), nil
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

// compareStored compares a record with what is stored under a name. One that only a remote holds is not here yet.
func (t *taker) compareStored(ctx context.Context, name refs.Name, p passing) (likeness, error) {
	m, out := t.intake, &t.out[p.at]
	lookup := m.opts.Store.Lookup
	if name.Private {
		lookup = m.opts.Store.LookupPrivate
	}
	ref, err := lookup(ctx, name.Kind, name.ID)
	if errors.Is(err, refs.ErrNotFound) {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	obj, err := m.opts.Store.Read(ctx, ref, refs.Bound(name.Kind))
	if err != nil {
		return none, fmt.Errorf("read %q: %w", ref.Full(), err)
	}
	found := t.alike(obj.OID, obj.Data, p)
	if found == other {
		return other, nil
	}
	if ref.Remote != "" {
		return none, nil
	}
	switch {
	case name.Private && !p.name.Private && t.req.Publish:
		t.public = append(t.public, ref)
		out.note("it was private here, and is not any more")
		return none, nil
	case name.Private && !p.name.Private:
		out.note("it is here as a private record, and stays one")
	case !name.Private && p.name.Private:
		out.note("it is here as a record that travels, and stays one")
	}
	if p.tag != nil && obj.TagOID == "" {
		out.note("it is here without the signature that it comes with")
	}
	out.Private, out.Signed = name.Private, obj.TagOID != ""
	return same, nil
}

// alike compares a record with a stored one. Newer rules of the scan alone make no other record of it.
func (t *taker) alike(blob string, data []byte, p passing) likeness {
	if blob == t.intake.opts.Store.BlobOID(p.data) || data != nil && unscanned(data) == unscanned(p.data) {
		return same
	}
	return other
}

// unscanned is a record without what says how it was scanned.
func unscanned(data []byte) string {
	rec, err := packet.Parse(data, packet.Stored)
	if err != nil || rec.Kind() == packet.KindPacket && len(rec.Packet().Scan.Overridden) > 0 {
		return string(data)
	}
	rec.Remove("scan")
	return string(rec.Encode())
}
