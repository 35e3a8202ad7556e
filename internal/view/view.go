// Package view keeps what is known of the records of a memory where it is found without reading them.
//
// A view is a folder beside a repository: segments, which are tables that are written once, and a state that
// names those which count. Who reads opens what the state names, never waits, and sees one moment whatever
// others write. The package promises that bytes which are not those that were written are never taken for
// data, and it knows of what segments say only where the rules of actions stand, so that a small program can
// ask for them. It never reads a record, and never writes: what a view holds is the business of package
// index.
package view

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/git-ltm/git-ltm/internal/deadend"
	"github.com/git-ltm/git-ltm/internal/local"
)

// form is the number of the form of what is written. A folder has it in its name, so that another version of
// the program keeps another one.
const form = 8

// prefix is what the name of a folder of any version begins with.
const prefix = "view-"

// In is the folder of this version in that of a clone.
func In(clone *local.Dir) *local.Dir {
	return clone.Sub(fmt.Sprintf("%s%d.%d", prefix, form, deadend.Form))
}

// DropOthers removes what other versions of the program keep beside a folder: something was taken out for
// good, and they may hold it.
func DropOthers(dir *local.Dir) error {
	return dir.Parent().Prune(func(name string) bool {
		return !strings.HasPrefix(name, prefix) || name == filepath.Base(dir.Path())
	})
}

const (
	// stateName is the file that names the segments which count. It is replaced as a whole.
	stateName = "state"
	lockName  = "lock"
	maxState  = 16 << 20
)

// StateFile is the file of the state of a folder, and LockFile the lock of who writes there.
func StateFile(dir *local.Dir) local.File { return dir.File(stateName) }

// LockFile is the lock of who writes in a folder.
func LockFile(dir *local.Dir) local.File { return dir.File(lockName) }

// Stamp tells lists of records from each other. Two lists with the same packed part differ in young records
// alone; two with the same parts, of which none is "", are equal.
type Stamp struct {
	Packed, Loose string

	// KeptOut is the version of the rules by which a scan kept records out of the list; "" where it kept out
	// none. Other rules may let them in.
	KeptOut string
}

// Known reports whether the stamp speaks of one list alone.
func (s Stamp) Known() bool { return s.Packed != "" && s.Loose != "" }

// State says which segments count, the one with the newest record first.
type State struct {
	// Stamp is that of the list which the segments hold; nothing while something is missing.
	Stamp    Stamp
	Young    []string // Young are the records of that list which are young.
	Segments []Info
}

// Info is what is known of a segment without reading it.
type Info struct {
	Name    string // Name is that of its file.
	Records int
	Items   int
	Length  int // Length is that of all items.
	Newest  int // Newest is the minute in which its newest record was made.
	Root    Root
}

// Encode writes a state with its sum.
func (s State) Encode() []byte {
	text := func(out []byte, text string) []byte {
		return append(binary.AppendUvarint(out, uint64(len(text))), text...)
	}
	out := text(text(text(make([]byte, crc32.Size), s.Stamp.Packed), s.Stamp.Loose), s.Stamp.KeptOut)
	out = binary.AppendUvarint(out, uint64(len(s.Young)))
	for _, record := range s.Young {
		out = text(out, record)
	}
	out = binary.AppendUvarint(out, uint64(len(s.Segments)))
	for _, seg := range s.Segments {
		out = text(out, seg.Name)
		for _, n := range []int{seg.Records, seg.Items, seg.Length, seg.Newest} {
			out = binary.AppendUvarint(out, uint64(n)) //nolint:gosec // They are counts.
		}
		out = seg.Root.Append(out)
	}
	binary.BigEndian.PutUint32(out, crc32.ChecksumIEEE(out[crc32.Size:]))
	return out
}

// ParseState reads what Encode wrote.
func ParseState(data []byte) (s State, err error) {
	if len(data) < crc32.Size || binary.BigEndian.Uint32(data) != crc32.ChecksumIEEE(data[crc32.Size:]) {
		return s, fmt.Errorf("read state: %w", ErrDamaged)
	}
	rest, good := string(data[crc32.Size:]), true
	// The words of a segment may be more than the bytes of a state; a text is compared with what is left.
	count := func() int {
		n, after, ok := Number(rest)
		if good = good && ok && n <= 1<<31-1; !good {
			return 0
		}
		rest = after
		return int(n) //nolint:gosec // It is bounded.
	}
	text := func() string {
		n := count()
		if good = good && n <= len(rest); !good {
			return ""
		}
		text := rest[:n]
		rest = rest[n:]
		return text
	}
	s.Stamp = Stamp{text(), text(), text()}
	for n := count(); n > 0 && good; n-- {
		s.Young = append(s.Young, text())
	}
	for n := count(); n > 0 && good; n-- {
		seg := Info{Name: text(), Records: count(), Items: count(), Length: count(), Newest: count()}
		if seg.Root, rest, err = ParseRoot(rest); err != nil {
			return State{}, err
		}
		s.Segments = append(s.Segments, seg)
	}
	if !good || rest != "" {
		return State{}, fmt.Errorf("read state: %w", ErrDamaged)
	}
	return s, nil
}

// Segment is a segment that is open.
type Segment struct {
	Info
	*Table

	file *os.File
}

// View is the segments as they are at one moment. What comes later changes nothing in it.
type View struct {
	State
	Open []*Segment // Open are the segments that the state names.

	file fs.FileInfo // file is that of the state; nil where there was none.
}

// openTries is how often the state is read again when a segment that it names has just been replaced.
const openTries = 50

// Open opens what the state of a folder names now. Where there is none, it is empty. It needs no lock: a
// segment is there until a state was written that does not name it.
func Open(dir *local.Dir) (v *View, err error) {
	for range openTries {
		if v, err = openFolder(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, local.ErrNotPlain) ||
		errors.Is(err, local.ErrTooLarge) {
		err = errors.Join(ErrDamaged, err)
	}
	return v, err
}

func openFolder(dir *local.Dir) (*View, error) {
	v := &View{}
	file, err := StateFile(dir).Open(os.O_RDONLY)
	// Something else may stand where the folder belongs.
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return v, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // It was only read.
	if v.file, err = file.Stat(); err != nil {
		return nil, err
	}
	data, err := local.ReadAll(file, maxState)
	if err != nil {
		return nil, err
	}
	if v.State, err = ParseState(data); err != nil {
		return nil, err
	}
	for _, info := range v.Segments {
		file, err := dir.File(info.Name).Open(os.O_RDONLY)
		if err != nil {
			return nil, errors.Join(err, v.Close())
		}
		v.Open = append(v.Open, &Segment{Info: info, Table: NewTable(file, info.Root), file: file})
	}
	return v, nil
}

// Exists reports whether there is a state, or something in its place.
func (v *View) Exists() bool { return v.file != nil }

// IsCurrent reports whether the state of a folder is still the one that was read.
func (v *View) IsCurrent(dir *local.Dir) bool {
	info, err := os.Lstat(StateFile(dir).Path())
	if err != nil || v.file == nil {
		return v.file == nil && errors.Is(err, fs.ErrNotExist)
	}
	return local.IsUnchanged(v.file, info)
}

// Close closes the segments.
func (v *View) Close() (err error) {
	for _, seg := range v.Open {
		if seg.file != nil {
			err = errors.Join(err, seg.file.Close())
		}
	}
	return err
}

// TraitKey is the key below which a segment keeps the rules that have a rare trait, and RulesKey that of a part
// of all of its rules, of which the first has the newest. Both are as [AppendRule] writes them.
func TraitKey(trait deadend.Trait) string { return numberKey('x', uint32(trait)) }

// RulesKey is the key of a part of the rules.
func RulesKey(part int) string { return numberKey('o', uint32(part)) } //nolint:gosec // There are few.

func numberKey(about byte, n uint32) string {
	return string(binary.BigEndian.AppendUint32([]byte{about}, n))
}

// AppendRule writes a rule of an item of a record with its outline.
func AppendRule(out []byte, record, item int, outline string) []byte {
	for _, n := range []int{record, item, len(outline)} {
		out = binary.AppendUvarint(out, uint64(n)) //nolint:gosec // Places in lists.
	}
	return append(out, outline...)
}

// Rule is a rule that an action may meet: of which item of which record, and how much of it the action has, as
// [deadend.Kept.Weigh] says it.
type Rule struct{ Record, Item, Weight int }

const (
	// manyTraits is of how many traits on it costs less to look through all rules than to look for each.
	manyTraits = 64
	// comparing costs as much as passing over so many rules that nobody asks for.
	comparing = 16
	// MostCompared is what may be spent on rules: 32,000 are compared by their outlines, the newest, where an
	// action has many traits, and else those that have a rare one of them.
	MostCompared = 32_000 * comparing
)

// Rules yields the rules of a segment that an action with some traits may meet, some of them more than once,
// until yield says that it wants no more: those of the wanted records, by their numbers, or of all where that is
// nil. It takes what it spends from what is left of [MostCompared].
func (s *Segment) Rules(traits deadend.Traits, wanted []bool, left *int, yield func(Rule) (more bool)) error {
	var buffer Leaf
	if traits.Count() > manyTraits {
		for part, ok := 0, true; ok && *left > 0; part++ {
			var rules []byte
			var err error
			if rules, ok, err = s.GetInto(&buffer, RulesKey(part)); err == nil {
				err = s.weighRules(rules, traits, wanted, left, yield)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	for _, trait := range traits.All() {
		if *left <= 0 {
			break
		}
		rules, _, err := s.GetInto(&buffer, TraitKey(trait))
		if err == nil {
			err = s.weighRules(rules, traits, wanted, left, yield)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// weighRules does so for rules as [AppendRule] wrote them.
func (s *Segment) weighRules(rest []byte, traits deadend.Traits, wanted []bool, left *int,
	yield func(Rule) (more bool),
) error {
	for len(rest) > 0 && *left > 0 {
		var of [3]uint64
		for i := range of {
			if len(rest) > 0 && rest[0] < 0x80 { // Most are.
				of[i], rest = uint64(rest[0]), rest[1:]
				continue
			}
			n := 0
			if of[i], n = binary.Uvarint(rest); n <= 0 {
				return fmt.Errorf("read rules: %w", ErrDamaged)
			}
			rest = rest[n:]
		}
		if of[0] >= uint64(max(0, s.Records)) || of[1] > uint64(max(0, s.Items)) || of[2] > uint64(len(rest)) {
			return fmt.Errorf("read rules: %w", ErrDamaged)
		}
		outline := deadend.Kept(rest[:of[2]])
		rest = rest[of[2]:]
		if wanted != nil && !wanted[of[0]] {
			*left--
			continue
		}
		weight, good := outline.Weigh(traits)
		if !good {
			return fmt.Errorf("read rules: %w", ErrDamaged)
		}
		*left -= comparing
		if weight > 0 && !yield(Rule{int(of[0]), int(of[1]), weight}) { //nolint:gosec // Bounded.
			*left = 0
		}
	}
	return nil
}

// MayMeet reports whether an action with some traits may meet a rule of the records which the list with a
// stamp names, of as many as are compared. It says no only where that is known. That may be believed because a
// stamp stands for one list, a list for one set of rules, and each rule has a rare trait of every action that
// meets it.
func (v *View) MayMeet(stamp Stamp, traits deadend.Traits) (may bool) {
	// What was kept out says nothing.
	if !stamp.Known() || v.Stamp.Packed != stamp.Packed || v.Stamp.Loose != stamp.Loose {
		return true
	}
	left := MostCompared
	for _, seg := range v.Open {
		err := seg.Rules(traits, nil, &left, func(Rule) bool {
			may = true
			return false
		})
		if may || err != nil {
			return true
		}
	}
	return left <= 0
}

// MayMeet reports the same of the view of a clone, by the folder in which that keeps what is its own.
func MayMeet(clone *local.Dir, stamp Stamp, traits deadend.Traits) bool {
	v, err := Open(In(clone))
	if err != nil {
		return true
	}
	defer func() { _ = v.Close() }() // It was only read.
	return v.MayMeet(stamp, traits)
}
