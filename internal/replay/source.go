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

// Listed is the name of a record that is known here, and the object that it names.
type Listed struct {
	Name   string // the full name of its ref, local, tracking or private
	Object string
	// what stays the same where another ref counts for the record: its kind and id, and that it is private
	Record string
	Young  bool // a ref of it is loose, so that the packed part of a stamp does not speak of it
	// an event of a stranger that is no more than a claim: whoever asks for the record may want to know of it
	Aside bool
}

// refOf is what the listing was made of, as far as it takes to read the record. A listing holds as many as
// there are records, so that it keeps no more of each than its name and its object.
func (l Listed) refOf() refs.Ref {
	ref := refs.Ref{Object: l.Object}
	var ok bool
	if ref.Name, ok = refs.ParseName(l.Name); ok {
		return ref
	}
	if ref.Name, ok = refs.ParsePrivate(l.Name); !ok {
		ref.Remote, ref.Name, _ = refs.ParseTracking(l.Name)
	}
	return ref
}

// Text is what a record says, before anybody asked who vouches for it. It is for finding records by their
// words: what is handed on is read with [Glance.Read].
type Text struct {
	Name    string
	Private bool // it never leaves this clone
	Remote  bool // a remote alone holds it
	Content packet.Content
	Event   packet.Event // valid where the content is that of an event
	Skip    packet.Skip  // valid where it is that of a skip
	Aside   bool         // as that of the listing
	Signed  bool         // it lies behind a signature, by whomever
	Signer  string       // who put it here, as far as that can be told without a look at lists of keys
}

// IsPurge tells that it is a purge of other records.
func (t Text) IsPurge() bool { return t.Event.Event == PurgeEvent }

// Stamp says in a few characters how the refs of the memory are now. As long as a part is the same, so are
// the refs that it speaks of; each may be empty where refs have just changed.
func (s *Source) Stamp(ctx context.Context) (refs.Stamp, error) {
	return s.reader.opts.Store.Stamp(ctx)
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

// Listing returns every record that is known here, of this clone, private ones and what only remotes hold, in
// the order of the names. What this clone has taken out for good, or is known to be no record or to be kept
// out by the scan, is left out. Of those nothing is read twice, and of others nothing but names.
func (s *Source) Listing(ctx context.Context) ([]Listed, error) {
	gone, err := s.reader.opts.Erased.Read()
	if err != nil {
		return nil, err
	}
	var all []Listed
	for _, kind := range refs.Kinds() {
		if all, err = s.appendListed(ctx, all, kind,
			s.reader.Everything(ctx, refs.Query{Kind: kind, Remotes: true}), gone); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b Listed) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// Young returns what [Source.Listing] would say of the records of which a ref is young, and of others by
// their [Listed.Record], in the order of the names. A list with the same [refs.Stamp.Packed] differs from one
// of now in these records alone: those that were young when it was made, which are to be asked for too, and
// those that are young now. Which of them Young does not name is not to be listed any more. Events of
// strangers are compared among these alone. Where more than most are young it fails with [ErrManyYoung].
func (s *Source) Young(ctx context.Context, records []string, most int) ([]Listed, error) {
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
	gone, err := s.reader.opts.Erased.Read()
	if err != nil {
		return nil, err
	}
	var all []Listed
	for _, kind := range refs.Kinds() {
		ofKind := func(yield func(refs.Ref, error) bool) {
			for _, ref := range found {
				if ref.Name.Kind == kind && !yield(ref, nil) {
					return
				}
			}
		}
		if all, err = s.appendListed(ctx, all, kind, ofKind, gone); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(all, func(a, b Listed) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
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

// appendListed appends what is to be listed of some records of one kind.
func (s *Source) appendListed(ctx context.Context, all []Listed, kind refs.Kind,
	found iter.Seq2[refs.Ref, error], gone ledger.Gone,
) ([]Listed, error) {
	var aside map[packet.ID]bool
	if kind == refs.Events {
		var err error
		if found, aside, err = s.partListed(ctx, found); err != nil {
			return nil, err
		}
	}
	for ref, err := range found {
		if err != nil {
			return nil, err
		}
		if s.reader.whyLeftOut(ctx, ref) != nil || gone.Holds(kind, ref.Name.ID) {
			continue
		}
		l := Listed{
			Name: ref.Full(), Object: ref.Object, Record: ledger.KeyOf(ref.Name), Young: ref.Young,
			Aside: aside[ref.Name.ID],
		}
		if strings.HasSuffix(l.Name, l.Record) { // One text does for both.
			l.Record = l.Name[len(l.Name)-len(l.Record):]
		}
		all = append(all, l)
	}
	return all, nil
}

// partListed are those that are to be listed, and which of them stand aside.
func (s *Source) partListed(ctx context.Context,
	found iter.Seq2[refs.Ref, error],
) (iter.Seq2[refs.Ref, error], map[packet.ID]bool, error) {
	list, err := Collect(found)
	if err != nil {
		return nil, nil, err
	}
	list, strangers, err := s.reader.partEvents(ctx, list)
	if err != nil {
		return nil, nil, err
	}
	aside := map[packet.ID]bool{}
	for _, s := range strangers {
		list = append(list, s.ref)
		aside[s.ref.Name.ID] = true
	}
	for _, s := range s.reader.withoutClaims(strangers) {
		delete(aside, s.ref.Name.ID)
	}
	return func(yield func(refs.Ref, error) bool) {
		for _, ref := range list {
			if !yield(ref, nil) {
				return
			}
		}
	}, aside, nil
}

// Texts reads some records of a listing. What cannot be read, or came from elsewhere and holds a secret, is
// left out.
func (s *Source) Texts(ctx context.Context, listed []Listed) ([]Text, error) {
	texts := make([]Text, 0, len(listed))
	for group := range slices.Chunk(listed, check.Together) {
		wanted := make([]refs.Wanted, len(group))
		for i, l := range group {
			ref := l.refOf()
			wanted[i] = refs.Wanted{Ref: ref, Limit: refs.Bound(ref.Name.Kind)}
		}
		for i, found := range s.reader.opts.Store.ReadMany(ctx, wanted) {
			text, ok, err := s.textOf(ctx, group[i], wanted[i].Ref, found)
			if err != nil {
				return nil, err
			}
			if ok {
				texts = append(texts, text)
			}
		}
		s.reader.examined.KeepMany()
	}
	return texts, nil
}

// textOf is what one record says.
func (s *Source) textOf(ctx context.Context, l Listed, ref refs.Ref,
	found refs.Found,
) (text Text, ok bool, err error) {
	if found.Err != nil {
		return Text{}, false, s.reader.Skip(l.Name, found.Err)
	}
	rec, err := s.reader.parseRecord(ctx, ref, found.Object)
	if err != nil {
		return Text{}, false,
			nil //nolint:nilerr // What is no record says nothing; lists and checks tell of it.
	}
	if err := s.reader.scanForeign(ctx, ref, found.Object.Data); err != nil {
		return Text{}, false, s.reader.Skip(l.Name, err)
	}
	text = Text{
		Name: l.Name, Private: ref.Name.Private, Remote: ref.Remote != "", Aside: l.Aside,
		Content: rec.Content(),
		Signed:  found.Object.TagOID != "", Signer: s.signerWord(ref, found.Object, rec.Content().Provenance),
	}
	switch rec.Kind() {
	case packet.KindEvent:
		text.Event = rec.Event()
	case packet.KindSkip:
		text.Skip = rec.Skip()
	case packet.KindPacket, packet.KindNote: // Their content says it all.
	}
	return text, true, nil
}

// resolveName finds a record by the full name that a listing gave it. One that was taken away since is
// unreadable.
func (r *Reader) resolveName(ctx context.Context, full string) (refs.Ref, error) {
	ref, err := r.opts.Store.Lookup(ctx, Listed{Name: full}.refOf().Name)
	if errors.Is(err, refs.ErrNotFound) {
		return ref, fmt.Errorf("find record %q: %w", full, refs.ErrMissing)
	}
	return ref, err
}
