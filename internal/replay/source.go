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
	"github.com/git-ltm/git-ltm/internal/vouch"
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

// Glance is what some events make of the records that they speak of, without a look at all the others.
type Glance struct {
	reader *Reader
	state  *State
}

// Glance reads events by their full names. They have to be all that speak of the records in question, and of
// each other.
func (r *Reader) Glance(ctx context.Context, events []string) (*Glance, error) {
	all := make([]refs.Ref, 0, len(events))
	for _, full := range events {
		ref, err := r.resolveName(ctx, full)
		if IsUnreadable(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, ref)
	}
	s, err := r.foldThese(ctx, all)
	return &Glance{reader: r, state: s}, err
}

// resolveName finds a record by the full name that a listing gave it. One that was taken away since is
// unreadable.
func (r *Reader) resolveName(ctx context.Context, full string) (refs.Ref, error) {
	ref, err := r.lookupFull(ctx, full)
	if errors.Is(err, refs.ErrNotFound) {
		return ref, fmt.Errorf("find record %q: %w", full, refs.ErrMissing)
	}
	return ref, err
}

// lookupFull finds a record by its full name, which may be private, shared or tracking.
func (r *Reader) lookupFull(ctx context.Context, full string) (refs.Ref, error) {
	if name, ok := refs.ParsePrivate(full); ok {
		return r.opts.Store.LookupPrivate(ctx, name.Kind, name.ID)
	}
	name, ok := refs.ParseName(full)
	if !ok {
		_, name, ok = refs.ParseTracking(full)
	}
	if !ok {
		return refs.Ref{}, refs.ErrNotFound
	}
	return r.opts.Store.Lookup(ctx, name.Kind, name.ID)
}

// Life returns what became of a record, and whether it was purged.
func (g *Glance) Life(id packet.ID) (life Life, purged bool) {
	_, purged = g.state.Purged[id]
	return g.state.Lives[id], purged
}

// Find returns a packet, a note or a skip by its id.
func (g *Glance) Find(ctx context.Context, id packet.ID) (Entry, error) {
	ref, err := g.reader.lookupAmong(ctx, refs.Telling(), string(id))
	if err != nil {
		return Entry{}, err
	}
	return g.reader.livingIn(ctx, ref, g.state)
}

// Read returns a record by its full name.
func (g *Glance) Read(ctx context.Context, full string) (Entry, error) {
	ref, err := g.reader.resolveName(ctx, full)
	if err != nil {
		return Entry{}, err
	}
	return g.reader.livingIn(ctx, ref, g.state)
}

// Heard counts the records that are shown to those who read for a reason, and those that are kept from them.
type Heard struct {
	Told     int  `json:"told"`
	Withheld int  `json:"withheld"`
	Hidden   int  `json:"hidden"` // from all: they were retracted, ended, superseded or hidden
	More     bool `json:"more"`   // there are more of them, which were not looked at
	Unsigned int  `json:"-"`      // of Withheld, those that nobody signed, where each was looked at
	// of Withheld, those whose author is known to have committed once the default branch is fetched
	Unknown int `json:"-"`

	to Reading
}

// HeardBy counts nothing yet, for a reason to read.
func HeardBy(to Reading) Heard { return Heard{to: to} }

// All is how many records were looked at.
func (h Heard) All() int { return h.Told + h.Withheld + h.Hidden }

// Hear counts a record.
func (h *Heard) Hear(e Entry) {
	switch why := e.Withheld(h.to); {
	case why == "":
		h.Told++
	case vouch.MayBeLearned(why):
		h.Unknown++
		fallthrough
	default:
		h.Withheld++
		if !e.Signed && len(e.Endorsers) == 0 {
			h.Unsigned++
		}
	}
}

// Hide counts a record that was counted already as one that is hidden from all.
func (h *Heard) Hide(e Entry) {
	if e.Withheld(h.to) == "" {
		h.Told--
	} else {
		h.Withheld--
	}
	h.Hidden++
}

// Heard looks at so many of the newest packets, notes and skips each. No event is read, so that one that was
// retracted counts too.
func (s *Source) Heard(ctx context.Context, to Reading, most int) (Heard, error) {
	h := HeardBy(to)
	for _, kind := range refs.Telling() {
		if err := s.hearSome(ctx, &h,
			s.reader.Everything(ctx, refs.Query{Kind: kind, Newest: true, Remotes: true}), most); err != nil {
			return h, err
		}
	}
	return h, nil
}

// HeardOf looks at so many of the records of these refs, for who did not ask. What is no packet, note or skip
// is left out.
func (s *Source) HeardOf(ctx context.Context, names []string, most int) (Heard, error) {
	h := HeardBy(Unasked)
	err := s.hearSome(ctx, &h, func(yield func(refs.Ref, error) bool) {
		for _, full := range names {
			name, ok := refs.ParseName(full)
			if !ok || name.Kind == refs.Events {
				continue
			}
			ref, err := s.reader.resolveName(ctx, full)
			if IsUnreadable(err) {
				continue
			}
			if !yield(ref, err) || err != nil {
				return
			}
		}
	}, most)
	return h, err
}

// hearSome counts so many of some records. What cannot be read is told to nobody, and other commands tell of
// it.
func (s *Source) hearSome(ctx context.Context, h *Heard, some iter.Seq2[refs.Ref, error], most int) error {
	for ref, err := range some {
		if err != nil {
			return err
		}
		if most--; most < 0 {
			h.More = true
			return nil
		}
		if s.reader.whyLeftOut(ctx, ref) != nil {
			continue
		}
		e, err := s.reader.Read(ctx, ref)
		if IsUnreadable(err) {
			continue
		}
		if err != nil {
			return err
		}
		h.Hear(e)
	}
	return nil
}
