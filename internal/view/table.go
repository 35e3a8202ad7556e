package view

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/git-ltm/git-ltm/internal/trace"
)

// ErrDamaged says that a file is not as it was written.
var ErrDamaged = errors.New("view is damaged")

const (
	// blockBytes is how long a block of keys and values gets unless one value is longer.
	blockBytes = 4096
	// innerBytes is how long a block of places gets: most of a look-up is the search for the right one.
	innerBytes  = 1024
	maxBlock    = 256 << 20 // maxBlock is the longest block that is read.
	maxHeight   = 16        // maxHeight bounds the blocks from the top to a key.
	cachedBytes = 1 << 20   // cachedBytes is how much of a table is kept once it was read.
)

// Root names the top block of a table. The zero value is a table without keys.
type Root struct {
	place

	height byte
}

// place is where a block lies.
type place struct {
	offset, length uint64
	sum            uint32
}

func (p place) appendTo(out []byte) []byte {
	out = binary.AppendUvarint(binary.AppendUvarint(out, p.offset), p.length)
	return binary.BigEndian.AppendUint32(out, p.sum)
}

// parsePlace reads a place, and returns what follows it.
func parsePlace(data string) (p place, rest string, ok bool) {
	var good, fits bool
	if p.offset, data, good = Number(data); good {
		p.length, data, fits = Number(data)
	}
	if !fits || len(data) < crc32.Size {
		return p, "", false
	}
	p.sum = binary.BigEndian.Uint32([]byte(data[:crc32.Size]))
	return p, data[crc32.Size:], true
}

// Number reads a number as binary.AppendUvarint writes it, and returns what follows it.
func Number(data string) (value uint64, rest string, ok bool) {
	for i := 0; i < len(data) && i < binary.MaxVarintLen64; i++ {
		value |= uint64(data[i]&0x7f) << (7 * i)
		if data[i] < 0x80 {
			return value, data[i+1:], true
		}
	}
	return 0, "", false
}

// Append writes the root behind some bytes.
func (r Root) Append(out []byte) []byte { return append(r.appendTo(out), r.height) }

// ParseRoot reads a root, and returns the bytes that follow it.
func ParseRoot(data string) (r Root, rest string, err error) {
	p, rest, ok := parsePlace(data)
	if !ok || len(rest) == 0 || rest[0] > maxHeight {
		return Root{}, "", fmt.Errorf("read root: %w", ErrDamaged)
	}
	return Root{p, rest[0]}, rest[1:], nil
}

// Table is sorted keys with their values in a file that never changes. It is a tree of blocks. Each block is
// named by where it lies, how long it is and its sum, which stand in the block above; what names the top
// block is the [Root], which the caller keeps. So a look-up reads and checks a few blocks and nothing else,
// and bytes that are not those that were written are never taken for data: they are [ErrDamaged]. A table may
// be read by many goroutines at once.
type Table struct {
	file io.ReaderAt
	root Root

	mu     sync.Mutex // mu guards what follows.
	blocks map[uint64][]byte
	kept   int // kept is how many bytes of blocks are kept.
}

// Leaf is a block of the values of a table, in a buffer that is used again. The zero value holds none.
type Leaf struct {
	data   []byte
	table  *Table // table is nil where it holds none.
	begins uint64
}

// NewTable returns the table with a root. It reads nothing yet.
func NewTable(file io.ReaderAt, root Root) *Table {
	return &Table{file: file, root: root, blocks: map[uint64][]byte{}}
}

// keepBlock reads a block, or returns it as it was read before.
func (t *Table) keepBlock(p place) ([]byte, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if block, ok := t.blocks[p.offset]; ok {
		return block, nil
	}
	block, err := t.readBlock(nil, p)
	if err != nil {
		return nil, err
	}
	if t.kept += len(block); t.kept > cachedBytes {
		clear(t.blocks)
		t.kept = len(block)
	}
	t.blocks[p.offset] = block
	return block, nil
}

// Forget lets go of the blocks that were read so far, for whoever went along the whole table.
func (t *Table) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	clear(t.blocks)
	t.kept = 0
}

// readBlock reads a block into a buffer that has room for it, or into a new one.
func (t *Table) readBlock(buffer []byte, p place) ([]byte, error) {
	if p.length > maxBlock || p.offset > math.MaxInt64 {
		return nil, fmt.Errorf("read block: %w", ErrDamaged)
	}
	data := slices.Grow(buffer[:0], int(p.length))[:p.length]
	n, err := t.file.ReadAt(data, int64(p.offset)) //nolint:gosec // It is bounded.
	if n < len(data) {
		if err == nil || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = ErrDamaged
		}
		return nil, fmt.Errorf("read block: %w", err)
	}
	if crc32.ChecksumIEEE(data) != p.sum {
		return nil, fmt.Errorf("read block: %w", ErrDamaged)
	}
	return data, nil
}

// findLeaf returns where the block lies that holds a key, if any does.
func (t *Table) findLeaf(key string) (at place, ok bool, err error) {
	trace.Rows.Add(1)
	if t.root.length == 0 {
		return at, false, nil
	}
	at = t.root.place
	for height := int(t.root.height); height > 0; height-- {
		block, err := t.keepBlock(at)
		if err != nil {
			return at, false, err
		}
		value, order, ok := findInBlock(block, key)
		if !ok {
			return at, false, fmt.Errorf("read entry: %w", ErrDamaged)
		}
		if order < 0 {
			return at, false, nil
		}
		var rest string
		if at, rest, ok = parsePlace(string(value)); !ok || rest != "" {
			return at, false, fmt.Errorf("read place of block: %w", ErrDamaged)
		}
	}
	return at, true, nil
}

// findValue returns the value of a key in a block of values.
func findValue(block []byte, key string) (value []byte, ok bool, err error) {
	value, order, ok := findInBlock(block, key)
	switch {
	case !ok:
		return nil, false, fmt.Errorf("read entry: %w", ErrDamaged)
	case order != 0:
		return nil, false, nil
	}
	return value, true, nil
}

// Get returns the value of a key, or nothing where the table does not have it.
func (t *Table) Get(key string) (value string, ok bool, err error) {
	at, ok, err := t.findLeaf(key)
	if err != nil || !ok {
		return "", false, err
	}
	block, err := t.keepBlock(at)
	if err != nil {
		return "", false, err
	}
	found, ok, err := findValue(block, key)
	return string(found), ok, err
}

// GetInto does what Get does for a value that is looked at once: it holds until another one is read into the
// leaf.
func (t *Table) GetInto(l *Leaf, key string) (value []byte, ok bool, err error) {
	at, ok, err := t.findLeaf(key)
	if err != nil || !ok {
		return nil, false, err
	}
	if l.table != t || l.begins != at.offset {
		l.table = nil
		if l.data, err = t.readBlock(l.data, at); err != nil {
			return nil, false, err
		}
		l.table, l.begins = t, at.offset
	}
	return findValue(l.data, key)
}

// findInBlock returns the value of the first key of a block that is not before what is looked for, and how
// that key compares to it: 0 for the same, 1 for one behind it, -1 where all keys are before it. No key is
// put together for that: where a key shares more with the one before than that did with what is looked for,
// it is before it too, and where it shares less it is behind it.
func findInBlock(block []byte, want string) (value []byte, order int, ok bool) {
	met := 0 // met is how much the key before has of what is looked for.
	for len(block) > 0 {
		e, rest, ok := nextEntry(block)
		if !ok {
			return nil, 0, false
		}
		block = rest
		switch {
		case e.same > met:
			continue
		case e.same < met:
			return e.value, 1, true
		}
		for _, c := range e.more {
			if met == len(want) || c > want[met] {
				return e.value, 1, true
			}
			if c < want[met] {
				break
			}
			met++
		}
		if met == len(want) && met == e.same+len(e.more) {
			return e.value, 0, true
		}
	}
	return nil, -1, true
}

// entry is a key and a value as they stand in a block: how much of the key is that of the key before, the
// rest of it, and the value.
type entry struct {
	same        int
	more, value []byte
}

// nextEntry cuts the first entry off a block.
func nextEntry(block []byte) (e entry, rest []byte, ok bool) {
	var sizes [3]uint64
	for i := range sizes {
		if len(block) > 0 && block[0] < 0x80 {
			sizes[i], block = uint64(block[0]), block[1:]
			continue
		}
		n := 0
		if sizes[i], n = binary.Uvarint(block); n <= 0 {
			return e, nil, false
		}
		block = block[n:]
	}
	more, size := sizes[1], sizes[2]
	if left := uint64(len(block)); sizes[0] > maxBlock || more > left || size > left-more {
		return e, nil, false
	}
	return entry{int(sizes[0]), block[:more], block[more : more+size]}, block[more+size:],
		true //nolint:gosec // It is bounded.
}

// Cursor goes along a table.
type Cursor struct {
	table *Table
	from  string
	path  []frame // path is the blocks from the top down to the one that is read.
	err   error
}

// frame is a block that is read entry by entry.
type frame struct{ rest, value, key []byte }

// Seek returns a cursor before the first key that is not less than from.
func (t *Table) Seek(from string) *Cursor { return &Cursor{table: t, from: from} }

// Key is the key at the cursor. It holds until the cursor moves.
func (c *Cursor) Key() []byte { return c.path[len(c.path)-1].key }

// Value is the value at the cursor.
func (c *Cursor) Value() string { return string(c.path[len(c.path)-1].value) }

// Err says why a cursor ended before the last key.
func (c *Cursor) Err() error { return c.err }

// Next moves to the next key, and reports whether there is one.
func (c *Cursor) Next() bool {
	if c.err != nil {
		return false
	}
	height := int(c.table.root.height)
	if len(c.path) == 0 && (c.table.root.length == 0 || !c.enterBlock(c.table.root.place)) {
		return false
	}
	for len(c.path) > 0 {
		f := &c.path[len(c.path)-1]
		if !c.stepTo(f) {
			if c.err != nil {
				return false
			}
			c.path = c.path[:len(c.path)-1]
			continue
		}
		if len(c.path) > height {
			c.from = ""
			trace.Rows.Add(1)
			return true
		}
		below, rest, ok := parsePlace(string(f.value))
		if !ok || rest != "" {
			c.err = fmt.Errorf("read place of block: %w", ErrDamaged)
			return false
		}
		if !c.enterBlock(below) {
			return false
		}
	}
	return false
}

// enterBlock goes down into a block.
func (c *Cursor) enterBlock(p place) bool {
	block, err := c.table.keepBlock(p)
	if err != nil {
		c.err = err
		return false
	}
	c.path = append(c.path, frame{rest: block})
	return true
}

// stepTo reads entries up to the first that is not before what is looked for. A block has the name of its
// last key above it.
func (c *Cursor) stepTo(f *frame) bool {
	for len(f.rest) > 0 {
		e, rest, ok := nextEntry(f.rest)
		if !ok || e.same > len(f.key) {
			c.err = fmt.Errorf("read entry: %w", ErrDamaged)
			return false
		}
		f.key, f.value, f.rest = append(f.key[:e.same], e.more...), e.value, rest
		if c.from == "" || string(f.key) >= c.from {
			return true
		}
	}
	return false
}
