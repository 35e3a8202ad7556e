// Package ledger keeps what a clone knows of records beside the records: which of them it saw and made, who
// delivered them, which it took out for good, and what was answered to purges.
//
// No remote can write it, and no record depends on it: a clone that loses its ledger sees everything for the
// first time.
package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/trust"
	"github.com/git-ltm/git-ltm/internal/upstream"
)

// Seen is what this user of this clone knows of each record since they first read or made it. No remote can
// write it, and another user of the repository has a file of their own. A record that is another one now, or
// lost its signature, was tampered with: records are written once.
type Seen struct {
	notes journal.Notebook
	lost  error // why it could not be kept what was made here
}

// A Sighting is a record as this clone saw it.
type Sighting struct {
	Blob string
	// the tag object behind which it lay, where this clone made that or its key counted; empty for none
	Tag       string
	Made      bool // this clone made it
	Forgotten bool // somebody here accepted that it is gone
}

// OpenSeen opens what is known in a file.
func OpenSeen(at local.File) *Seen { return &Seen{notes: journal.OpenNotebook(at)} }

// KeyOf names a record in the ledger, and wherever it is to stay the same which ref counts for it.
func KeyOf(name refs.Name) string {
	key := string(name.Kind) + "/" + string(name.ID)
	if name.Private {
		return "private/" + key
	}
	return key
}

// OfKey is the other way round of [KeyOf].
func OfKey(key string) (refs.Name, bool) {
	if rest, private := strings.CutPrefix(key, "private/"); private {
		return refs.ParsePrivate(refs.PrivateRoot + rest)
	}
	return refs.ParseName(refs.Root + key)
}

// Find returns what is known of a record.
func (s *Seen) Find(name refs.Name) (Sighting, bool) {
	text, ok := s.notes.Find(KeyOf(name))
	if !ok {
		return Sighting{}, false
	}
	return parseSighting(text)
}

// Made tells whether this clone made a record, as far as it remembers.
func (s *Seen) Made(name refs.Name) bool {
	was, _ := s.Find(name)
	return was.Made
}

// MadeOne tells whether this clone made a record of an id.
func (s *Seen) MadeOne(id packet.ID) bool {
	return s.anyOfID(id, func(was Sighting) bool { return was.Made })
}

// IsOurs tells whether this clone made a record of an id, or saw it signed by a trusted key.
func (s *Seen) IsOurs(id packet.ID) bool {
	return s.anyOfID(id, func(was Sighting) bool { return was.Made || was.Tag != "" })
}

// anyOfID tells whether something holds of one of the records of an id.
func (s *Seen) anyOfID(id packet.ID, holds func(Sighting) bool) bool {
	return slices.ContainsFunc(namesOf(id), func(name refs.Name) bool {
		was, known := s.Find(name)
		return known && holds(was)
	})
}

// namesOf are the names that records of an id may have.
func namesOf(id packet.ID) (all []refs.Name) {
	for _, kind := range refs.Kinds() {
		all = append(all, refs.Name{Kind: kind, ID: id}, refs.Name{Kind: kind, ID: id, Private: true})
	}
	return all
}

// Note remembers a record.
func (s *Seen) Note(name refs.Name, now Sighting) { s.notes.Note(KeyOf(name), now.asText()) }

// Erase forgets what a record was, and keeps that it was purged.
func (s *Seen) Erase(name refs.Name) {
	if was, known := s.Find(name); known && was.Blob != erased {
		s.Note(name, Sighting{Blob: erased, Forgotten: true})
	}
}

// erased stands in the place of the object of a record that was purged.
const erased = "-"

// A Known is a record that this clone saw, and what it saw of it.
type Known struct {
	Name refs.Name
	Was  Sighting
}

// All yields the records that may travel and that this clone saw, in the order of the journal.
func (s *Seen) All() iter.Seq2[Known, error] {
	return func(yield func(Known, error) bool) {
		for e, err := range s.notes.All() {
			if err != nil {
				yield(Known{}, err)
				return
			}
			was, ok := parseSighting(e.Value)
			name, isName := refs.ParseName(refs.Root + e.Key)
			if ok && isName && !yield(Known{name, was}, nil) {
				return
			}
		}
	}
}

// Keep writes what was noted. A clone that cannot be written to forgets what it only saw; that it made a
// record, or that somebody accepted something, is missed, and [Seen.Close] says so.
func (s *Seen) Keep() {
	missed := slices.ContainsFunc(s.notes.Unwritten(), func(e journal.Entry) bool {
		was, ok := parseSighting(e.Value)
		return ok && (was.Made || was.Forgotten)
	})
	if err := s.notes.Keep(); err != nil && missed {
		s.lost = errors.Join(s.lost,
			fmt.Errorf("note what this clone made, which counts as unsigned without that: %w", err))
	}
}

// Close writes what was noted. It is an error where it could not be kept that this clone made a record.
func (s *Seen) Close() error {
	s.Keep()
	return s.lost
}

// Overlook notes whether this clone may miss the records of an id without a word.
func (s *Seen) Overlook(id packet.ID, missing bool) {
	for _, name := range namesOf(id) {
		if was, known := s.Find(name); known && was.Blob != erased && was.Forgotten != missing {
			was.Forgotten = missing
			s.Note(name, was)
		}
	}
}

func (s Sighting) asText() string {
	text := s.Blob
	if s.Tag != "" {
		text += " tag=" + s.Tag
	}
	if s.Made {
		text += " made"
	}
	if s.Forgotten {
		text += " forgotten"
	}
	return text
}

func parseSighting(text string) (Sighting, bool) {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return Sighting{}, false
	}
	s := Sighting{Blob: fields[0]}
	for _, f := range fields[1:] {
		if tag, ok := strings.CutPrefix(f, "tag="); ok {
			s.Tag = tag
		}
		s.Made = s.Made || f == "made"
		s.Forgotten = s.Forgotten || f == "forgotten"
	}
	return s, true
}

// Compare says what a verdict becomes by what was seen before, and notes what is new. A signature that
// counted and is another one now, or none, was tampered with, unless the new one counts too. What strangers
// sign, and take away again, says nothing.
func (s *Seen) Compare(v trust.Vouched, name refs.Name, obj refs.Object) sign.Verdict {
	was, known := s.Find(name)
	now := Sighting{Blob: obj.OID}
	if v.Own.Standing == sign.Good || v.Own.Standing == sign.Expired {
		now.Tag = obj.TagOID
	}
	switch {
	case v.Verdict.Standing.Withheld():
		return v.Verdict
	case !known: // Another process may make it just now, and note that.
		s.notes.Offer(KeyOf(name), now.asText())
		return v.Verdict
	case was.Blob != now.Blob:
		return sign.Verdict{
			Standing: sign.Bad,
			Why:      "this clone has seen another record under this name, and records are written once",
		}
	case was.Tag != "" && was.Tag != obj.TagOID && now.Tag == "":
		return sign.Verdict{
			Standing: sign.Bad,
			Why:      "a key that counted had signed it when this clone saw it, and that signature is gone",
		}
	}
	if now.Tag != "" && now.Tag != was.Tag {
		was.Tag = now.Tag
		s.Note(name, was)
	}
	if was.Made && isWeak(v.Verdict.Standing) {
		return sign.Verdict{
			Standing: sign.Local, By: v.Verdict.By, Key: v.Verdict.Key,
			Why: "this clone made it; " + v.Verdict.Why, Until: v.Verdict.Until,
		}
	}
	return v.Verdict
}

// isWeak tells the standings that say less than that this clone made a record.
func isWeak(s sign.Standing) bool {
	return s == sign.Unsigned || s == sign.Unknown || s == sign.Foreign
}

// NoteSigner remembers that a trusted key signed a record in which this name stands as the author's.
func (s *Seen) NoteSigner(name string) {
	if !s.Signs(name) {
		s.notes.Note(signerKey(name), "yes")
	}
}

// Signs tells whether this clone saw a record of that name that a trusted key signed.
func (s *Seen) Signs(name string) bool {
	_, ok := s.notes.Find(signerKey(name))
	return ok
}

// signerKey is the key of somebody who signs, and of whoever has a name that looks like it.
func signerKey(name string) string {
	sum := sha256.Sum256([]byte(trust.Look(name)))
	return "signs/" + hex.EncodeToString(sum[:8])
}

// Deliver writes down that a remote delivered records, by its effective URL. The names are full names of refs
// that this clone accepted. What is not written down, because the process died before or plain git brought
// it, came from nobody knows where.
func (s *Seen) Deliver(names []string, address string, at time.Time) {
	value := strconv.FormatInt(at.Unix(), 10) + " " + upstream.Address(address)
	sum := sha256.Sum256([]byte(value))
	id := hex.EncodeToString(sum[:6])
	if len(names) > 0 {
		s.notes.Note("delivery/"+id, value) // Once for all of them.
	}
	for _, full := range names {
		if name, ok := refs.ParseName(full); ok {
			s.notes.Note("from/"+KeyOf(name), id)
		}
	}
}

// Readdress lets what a remote delivered by one address count as delivered by another one: it moved.
func (s *Seen) Readdress(from, to string) error {
	for e, err := range s.notes.All() {
		if err != nil {
			return err
		}
		seconds, address, _ := strings.Cut(e.Value, " ")
		if strings.HasPrefix(e.Key, "delivery/") && address == upstream.Address(from) {
			s.notes.Note(e.Key, seconds+" "+upstream.Address(to))
		}
	}
	return nil
}

// Delivery says which remote delivered a record, and when; not ok where that was not written down.
func (s *Seen) Delivery(name refs.Name) (address string, at time.Time, ok bool) {
	id, ok := s.notes.Find("from/" + KeyOf(name))
	if !ok {
		return "", time.Time{}, false
	}
	value, ok := s.notes.Find("delivery/" + id)
	seconds, address, cut := strings.Cut(value, " ")
	unix, err := strconv.ParseInt(seconds, 10, 64)
	if !ok || !cut || err != nil {
		return "", time.Time{}, false
	}
	return address, time.Unix(unix, 0).UTC(), true
}
