package packet

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"
)

const (
	idLength   = 26
	timeLength = 10 // the leading characters of an ID that hold its time
	maxAhead   = 24 * time.Hour
)

// ErrID says that a string is not an ID.
var ErrID = errors.New("not an id: it takes 26 upper-case characters of a ULID")

// ID is the name of a stored record: a ULID in upper case. The zero value names
// nothing.
type ID string

// ParseID returns s as an ID. It accepts the one spelling of a ULID, which is
// upper case without the letters I, L, O and U.
func ParseID(s string) (ID, error) {
	if !isID(s) {
		return "", ErrID
	}
	return ID(s), nil
}

func isID(s string) bool {
	if len(s) != idLength || s[0] > '7' {
		return false
	}
	for i := range len(s) {
		if notInID[s[i]] {
			return false
		}
	}
	return true
}

// notInID are the bytes that no ID has. Lists of refs ask for them in each name, and a processor cannot guess
// whether the next is a digit or a letter.
var notInID = func() (table [256]bool) {
	for c := range table {
		table[c] = !strings.ContainsRune("0123456789ABCDEFGHJKMNPQRSTVWXYZ", rune(c))
	}
	return table
}()

// Time returns the moment that is written into the ID, in UTC, to the
// millisecond. It is the zero time for an ID that is not valid.
func (id ID) Time() time.Time {
	u, err := ulid.ParseStrict(string(id))
	if err != nil {
		return time.Time{}
	}
	return u.Timestamp().UTC()
}

// IsAhead tells whether an id was made more than a day after now: by a broken clock.
func (id ID) IsAhead(now time.Time) bool { return id.Time().After(now.Add(maxAhead)) }

// NewID returns a fresh ID for the moment now. When after was made at now or up
// to a day ahead of it, the new ID sorts after it; an ID from further ahead
// comes from a broken clock and is not followed. An empty after means none.
func NewID(now time.Time, entropy io.Reader, after ID) (ID, error) {
	ms := millisecondsOf(now)
	if after == "" {
		return freshID(ms, entropy)
	}
	if !isID(string(after)) {
		return "", fmt.Errorf("follow the last id: %w", ErrID)
	}
	last := ulid.MustParseStrict(string(after))
	if last.Time() < ms || last.Time() > ms+uint64(maxAhead/time.Millisecond) {
		return freshID(ms, entropy)
	}
	// Adds a random step to the last ID. A step of one would let two writers
	// that follow the same ID arrive at the same next one.
	var step [8]byte
	if _, err := io.ReadFull(entropy, step[:]); err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	high := binary.BigEndian.Uint16(last[6:8])
	low, carry := bits.Add64(binary.BigEndian.Uint64(last[8:]), binary.BigEndian.Uint64(step[:]), 1)
	if carry == 1 {
		if high == math.MaxUint16 {
			return freshID(last.Time()+1, entropy)
		}
		high++
	}
	binary.BigEndian.PutUint16(last[6:8], high)
	binary.BigEndian.PutUint64(last[8:], low)
	return ID(last.String()), nil
}

func freshID(ms uint64, entropy io.Reader) (ID, error) {
	var u ulid.ULID
	if err := u.SetTime(ms); err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	if _, err := io.ReadFull(entropy, u[6:]); err != nil {
		return "", fmt.Errorf("make an id: %w", err)
	}
	return ID(u.String()), nil
}

// DeriveID returns the ID under which a packet is stored whose own id is not a
// ULID. The time is that of at; the rest depends on own alone, so that the same
// packet arrives at the same name everywhere.
func DeriveID(own string, at time.Time) ID {
	digest := sha256.Sum256([]byte(own))
	var u ulid.ULID
	copy(u[6:], digest[:])
	// The time was brought into range, so it always fits.
	_ = u.SetTime(millisecondsOf(at))
	return ID(u.String())
}

// DerivedSuffix returns the last 16 characters of every ID that [DeriveID]
// makes of own.
func DerivedSuffix(own string) string {
	return string(DeriveID(own, time.Time{})[timeLength:])
}

// Suffix returns the last 16 characters of a valid ID, which do not depend on
// its time. Of a derived one they are [DerivedSuffix] of what it is made of.
func (id ID) Suffix() string { return string(id[timeLength:]) }

// millisecondsOf returns the time of an ID, brought into the range of a ULID.
func millisecondsOf(t time.Time) uint64 {
	ms := max(t.UnixMilli(), 0)
	return min(uint64(ms), ulid.MaxTime())
}

// Kind says which table a record follows.
type Kind string

// The kinds of records.
const (
	KindPacket Kind = "packet"
	KindNote   Kind = "note"
	KindSkip   Kind = "skip"
	KindEvent  Kind = "event"
)

// typeMember is the member that says the kind of a record. A record without it
// is a packet.
const typeMember = "type"

// A recordKind is all that sets one kind of record apart from the others.
type recordKind struct {
	kind  Kind
	shape *shape
	bound int // bytes of the canonical encoding
}

// kindOf returns the kind that a record states. One that is not known has no
// table, so that every member passes for unknown.
func kindOf(root object) recordKind {
	kind := KindPacket
	if v := root.findValue(typeMember); v != nil {
		kind = Kind(v.asString())
	}
	switch kind {
	case KindPacket:
		return recordKind{kind, &packetShape, MaxPacket}
	case KindNote:
		return recordKind{kind, &noteShape, MaxSmall}
	case KindSkip:
		return recordKind{kind, &skipShape, MaxSmall}
	case KindEvent:
		return recordKind{kind, &eventShape, MaxSmall}
	default:
		return recordKind{"", nil, MaxPacket}
	}
}

//nolint:gochecknoglobals // A table that nobody writes to.
var eventShape = shape{fields: []field{
	{name: typeMember, form: formWord, words: []string{string(KindEvent)}, needed: true},
	{name: "id", form: formID, needed: true, stamped: true},
	{name: "created_at", form: formTime, needed: true, stamped: true},
	{name: "event", form: formWord, words: []string{
		"supersede", "expire", "archive", "restore", "confirm", "contradict", "impact", "link",
		"consolidate", "close", "reopen", "set", "retract", "purge", "undo", "allow", "disallow", "digest",
	}, needed: true},
	{name: "targets", form: formLine, least: 10, most: 64, fewest: 1, items: 64, needed: true},
	{name: "by", form: formLine, least: 10, most: 64, items: 64},
	{name: "value", form: formText, most: longText},
	{name: "object", form: formCommit},
	{name: "why", form: formText, most: longText},
	{name: "expires_at", form: formTime},
	{name: "provenance", form: formObject, object: &provenanceShape},
}}
