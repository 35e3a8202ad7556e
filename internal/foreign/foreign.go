// Package foreign reads memories that other systems wrote, and memories that
// were written out of this one, into drafts of records; and it writes records
// in forms that others read.
//
// The package is pure: it reads no file, no clock and no environment. What a
// source does not say, such as a time, comes from [Options]. The same bytes
// with the same options give the same drafts, byte for byte, so that a second
// import of a source finds everything in place.
//
// It promises that each draft holds a record that packet.Parse accepts, and
// that nothing is lost without a word: what did not fit stands in the notes of
// the draft, what could not be read stands in the problems, and the rest goes
// on. It never looks for secrets, decides nothing about trust and stores
// nothing; the gate does that.
package foreign

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-ltm/git-ltm/internal/packet"
)

// The bounds of what is read. Beyond them something is no memory.
const (
	MaxInput  = 256 << 20 // bytes of JSON lines
	maxJSON   = 16 << 20  // bytes of any other JSON
	maxText   = 1 << 20   // bytes of a text file
	maxLine   = 512 << 10 // bytes of one line of JSON
	maxDrafts = 200_000
	maxMemory = 32 << 10 // bytes of one memory
)

// Options say what a source does not.
type Options struct {
	// Modified is the time of what has none of its own, as a rule when the
	// source was last changed; required.
	Modified time.Time
	// Author is the person who wrote what names nobody, as a rule who brings the source.
	Author string
	// Committed is when and by whom the source was committed last, where that is known: it is the same in each
	// clone, and counts before the two above. It is asked at most once, and only for what lacks one of them. May
	// be nil.
	Committed func() (at time.Time, by string, ok bool)
	// Known returns the record that is kept already and whose id ends with the
	// suffix, as packet.DerivedSuffix makes it of a Key. What has no time of its
	// own then keeps the time that it had, so that it is not there twice when its
	// source is written anew. May be nil.
	Known func(suffix string) (packet.ID, bool)
	// Remap gives things another name on their way in; what is not in it stays.
	Remap Remap
}

// Remap maps old names to new ones.
type Remap struct{ Author, Topic, Tag map[string]string }

// Draft is a record to be, and what is to be known about it.
type Draft struct {
	Source string // where it stands: FILE:LINE, or FILE and the place in it
	Key    string // what it is, whenever and wherever it is read: format, own id, digest of the contents
	// ID is the name of the record: its own ULID, or one made of the own id of a
	// packet, or, for all else, of Key.
	ID   packet.ID
	Kind packet.Kind // never empty
	Data []byte      // the canonical encoding of a record that is valid, with id and time
	Ref  string      // where our own export kept it, else empty
	Tag  []byte      // the tag object that signs Data, of our own export
	// Private says that it was kept for one person or agent, or is of a kind
	// that is not for others.
	Private bool
	// Wide says that it was kept for every project of the user.
	Wide bool
	// Undated says that the source has no time for it and Options.Modified was
	// taken: the same Key may have come before under another time.
	Undated bool
	Notes   []string // what did not fit, and where it went
}

// Problem is a part of a source that was not read.
type Problem struct {
	Place string `json:"source"`
	Text  string `json:"text"`     // never a value of the source
	Left  bool   `json:"left_out"` // it was left out on purpose: it is nothing to remember, or is there already
}

func (p Problem) String() string { return p.Place + ": " + p.Text }

// Read is what was found in a source.
type Read struct {
	Drafts   []Draft
	Problems []Problem // in the order of the source; the other parts were read
	Notes    []string  // what holds for the source as a whole
}

// Parse reads data, which lies in a file of that name, as the given format. The
// error is for a source that cannot be read at all; a part that is bad is a
// problem.
func Parse(f Format, name string, data []byte, o Options) (Read, error) {
	r := &reader{
		changed: sync.OnceValues(func() (time.Time, string) {
			if o.Committed != nil {
				if at, by, ok := o.Committed(); ok {
					o.Modified, o.Author = at, by
				}
			}
			if t, ok := checkYear(o.Modified); ok {
				return t.Truncate(time.Second), o.Author
			}
			return time.Unix(0, 0).UTC(), o.Author
		}),
		format: f, name: name, opts: o,
		ids: map[string]packet.ID{}, unread: map[string]bool{},
		seen: map[packet.ID]bool{},
	}
	data = trimBOM(data)
	err := ErrUnknown
	for _, known := range knownFormats() {
		if f != known.name {
			continue
		}
		if known.reads != "" {
			r.reads = strings.Fields(known.reads + " id created_at created tags agent author impact confidence " +
				"coding_agent updated updated_at")
		}
		err = known.read(r, data)
	}
	if err != nil {
		return Read{}, fmt.Errorf("read %q as %s: %w", name, f, err)
	}
	// Makes drafts of all that was gathered. The names of records depend on
	// nothing that names another one, so that they can be made first.
	parts := make([][]Draft, len(r.memories))
	for i := range r.memories {
		parts[i] = r.makeDrafts(&r.memories[i])
	}
	for i := range r.memories {
		r.emitDrafts(&r.memories[i], parts[i])
	}
	// Tells which members were not read.
	const most = 20
	names := slices.Sorted(maps.Keys(r.unread))
	for i, name := range names {
		names[i] = strconv.Quote(name)
	}
	more := ""
	if n := len(names); n > most {
		names, more = names[:most], fmt.Sprintf(" and %d more", n-most)
	}
	if len(names) > 0 {
		r.addRemark("these members have no place here and were left out: " + strings.Join(names, ", ") + more)
	}
	r.applyRemap()
	return r.read, nil
}

// trimBOM returns data without the byte order mark that it may begin with.
func trimBOM(data []byte) []byte {
	return bytes.TrimPrefix(data, []byte("\uFEFF"))
}

// checkSize refuses what is too much to be read.
func checkSize(data []byte, most int) error {
	if len(data) > most {
		return fmt.Errorf("it is %d bytes, at most %d are read", len(data), most)
	}
	return nil
}
