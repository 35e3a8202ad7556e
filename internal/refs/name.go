package refs

import (
	"strings"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// Where records and the tracking refs of remotes lie.
const (
	root         = "refs/ltm/"
	trackingRoot = "refs/ltm-remotes/"
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

// known reports whether k is a kind of this layout.
func (k Kind) known() bool {
	switch k {
	case Packets, Notes, Skips, Events:
		return true
	}
	return false
}

// Name is the name of a record. The zero value names nothing.
type Name struct {
	Kind Kind
	ID   packet.ID
}

// ParseName reads the full name of a record's ref. Anything but the exact shape is refused: names that came from
// elsewhere are hostile.
func ParseName(ref string) (Name, bool) {
	rest, ok := strings.CutPrefix(ref, root)
	if !ok {
		return Name{}, false
	}
	return parseTail(rest)
}

// parseTail reads "<kind>/<ID>".
func parseTail(tail string) (Name, bool) {
	kind, text, ok := strings.Cut(tail, "/")
	if !ok || !Kind(kind).known() {
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
	return root + string(n.Kind) + "/" + string(n.ID)
}

// valid reports whether the name has the shape that ParseName accepts.
func (n Name) valid() bool {
	parsed, ok := ParseName(n.Ref())
	return ok && parsed == n
}

// parseTracking reads the full name of a tracking ref. A remote's name may hold slashes.
func parseTracking(ref string) (remote string, name Name, ok bool) {
	rest, ok := strings.CutPrefix(ref, trackingRoot)
	if !ok {
		return "", Name{}, false
	}
	id := strings.LastIndexByte(rest, '/')
	if id < 0 {
		return "", Name{}, false
	}
	kind := strings.LastIndexByte(rest[:id], '/')
	if kind < 0 || !SafeRemote(rest[:kind]) {
		return "", Name{}, false
	}
	name, ok = parseTail(rest[kind+1:])
	return rest[:kind], name, ok
}

// SafeRemote reports whether a remote has a name under which its tracking refs are read. It accepts plain names whose parts cannot be taken for options, hidden files or paths upwards.
func SafeRemote(remote string) bool {
	for part := range strings.SplitSeq(remote, "/") {
		if part == "" || part[0] == '-' || part[0] == '.' || strings.HasSuffix(part, ".lock") || strings.Contains(part, "..") {
			return false
		}
	}
	return strings.IndexFunc(remote, func(c rune) bool {
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		return !plain && !strings.ContainsRune("._-+/", c)
	}) < 0
}

// ours reports whether a name below refs/ltm belongs to the layout, as a record or as one of its other shapes.
func ours(ref string) bool {
	if _, ok := ParseName(ref); ok {
		return true
	}
	parts := strings.Split(strings.TrimPrefix(ref, root), "/")
	switch {
	case len(parts) == 2 && parts[0] == "meta":
		return parts[1] == "format"
	case len(parts) == 2 && parts[0] == "archive":
		return SafeRemote(parts[1])
	case len(parts) == 3 && parts[0] == "endorse":
		_, err := packet.ParseID(parts[1])
		return err == nil && SafeRemote(parts[2])
	}
	return false
}
