package replay

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/check"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/redact"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/scan"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
)

// examinedVersion changes when records are judged in another way, or what is kept of an event is written in
// another way.
const examinedVersion = "1"

// examined is what this clone found out about objects that others made: which are no records, and of the
// events of people who are not trusted what they speak of, and in which a scan found a secret, or came to no
// end. Whoever can push can make any number of all these, and nobody reads them a second time. And in which
// other records a scan found nothing, which nobody scans a second time.
type examined struct{ journal.Notebook }

// The marks behind the version of an entry.
const (
	markInvalid = "i" // and why
	markEvent   = "e" // and a brief
	markSecret  = "s" // how many the rules of a version found, and that version
	markSlow    = "u" // and the version of the rules that could not be applied in time
	markClean   = "c" // and the version of the rules that found nothing that blocks
)

// Invalid says why an object is no record, where that is known.
func (r *Reader) Invalid(ref refs.Ref) error {
	text, _ := r.examined.Find(ref.Object)
	return whyInvalid(text)
}

// whyInvalid says so by what was kept of the object.
func whyInvalid(text string) error {
	if why, is := strings.CutPrefix(text, examinedVersion+markInvalid+" "); is {
		return &MismatchError{Why: why}
	}
	return nil
}

// longestWhy bounds what is kept of a reason.
const longestWhy = 200

// NoteInvalid remembers that an object is no record, so that lists do not read it again.
func (r *Reader) NoteInvalid(ref refs.Ref, err error) {
	why := strings.Join(strings.Fields(err.Error()), " ")
	r.examined.Note(ref.Object, examinedVersion+markInvalid+" "+
		strings.ToValidUTF8(why[:min(len(why), longestWhy)], ""))
}

// mostFindings bounds how many findings are told of, where only their number is known.
const mostFindings = 4096

// noteScan remembers that a scan kept out what came from others, and why; or that it no longer does.
func (x *examined) noteScan(ref refs.Ref, rules *scan.Rules, fault error) {
	secret, is := errors.AsType[*SecretError](fault)
	switch {
	case is:
		x.Note(ref.Object, fmt.Sprintf("%s%s %d %s", examinedVersion, markSecret, len(secret.Findings),
			rules.Version()))
	case errors.Is(fault, scan.ErrSlow):
		x.Note(ref.Object, examinedVersion+markSlow+" "+rules.Version())
	case fault == nil && x.whyKeptOut(ref, rules) != nil:
		x.Note(ref.Object, examinedVersion)
	}
}

// whyKeptOut says why a scan by the same rules kept an object out, where that is known.
func (x *examined) whyKeptOut(ref refs.Ref, rules *scan.Rules) error {
	text, _ := x.Find(ref.Object)
	rest, found := strings.CutSuffix(text, " "+rules.Version())
	if found && rest == examinedVersion+markSlow {
		return fmt.Errorf("scan for secrets: %w", scan.ErrSlow)
	}
	count, is := strings.CutPrefix(rest, examinedVersion+markSecret+" ")
	if n, err := strconv.Atoi(count); found && is && err == nil && n > 0 {
		return &SecretError{Findings: make([]redact.Finding, min(n, mostFindings)), Stored: true}
	}
	return nil
}

// IsStrange tells whether an object is known as the event of somebody who is not trusted.
func (r *Reader) IsStrange(object string) bool {
	_, strange := r.examined.findBrief(object)
	return strange
}

// whyLeftOut says why lists leave a record out, where that is known without reading it: it is none, or this
// clone did not make it and the rules that count now found a secret in it, or were too slow. Where people
// here allowed something in it, it is read.
func (r *Reader) whyLeftOut(ctx context.Context, ref refs.Ref) error {
	text, _ := r.examined.Find(ref.Object) // Once: a list of all records asks for each.
	if err := whyInvalid(text); err != nil {
		return err
	}
	if !strings.HasPrefix(text, examinedVersion+markSecret) &&
		!strings.HasPrefix(text, examinedVersion+markSlow) || r.isOwn(ref) {
		return nil // No scan by rules of any version kept it out.
	}
	rules, err := r.opts.Rules.Rules(ctx)
	if err != nil {
		return nil //nolint:nilerr // Whoever reads it tells of that.
	}
	fault := r.examined.whyKeptOut(ref, rules)
	r.keptOut = r.keptOut || fault != nil
	if _, secret := errors.AsType[*SecretError](fault); !secret || ref.Name.Kind == refs.Events {
		return fault
	}
	allowed, err := r.Allowed(ctx)
	if err != nil {
		return nil //nolint:nilerr // The same.
	}
	for _, one := range allowed.All {
		if one.Record == ref.Name.ID {
			return nil // Something was allowed in it.
		}
	}
	return fault
}

// brief is what is kept of an event of somebody who is not trusted.
type brief struct {
	id      packet.ID // its own; empty where it is none
	at      time.Time
	kind    string
	targets []packet.ID // none where it never counts
	stamp   string      // the trust by which its signature is of no trusted key; empty where it has none
}

func (b brief) asText() string {
	var targets strings.Builder
	for _, id := range b.targets {
		targets.WriteString(string(id))
	}
	return fmt.Sprintf("%s%s %s %d.%d %s %s %s", examinedVersion, markEvent, b.id, b.at.Unix(),
		b.at.Nanosecond(), b.kind, &targets, b.stamp)
}

// findBrief returns what is kept of the event behind an object.
func (x *examined) findBrief(object string) (b brief, ok bool) {
	text, _ := x.Find(object)
	f := strings.Split(text, " ")
	if len(f) != 6 || f[0] != examinedVersion+markEvent {
		return b, false
	}
	seconds, fraction, _ := strings.Cut(f[2], ".")
	s, errS := strconv.ParseInt(seconds, 10, 64)
	n, errN := strconv.ParseInt(fraction, 10, 64)
	for rest := f[4]; len(rest) >= idLength; rest = rest[idLength:] {
		b.targets = append(b.targets, packet.ID(rest[:idLength]))
	}
	b.id, b.at, b.kind, b.stamp = packet.ID(f[1]), time.Unix(s, n), f[3], f[5]
	return b, errS == nil && errN == nil
}

// How many events of one kind about one record count, of those that are not trusted: the newest. Of those
// that bear text each may say something else. Of the others the last decides, and the ones before it only
// where it is undone: of more than mostOfKind, which no people make, the newest few count.
const (
	mostOfText = 32
	MostOfKind = 8
	fewOfKind  = 4
)

// stranger is the event of somebody who is not trusted.
type stranger struct {
	ref   refs.Ref
	brief brief
}

// Counting returns those of some events that take part in the fold: all that were made here or signed by a
// trusted key, and of the others those that are valid and among the newest of their kind about one of their
// records. So clones that hold the same records, and trust nobody, agree.
func (r *Reader) Counting(ctx context.Context, events []refs.Ref) ([]refs.Ref, error) {
	kept, strangers, err := r.partEvents(ctx, events)
	for _, s := range strangers {
		kept = append(kept, s.ref)
	}
	return kept, err
}

// partEvents parts the events that take part in the fold into those that have to be read each time and those
// of strangers.
func (r *Reader) partEvents(ctx context.Context,
	events []refs.Ref,
) (kept []refs.Ref, strangers []stranger, err error) {
	for group := range slices.Chunk(events, check.Together) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		more, err := r.examineEvents(ctx, group, &kept)
		if err != nil {
			return nil, nil, err
		}
		strangers = append(strangers, more...)
	}
	all := len(strangers)
	// Leaves out the events before which there are too many of their kind about the same record, and
	// each undo of one.
	slices.SortFunc(strangers, func(a, b stranger) int {
		return cmp.Or(b.brief.at.Compare(a.brief.at), cmp.Compare(b.ref.Name.ID, a.ref.Name.ID))
	})
	type subject struct {
		kind string
		id   packet.ID
	}
	said, spoken := map[subject]int{}, map[subject]int{}
	for _, s := range strangers {
		for _, id := range s.brief.targets {
			said[subject{s.brief.kind, id}]++
		}
	}
	out := map[packet.ID]bool{}
	some := slices.DeleteFunc(strangers, func(s stranger) bool {
		counts := false
		for _, id := range s.brief.targets {
			of := subject{s.brief.kind, id}
			spoken[of]++
			most := fewOfKind
			if bearsText(of.kind) {
				most = mostOfText
			}
			counts = counts || spoken[of] <= most || said[of] <= MostOfKind
		}
		out[s.ref.Name.ID] = !counts
		return !counts
	})
	strangers = withoutUndone(some, out)
	r.crowd = max(r.crowd, all-len(strangers))
	return kept, strangers, nil
}

// withoutUndone leaves out each undo of nothing but events that are out.
func withoutUndone(newestFirst []stranger, out map[packet.ID]bool) []stranger {
	var kept []stranger
	for _, s := range slices.Backward(newestFirst) { // An undo reaches only what stands before it.
		if s.brief.kind == UndoEvent &&
			!slices.ContainsFunc(s.brief.targets, func(id packet.ID) bool { return !out[id] }) {
			out[s.ref.Name.ID] = true
			continue
		}
		kept = append(kept, s)
	}
	slices.Reverse(kept)
	return kept
}

// withoutClaims leaves out the events of strangers that are no more than claims, because they bear text about
// records that this clone made or saw signed by a trusted key. Questions of hooks do not read what changes
// nothing.
func (r *Reader) withoutClaims(all []stranger) []stranger {
	out := map[packet.ID]bool{}
	some := slices.DeleteFunc(slices.Clone(all), func(s stranger) bool {
		out[s.ref.Name.ID] = bearsText(s.brief.kind) && !r.isAccepted(s.ref.Name.ID) &&
			!slices.ContainsFunc(s.brief.targets, func(id packet.ID) bool { return !r.opts.Seen.IsOurs(id) })
		return out[s.ref.Name.ID]
	})
	return withoutUndone(some, out)
}

// Examine parts some events: those that have to be read each time are kept, and those of strangers returned.
// What is no event is remembered, and skipped.
func (r *Reader) examineEvents(ctx context.Context, events []refs.Ref,
	kept *[]refs.Ref,
) (found []stranger, err error) {
	var unknown []refs.Ref
	for _, ref := range events {
		familiar, err := r.isFamiliar(ctx, ref)
		if err != nil {
			return nil, err
		}
		if familiar {
			*kept = append(*kept, ref)
			continue
		}
		if err := r.whyLeftOut(ctx, ref); err != nil {
			_ = r.Skip(ref.Full(), err) // It is the fault of the record.
			continue
		}
		b, ok := r.examined.findBrief(ref.Object)
		if ok && b.stamp != "" {
			t, err := r.opts.Judge.Trust(ctx)
			if err != nil {
				return nil, err
			}
			ok = b.stamp == t.Stamp()
		}
		switch {
		case !ok:
			unknown = append(unknown, ref)
		case b.id != "" && b.id != ref.Name.ID:
			_ = r.Skip(ref.Full(), errOtherID()) // The same.
		default:
			found = append(found, stranger{ref, b})
		}
	}
	for _, ref := range unknown {
		b, ok, err := r.examineOne(ctx, ref)
		switch {
		case err != nil && IsUnreadable(err):
			_ = r.Skip(ref.Full(), err) // The same.
		case err != nil:
			return nil, err
		case ok:
			r.examined.Note(ref.Object, b.asText())
			found = append(found, stranger{ref, b})
		default:
			*kept = append(*kept, ref)
		}
	}
	r.examined.KeepMany()
	return found, nil
}

// isFamiliar tells an event that this clone made, or of which it knows more than its bytes say.
func (r *Reader) isFamiliar(ctx context.Context, ref refs.Ref) (bool, error) {
	if was, known := r.opts.Seen.Find(ref.Name); ref.Name.Private || ref.Conflict ||
		known && (was.Made || was.Tag != "" || was.Blob != ref.Object) {
		return true, nil
	}
	endorsed, err := r.opts.Judge.AllEndorsements(ctx)
	if err != nil || len(endorsed[ref.Name.ID]) == 0 {
		return false, err
	}
	listed, err := r.opts.Judge.ListedKeys(ctx)
	return slices.ContainsFunc(endorsed[ref.Name.ID], func(e refs.Ref) bool { return listed[e.Name.Key] }),
		err
}

// examineOne looks at an event for the first time, and reports whether a trusted key signed it not.
func (r *Reader) examineOne(ctx context.Context, ref refs.Ref) (b brief, strange bool, err error) {
	object, err := r.opts.Store.Read(ctx, ref)
	if err != nil {
		return b, false, err
	}
	rec, err := r.parseRecord(ctx, ref, object)
	if err != nil {
		return b, false, err
	}
	e := rec.Event()
	b = brief{at: e.CreatedAt, kind: e.Event, targets: IDs(e.Targets)}
	b.id, _ = packet.ParseID(rec.OwnID()) // One that is none may lie under any name.
	if object.TagOID == "" {
		return b, true, nil
	}
	v, err := r.opts.Judge.JudgeTag(ctx, ref.Name.ID, object.Tag, object.TagOID, object)
	if err != nil || v.Standing.Vouched() {
		return b, false, err
	}
	if v.Standing.Withheld() {
		b.targets = nil
	}
	t, err := r.opts.Judge.Trust(ctx)
	if err != nil {
		return b, false, err
	}
	b.stamp = t.Stamp()
	return b, true, nil
}

// The words for who put a record here, beside the fingerprints of keys of SSH. They never say that a record
// counts: they keep crowds of strangers from being read.
const (
	byThisClone = "here"   // this user of this clone made it
	byAnybody   = "unsure" // it is signed, and only who reads it can tell
	byNobody    = "nobody" // it lies behind no signature, and others made it
	bySomebody  = "young"  // it lies behind no signature, and it is not noted yet who made it
)

// YoungWord is the word of [index.Document] for who put a record here that lies behind no signature, as long
// as it is not noted yet who made it.
const YoungWord = bySomebody

// youngRecord is how old a record is by its id of which everything is noted: the process that makes one notes
// that after its ref.
const youngRecord = 10 * time.Minute

// byAuthor stands between such a word and one for the author whom the record states, where a remote delivered
// it.
const byAuthor = "~"

// signerWord says who put a record here.
func (s *Source) signerWord(ref refs.Ref, obj refs.Object, by packet.Provenance) string {
	name := ref.Name
	was, known := s.reader.opts.Seen.Find(name)
	if was.Made || name.Private {
		return byThisClone
	}
	address, _, delivered := s.reader.opts.Seen.Delivery(name)
	young := !known && !delivered && ref.Remote == "" &&
		s.reader.opts.Now().Sub(name.ID.Time()).Abs() < youngRecord
	word := byNobody
	switch {
	case obj.TagOID == "" && young:
		word = bySomebody
	case obj.TagOID == "":
	case young:
		word = byAnybody
	default:
		if tag, err := sign.ParseTag(obj.Tag); err == nil { // Else its signature is bad.
			key, _, ok := tag.PublicKey()
			if _, _, certified := tag.Authority(); !ok || certified {
				key = byAnybody
			}
			word = key
		}
	}
	if delivered {
		word += byAuthor + trust.AuthorWord(address, by)
	}
	return word
}

// SettledWord is the word that stands for [YoungWord] by now for a ref, where it is noted who made its
// record, or will not be noted any more. No record is read.
func (s *Source) SettledWord(full string) (word string, ok bool) {
	name, ok := refs.ParseName(full)
	if !ok {
		return "", false
	}
	was, known := s.reader.opts.Seen.Find(name)
	_, _, delivered := s.reader.opts.Seen.Delivery(name)
	old := s.reader.opts.Now().Sub(name.ID.Time()).Abs() >= youngRecord
	switch {
	case was.Made:
		return byThisClone, true
	case delivered: // Its author counts too, whom the record states.
		return "", false
	default:
		return byNobody, known || old
	}
}

// mostSigners is how many keys, and how many authors, are asked for by their words.
const mostSigners = 24

// Voices are words of [index.Document] for those whose records may be shown to somebody who did not ask for
// them.
type Voices struct {
	Trusted []string // those who may be trusted
	Anybody bool     // it cannot be told beforehand who may be trusted
	// those whose unsigned records are shown although nobody vouches for them, because the upstream delivered
	// them
	Claimed []string
}

// Voices parts some words. That rests on lists of keys and names as they are now, and nothing of it is kept.
func (s *Source) Voices(ctx context.Context, words []string) (v Voices, err error) {
	trusted, err := s.trustedSigners(ctx)
	if v.Anybody = trusted == nil; err != nil {
		return v, err
	}
	for _, word := range words {
		who, author, delivered := strings.Cut(word, byAuthor)
		if slices.Contains(trusted, who) || v.Anybody && who != byNobody {
			v.Trusted = append(v.Trusted, word)
			continue
		}
		if !delivered {
			continue
		}
		heard, err := s.reader.opts.Judge.IsHeard(ctx, author, s.reader.opts.Seen.Signs)
		if err != nil {
			return v, err
		}
		if heard {
			v.Claimed = append(v.Claimed, word)
		}
	}
	return v, nil
}

// trustedSigners are the words for those who may be trusted, but for their authors; nil is everybody, where
// that cannot be told beforehand.
func (s *Source) trustedSigners(ctx context.Context) ([]string, error) {
	p, err := s.reader.opts.Judge.Policy(ctx)
	if err != nil || p.Require == trust.Never || s.reader.opts.Repo.Local().IsShared() {
		return nil, err
	}
	endorsed, err := s.reader.opts.Judge.AllEndorsements(ctx)
	if err != nil || len(endorsed) > 0 {
		return nil, err
	}
	keys, ok, err := s.reader.opts.Judge.SSHKeys(ctx)
	if err != nil || !ok || len(keys) > mostSigners {
		return nil, err
	}
	return append([]string{byThisClone, byAnybody, bySomebody}, keys...), nil
}

// IsSure tells a word for who put a record here from those of which only who reads the record can tell more.
func IsSure(signer string) bool {
	who, _, _ := strings.Cut(signer, byAuthor)
	return who != byAnybody && who != bySomebody
}

// Stranger says why a record which lies behind no signature is surely kept from those who did not ask for it,
// without reading it: this clone did not make it, and nobody signed it later. Nothing says that it has to be
// read. It is for crowds: anybody who can push can make any number of records that meet a question.
func (s *Source) Stranger(ctx context.Context, full, signer string) (why string, err error) {
	if who, _, _ := strings.Cut(signer, byAuthor); who != byNobody && who != bySomebody {
		return "", nil
	}
	p, err := s.reader.opts.Judge.Policy(ctx)
	if err != nil || p.Require == trust.Never {
		return "", err
	}
	ref, ok := refs.ParseRef(full)
	name := ref.Name
	if !ok || name.Private { // Whatever is private was made here.
		return "", nil
	}
	if s.reader.opts.Seen.Made(name) {
		return "", nil
	}
	endorsed, err := s.reader.opts.Judge.AllEndorsements(ctx)
	if err != nil || len(endorsed[name.ID]) > 0 {
		return "", err
	}
	return trust.Unvouched(p, trust.NotSigned), nil
}
