package replay

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/index"
	"github.com/git-ltm/git-ltm/internal/ledger"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
)

// Source is what an index reads: which records there are, and what they say.
type Source struct {
	reader *Reader
}

// NewSource returns what an index reads of what a reader does.
func NewSource(r *Reader) *Source { return &Source{reader: r} }

// listedAs is a record as it is listed.
func listedAs(ref refs.Ref) index.Listed {
	l := index.Listed{Ref: ref.Full(), Object: ref.Object, Record: ledger.KeyOf(ref.Name), Young: ref.Young}
	if strings.HasSuffix(l.Ref, l.Record) { // One text does for both.
		l.Record = l.Ref[len(l.Ref)-len(l.Record):]
	}
	return l
}

// refOf is what a name of a listing was made of, as far as it takes to read the record. A listing holds as many
// as there are records, so that it keeps no more of each than its name and its object.
func refOf(l index.Listed) refs.Ref {
	ref, _ := refs.ParseRef(l.Ref)
	ref.Object = l.Object
	return ref
}

// Stamp says in a few characters how the refs of the memory are now. As long as a part is the same, so are
// the refs that it speaks of; each may be empty where refs have just changed.
func (s *Source) Stamp(ctx context.Context) (refs.Stamp, error) {
	return s.reader.opts.Store.Stamp(ctx)
}

// Delivered is when a remote delivered the record of a ref; the zero time where that was not written down.
func (s *Source) Delivered(full string) time.Time {
	name, _ := refs.ParseName(full)
	_, at, _ := s.reader.opts.Seen.Delivery(name)
	return at
}

// KeptOut tells whether a scan kept records out of what was asked for so far.
func (s *Source) KeptOut() bool { return s.reader.keptOut }

// RulesVersion names the rules by which it does.
func (s *Source) RulesVersion(ctx context.Context) (string, error) {
	rules, err := s.reader.opts.Rules.Rules(ctx)
	return rules.Version(), err
}

// ErrManyYoung says that so much is young that [Source.Listing] is to be asked.
var ErrManyYoung = refs.ErrManyYoung

// Listing returns every record that is known here, of this clone, private ones and what only remotes hold. What
// this clone has taken out for good, or is known to be no record or to be kept
// out by the scan, is left out. Of those nothing is read twice, and of others nothing but names.
func (s *Source) Listing(ctx context.Context) ([]index.Listed, error) {
	return s.listKinds(ctx, func(kind refs.Kind) iter.Seq2[refs.Ref, error] {
		return s.reader.Everything(ctx, refs.Query{Kind: kind, Remotes: true})
	})
}

// Young returns what [Source.Listing] would say of the records of which a ref is young, and of others by
// their [index.Listed.Record]. A list with the same [refs.Stamp.Packed] differs from one
// of now in these records alone: those that were young when it was made, which are to be asked for too, and
// those that are young now. Which of them Young does not name is not to be listed any more. Events of
// strangers are compared among these alone. Where more than most are young it fails with [ErrManyYoung].
func (s *Source) Young(ctx context.Context, records []string, most int) ([]index.Listed, error) {
	others := make([]refs.Name, 0, len(records))
	for _, record := range records {
		if name, ok := ledger.OfKey(record); ok {
			others = append(others, name)
		}
	}
	found, err := s.reader.opts.Store.Young(ctx, others, most)
	if err != nil {
		return nil, err
	}
	return s.listKinds(ctx, func(kind refs.Kind) iter.Seq2[refs.Ref, error] {
		return check.Each(slices.DeleteFunc(slices.Clone(found), func(ref refs.Ref) bool {
			return ref.Name.Kind != kind
		}))
	})
}

// Newest yields the records of a kind, the newest first. Nothing is known of them but where they lie, and how
// young they are.
func (s *Source) Newest(ctx context.Context, kind packet.Kind) iter.Seq2[index.Listed, error] {
	return func(yield func(index.Listed, error) bool) {
		query := refs.Query{Kind: refs.KindFor(kind), Newest: true}
		for ref, err := range s.reader.Everything(ctx, query) {
			if !yield(listedAs(ref), err) || err != nil {
				return
			}
		}
	}
}

// ReadNew reads a record of those that [Source.Newest] yields, with what became of it since. No other events are
// read. It is not ok where it is hidden or cannot be read.
func (s *Source) ReadNew(ctx context.Context, l index.Listed) (e Entry, ok bool, err error) {
	if e, ok, err = s.reader.readListed(ctx, refOf(l), &State{}); err != nil || !ok {
		return e, false, err
	}
	e, hidden, err := s.reader.readLife(ctx, e)
	return e, !hidden && err == nil, err
}

// MadeSince tells whether this clone made a record at some time or later. Events do not count: they are about
// what is there.
func (s *Source) MadeSince(ctx context.Context, since time.Time) (bool, error) {
	for _, kind := range refs.Kinds() {
		if kind == refs.Events {
			continue
		}
		for ref, err := range s.reader.Everything(ctx, refs.Query{Kind: kind, Newest: true}) {
			if err != nil {
				return false, err
			}
			if ref.Name.ID.Time().Before(since) {
				break
			}
			if s.reader.opts.Seen.Made(ref.Name) {
				return true, nil
			}
		}
	}
	return false, nil
}

// listKinds returns what is to be listed of the records of each kind.
func (s *Source) listKinds(ctx context.Context,
	ofKind func(refs.Kind) iter.Seq2[refs.Ref, error],
) ([]index.Listed, error) {
	gone, err := s.reader.opts.Erased.Read()
	if err != nil {
		return nil, err
	}
	var all []index.Listed
	for _, kind := range refs.Kinds() {
		found, aside := ofKind(kind), map[packet.ID]bool{}
		if kind == refs.Events {
			events, err := Collect(found)
			var strangers []stranger
			if err == nil {
				events, strangers, err = s.reader.partEvents(ctx, events)
			}
			if err != nil {
				return nil, err
			}
			for _, s := range strangers {
				events, aside[s.ref.Name.ID] = append(events, s.ref), true
			}
			for _, s := range s.reader.withoutClaims(strangers) {
				delete(aside, s.ref.Name.ID)
			}
			found = check.Each(events)
		}
		for ref, err := range found {
			if err != nil {
				return nil, err
			}
			if s.reader.whyLeftOut(ctx, ref) != nil || gone.Holds(kind, ref.Name.ID) {
				continue
			}
			l := listedAs(ref)
			l.Aside = aside[ref.Name.ID]
			all = append(all, l)
		}
	}
	return all, nil
}

// Documents reads some records of a listing. What cannot be read, or came from elsewhere and holds a secret, is
// left out.
func (s *Source) Documents(ctx context.Context, listed []index.Listed) ([]index.Document, error) {
	all := make([]index.Document, 0, len(listed))
	for group := range slices.Chunk(listed, check.Together) {
		for _, l := range group {
			ref := refOf(l)
			object, err := s.reader.opts.Store.Read(ctx, ref)
			var rec *packet.Record
			if err == nil {
				if rec, err = s.reader.parseRecord(ctx, ref, object); err != nil {
					continue // What is no record says nothing; lists and checks tell of it.
				}
				err = s.reader.scanForeign(ctx, ref, object.Data)
			}
			if err != nil {
				if err = s.reader.Skip(l.Ref, err); err != nil {
					return nil, err
				}
				continue
			}
			d := index.Document{
				Ref: l.Ref, Content: rec.Content(), Private: ref.Name.Private, Remote: ref.Remote != "",
				Signed: object.TagOID != "",
			}
			d.Signer = s.signerWord(ref, object, d.Content.Provenance)
			switch rec.Kind() {
			case packet.KindEvent:
				d.Event = rec.Event()
			case packet.KindSkip:
				d.Rules = index.RulesOf(d.Content, rec.Skip())
			default:
				d.Rules = index.RulesOf(d.Content, packet.Skip{})
			}
			all = append(all, d)
		}
		s.reader.examined.KeepMany()
	}
	return all, nil
}

// resolveName finds a record by the full name that a listing gave it. One that was taken away since is
// unreadable.
func (r *Reader) resolveName(ctx context.Context, full string) (refs.Ref, error) {
	ref, err := r.opts.Store.Lookup(ctx, refOf(index.Listed{Ref: full}).Name)
	if errors.Is(err, refs.ErrNotFound) {
		return ref, fmt.Errorf("find record %q: %w", full, refs.ErrMissing)
	}
	return ref, err
}
