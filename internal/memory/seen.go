package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/local"
	"github.com/git-ltm/git-ltm/internal/packet"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
	"github.com/git-ltm/git-ltm/internal/vouch"
)

// seen is what this user of this clone knows of each record since they first read or made it. No remote can write it, and
// another user of the repository has a file of their own. A record that is
// another one now, or lost its signature, was tampered with: records are written once.
type seen struct {
	journal.Notebook

	lost error // why it could not be kept what was made here
}

// A sighting is a record as this clone saw it.
type sighting struct {
	blob      string
	tag       string // the tag object behind which it lay, where this clone made that or its key counted; empty for none
	made      bool   // this clone made it
	forgotten bool   // somebody here accepted that it is gone
}

func newSeen(repo *git.Repo) *seen { return openSeen(repo.Local().OwnFile("seen")) }

func openSeen(at local.File) *seen { return &seen{Notebook: journal.OpenNotebook(at)} }

func keyOf(name refs.Name) string {
	key := string(name.Kind) + "/" + string(name.ID)
	if name.Private {
		return "private/" + key
	}
	return key
}

// ofKey is the other way round of keyOf.
func ofKey(key string) (refs.Name, bool) {
	if rest, private := strings.CutPrefix(key, "private/"); private {
		return refs.ParsePrivate(refs.PrivateRoot + rest)
	}
	return refs.ParseName(refs.Root + key)
}

// find returns what is known of a record.
func (s *seen) find(name refs.Name) (sighting, bool) {
	text, ok := s.Notebook.Find(keyOf(name))
	if !ok {
		return sighting{}, false
	}
	return parseSighting(text)
}

// hasMade tells whether this clone made a record of an id.
func (s *seen) hasMade(id packet.ID) bool {
	return s.any(id, func(was sighting) bool { return was.made })
}

// isOurs tells whether this clone made a record of an id, or saw it signed by a trusted key.
func (s *seen) isOurs(id packet.ID) bool {
	return s.any(id, func(was sighting) bool { return was.made || was.tag != "" })
}

// any tells whether something holds of one of the records of an id.
func (s *seen) any(id packet.ID, holds func(sighting) bool) bool {
	for _, kind := range refs.Kinds() {
		for _, private := range []bool{false, true} {
			if was, known := s.find(refs.Name{Kind: kind, ID: id, Private: private}); known && holds(was) {
				return true
			}
		}
	}
	return false
}

// note remembers a record.
func (s *seen) note(name refs.Name, now sighting) { s.Notebook.Note(keyOf(name), now.text()) }

// erase forgets what a record was, and keeps that it was purged.
func (s *seen) erase(name refs.Name) {
	if was, known := s.find(name); known && was.blob != erased {
		s.note(name, sighting{blob: erased, forgotten: true})
	}
}

// erased stands in the place of the object of a record that was purged.
const erased = "-"

// keep writes what was noted. A clone that cannot be written to forgets what it only saw; that it made a record, or that
// somebody accepted something, is missed, and lost says so.
func (s *seen) keep() {
	missed := slices.ContainsFunc(s.Unwritten(), func(e journal.Entry) bool {
		was, ok := parseSighting(e.Value)
		return ok && (was.made || was.forgotten)
	})
	if err := s.Notebook.Keep(); err != nil && missed {
		s.lost = errors.Join(s.lost, fmt.Errorf("note what this clone made, which counts as unsigned without that: %w", err))
	}
}

func (s sighting) text() string {
	text := s.blob
	if s.tag != "" {
		text += " tag=" + s.tag
	}
	if s.made {
		text += " made"
	}
	if s.forgotten {
		text += " forgotten"
	}
	return text
}

func parseSighting(text string) (sighting, bool) {
	fields := strings.Fields(text)
	if len(fields) == 0 {
		return sighting{}, false
	}
	s := sighting{blob: fields[0]}
	for _, f := range fields[1:] {
		if tag, ok := strings.CutPrefix(f, "tag="); ok {
			s.tag = tag
		}
		s.made = s.made || f == "made"
		s.forgotten = s.forgotten || f == "forgotten"
	}
	return s, true
}

// compare says what a verdict becomes by what was seen before, and notes what is new. A signature that counted and is another
// one now, or none, was tampered with, unless the new one counts too. What strangers sign, and take away again, says nothing.
func (s *seen) compare(v vouch.Vouched, name refs.Name, obj refs.Object) sign.Verdict {
	was, known := s.find(name)
	now := sighting{blob: obj.OID}
	if v.Own.Standing == sign.Good || v.Own.Standing == sign.Expired {
		now.tag = obj.TagOID
	}
	switch {
	case v.Verdict.Standing.Withheld():
		return v.Verdict
	case !known:
		s.note(name, now)
		return v.Verdict
	case was.blob != now.blob:
		return sign.Verdict{Standing: sign.Bad, Why: "this clone has seen another record under this name, and records are written once"}
	case was.tag != "" && was.tag != obj.TagOID && now.tag == "":
		return sign.Verdict{Standing: sign.Bad, Why: "a key that counted had signed it when this clone saw it, and that signature is gone"}
	}
	if now.tag != "" && now.tag != was.tag {
		was.tag = now.tag
		s.note(name, was)
	}
	if was.made && weak(v.Verdict.Standing) {
		return sign.Verdict{Standing: sign.Local, By: v.Verdict.By, Key: v.Verdict.Key, Why: "this clone made it; " + v.Verdict.Why, Until: v.Verdict.Until}
	}
	return v.Verdict
}

// weak tells the standings that say less than that this clone made a record.
func weak(s sign.Standing) bool {
	return s == sign.Unsigned || s == sign.Unknown || s == sign.Foreign
}
