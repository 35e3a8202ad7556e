package memory

import (
	"path/filepath"
	"strings"

	"github.com/git-ltm/git-ltm/internal/git"
	"github.com/git-ltm/git-ltm/internal/journal"
	"github.com/git-ltm/git-ltm/internal/refs"
	"github.com/git-ltm/git-ltm/internal/sign"
)

// seen is what this clone knows of each record since it first read or made it. No remote can write it. A record that is
// another one now, or lost its signature, was tampered with: records are written once.
type seen struct {
	file  *journal.File
	known *journal.Reader
	fresh map[string]sighting // of this process
	order []string            // the keys that are not written yet
}

// A sighting is a record as this clone saw it.
type sighting struct {
	blob      string
	tag       string // the tag object behind which it lay, where this clone made that or its key counted; empty for none
	made      bool   // this clone made it
	forgotten bool   // somebody here accepted that it is gone
}

func newSeen(repo *git.Repo) *seen {
	return openSeen(filepath.Join(repo.CommonDir, "ltm", "seen"))
}

func openSeen(path string) *seen {
	file := journal.Open(path)
	return &seen{file: file, known: file.Reader(), fresh: map[string]sighting{}}
}

func keyOf(name refs.Name) string {
	key := string(name.Kind) + "/" + string(name.ID)
	if name.Private {
		return "private/" + key
	}
	return key
}

// find returns what is known of a record. A journal that cannot be read knows nothing: it may be lost at any time.
func (s *seen) find(name refs.Name) (sighting, bool) {
	key := keyOf(name)
	if was, ok := s.fresh[key]; ok {
		return was, true
	}
	text, ok := s.known.Find(key)
	if !ok {
		return sighting{}, false
	}
	return parseSighting(text)
}

// note remembers a record.
func (s *seen) note(name refs.Name, now sighting) {
	key := keyOf(name)
	s.fresh[key] = now
	s.order = append(s.order, key)
}

// erase forgets what a record was, and keeps that it was purged.
func (s *seen) erase(name refs.Name) {
	if was, known := s.find(name); known && was.blob != erased {
		s.note(name, sighting{blob: erased, forgotten: true})
	}
}

// erased stands in the place of the object of a record that was purged.
const erased = "-"

// keep writes what was noted. A clone that cannot be written to forgets it.
func (s *seen) keep() {
	entries := make([]journal.Entry, 0, len(s.order))
	for _, key := range s.order {
		entries = append(entries, journal.Entry{Key: key, Value: s.fresh[key].text()})
	}
	if len(entries) > 0 {
		_ = s.file.Append(entries)
	}
	s.order = nil
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
func (s *seen) compare(v vouched, name refs.Name, obj refs.Object) sign.Verdict {
	was, known := s.find(name)
	now := sighting{blob: obj.OID}
	if v.own.Standing == sign.Good || v.own.Standing == sign.Expired {
		now.tag = obj.TagOID
	}
	switch {
	case v.verdict.Standing.Withheld():
		return v.verdict
	case !known:
		s.note(name, now)
		return v.verdict
	case was.blob != now.blob:
		return sign.Verdict{Standing: sign.Bad, Why: "this clone has seen another record under this name, and records are written once"}
	case was.tag != "" && was.tag != obj.TagOID && now.tag == "":
		return sign.Verdict{Standing: sign.Bad, Why: "a key that counted had signed it when this clone saw it, and that signature is gone"}
	}
	if now.tag != "" && now.tag != was.tag {
		was.tag = now.tag
		s.note(name, was)
	}
	if was.made && weak(v.verdict.Standing) {
		return sign.Verdict{Standing: sign.Local, By: v.verdict.By, Key: v.verdict.Key, Why: "this clone made it; " + v.verdict.Why, Until: v.verdict.Until}
	}
	return v.verdict
}

// weak tells the standings that say less than that this clone made a record.
func weak(s sign.Standing) bool {
	return s == sign.Unsigned || s == sign.Unknown || s == sign.Foreign
}
