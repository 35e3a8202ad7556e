package refs

import (
	"cmp"
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// Root is where records lie, and all that travels with them; TrackingRoot is where the tracking refs of
// remotes lie.
const (
	Root         = "refs/ltm/"
	TrackingRoot = "refs/ltm-remotes/"
)

// Kind is a sort of record; it is a part of the ref's name.
type Kind string

// The kinds of records that are one ref with an ID.
const (
	Packets Kind = "packets"
	Notes   Kind = "notes"
	Skips   Kind = "skips"
	Events  Kind = "events"
)

// isKnown reports whether k is a kind of this layout.
func (k Kind) isKnown() bool {
	return k == Packets || k == Notes || k == Skips || k == Events
}

// endorsements is the part of a ref's name below which later signatures lie. It is no kind of record.
const endorsements = "endorse"

// Name is the name of a record. The zero value names nothing.
type Name struct {
	Kind Kind
	ID   packet.ID
	Key  string // Key tells the later signatures of one record from each other; a record has none.

	Private bool // Private says that the record never leaves this clone.
}

// Parse reads the full name of a ref that travels: of a record, or of a later signature, which has a key.
// Anything but the exact shape is refused: names that came from elsewhere are hostile.
func Parse(ref string) (Name, bool) {
	rest, ok := strings.CutPrefix(ref, Root)
	if !ok {
		return Name{}, false
	}
	if name, ok := parseTail(rest); ok {
		return name, true
	}
	return parseEndorsement(rest)
}

// IsChange tells what changes a record, or signs it later, from records that say something themselves.
func (n Name) IsChange() bool { return n.Kind == Events || n.Key != "" }

// ParseName reads the full name of a record's ref.
func ParseName(ref string) (Name, bool) {
	name, ok := Parse(ref)
	if !ok || name.Key != "" {
		return Name{}, false
	}
	return name, true
}

// parseOwn reads the full name of a ref that this package writes: of a record, private or not, or of a later
// signature.
func parseOwn(ref string) (Name, bool) {
	if name, ok := Parse(ref); ok {
		return name, true
	}
	return ParsePrivate(ref)
}

// parseTail reads "<kind>/<ID>".
func parseTail(tail string) (Name, bool) {
	kind, text, ok := strings.Cut(tail, "/")
	if !ok || !Kind(kind).isKnown() {
		return Name{}, false
	}
	id, err := packet.ParseID(text)
	if err != nil {
		return Name{}, false
	}
	return Name{Kind: Kind(kind), ID: id}, true
}

// Ref is the full name of the ref.
func (n Name) Ref() string {
	if n.Private {
		return PrivateRoot + n.tail()
	}
	return Root + n.tail()
}

// tail is the part of the ref's name that is the same here and on a remote.
func (n Name) tail() string {
	tail := string(n.Kind) + "/" + string(n.ID)
	if n.Key != "" {
		tail += "/" + n.Key
	}
	return tail
}

// isValid reports whether the name has the shape that parseOwn accepts.
func (n Name) isValid() bool {
	parsed, ok := parseOwn(n.Ref())
	return ok && parsed == n
}

// ParseRef is the other way round of [Ref.Full]: it reads the full name of a ref of a record or of a later
// signature, of this clone, private or tracking.
func ParseRef(full string) (ref Ref, ok bool) {
	if ref.Name, ok = parseOwn(full); !ok {
		ref.Remote, ref.Name, ok = parseTracking(full)
	}
	return ref, ok
}

// parseTracking reads the full name of a tracking ref, of a record or of a later signature. A remote's name
// may hold slashes.
func parseTracking(ref string) (remote string, name Name, ok bool) {
	rest, ok := strings.CutPrefix(ref, TrackingRoot)
	if !ok {
		return "", Name{}, false
	}
	record := beforeParts(rest, 2)
	if name, ok = parseTail(rest[record+1:]); ok && record > 0 && SafeRemote(rest[:record]) {
		return rest[:record], name, true
	}
	later := beforeParts(rest, 3)
	if name, ok = parseEndorsement(rest[later+1:]); ok && later > 0 && SafeRemote(rest[:later]) {
		return rest[:later], name, true
	}
	return "", Name{}, false
}

// beforeParts returns where the slash before the last parts of a name stands, or -1 where there is none.
func beforeParts(name string, parts int) int {
	at := len(name)
	for range parts {
		at = strings.LastIndexByte(name[:max(at, 0)], '/')
	}
	return at
}

// SafeRemote reports whether a remote has a name under which its tracking refs are read. It accepts plain
// names whose parts cannot be taken for options, hidden files or paths upwards.
func SafeRemote(remote string) bool {
	for part := range strings.SplitSeq(remote, "/") {
		if part == "" || part[0] == '-' || part[0] == '.' || strings.HasSuffix(part, ".lock") ||
			strings.Contains(part, "..") {
			return false
		}
	}
	return strings.IndexFunc(remote, func(c rune) bool {
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		return !plain && !strings.ContainsRune("._-+/", c)
	}) < 0
}

// Kinds are the kinds of records, in the order of their refs.
func Kinds() []Kind { return []Kind{Events, Notes, Packets, Skips} }

// Telling are the kinds of records that say something of the work; the others say what became of those.
func Telling() []Kind { return []Kind{Packets, Notes, Skips} }

// RecordKind is the kind of record that lies under a kind of ref.
func RecordKind(kind Kind) packet.Kind {
	for record, of := range kindsOfRefs() {
		if of == kind {
			return record
		}
	}
	return packet.KindPacket
}

// KindFor is the kind of ref under which a kind of record lies.
func KindFor(kind packet.Kind) Kind { return cmp.Or(kindsOfRefs()[kind], Packets) }

// kindsOfRefs are the kinds of refs by those of records, without that of packets, which stands for all others.
func kindsOfRefs() map[packet.Kind]Kind {
	return map[packet.Kind]Kind{packet.KindEvent: Events, packet.KindNote: Notes, packet.KindSkip: Skips}
}

// Bound is the number of bytes that a record of this kind may have, or one that a later signature signs.
func Bound(kind Kind) int64 {
	if kind == Packets || kind == endorsements {
		return packet.MaxPacket
	}
	return packet.MaxSmall
}

// InLayout reports whether the full name of a ref below refs/ltm belongs to the layout: as a record, or as
// one of the names that are reserved.
func InLayout(ref string) bool {
	_, ok := Parse(ref)
	return ok || ref == FormatRef || IsArchive(ref)
}

// PrivateRoot is where records lie that never leave this clone. No refspec names it, and nobody tracks it.
const PrivateRoot = "refs/ltm-local/"

// ParsePrivate reads the full name of a private record's ref. Anything but the exact shape is refused.
func ParsePrivate(ref string) (Name, bool) {
	rest, ok := strings.CutPrefix(ref, PrivateRoot)
	if !ok {
		return Name{}, false
	}
	name, ok := parseTail(rest)
	name.Private = ok
	return name, ok
}

// places are the roots below which refs of this clone are mended.
func places() []string { return []string{Root, PrivateRoot} }
