package refs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/klauspost/compress/zlib"
)

const (
	maxChain = 4096 // maxChain bounds the deltas that stand one on another.
	// maxBase bounds each part that making an object takes; git makes no such deltas of records.
	maxBase = 1024 * 1024
	// mostMade is how many bytes of objects are kept for the deltas that build on them.
	mostMade = 4 * 1024 * 1024
)

// errTooInvolved says that making the object here would take more than it is allowed to.
var errTooInvolved = errors.New("object is too involved to read in process")

// pack is one pack and its index. It is not safe for several goroutines.
type pack struct {
	path   string // path ends in ".pack".
	time   time.Time
	index  *packIndex
	file   *os.File             // file is nil until it is opened.
	blocks map[int64][]byte     // blocks are those that were read, by number.
	in     *bytes.Reader        // in is what is inflated.
	zlib   io.ReadCloser        // zlib is nil until it inflates something.
	delta  []byte               // delta is room for one.
	made   map[int64]madeObject // made is what stands at some offsets, of what was made last.
	size   int                  // size is how many bytes that are.
}

// madeObject is an object as it stands at an offset, whole.
type madeObject struct {
	kind plumbing.ObjectType
	data []byte
}

// close ends what was opened.
func (p *pack) close() error {
	if p.file == nil {
		return nil
	}
	return p.file.Close()
}

// readObject returns the object at an offset, of at most limit bytes. It does not look whether it has its
// name. Where no byte is asked for, none is made.
func (p *pack) readObject(offset, limit int64) (typ string, data []byte, err error) {
	way, err := p.wayTo(offset)
	if err != nil {
		return "", nil, err
	}
	kind := way[len(way)-1].kind
	if size := way[0].length; limit < 0 || size > limit && !way[0].isDelta() {
		return kind.String(), nil, &TooLargeError{Size: size, Max: limit}
	}
	for _, at := range slices.Backward(way) {
		if data, err = p.makeObject(at, data, kind, max(limit, maxBase)); err != nil {
			return kind.String(), nil, err
		}
	}
	if size := int64(len(data)); size > limit {
		return kind.String(), nil, &TooLargeError{Size: size, Max: limit}
	}
	return kind.String(), bytes.Clone(data), nil
}

// part is what stands at an offset of a pack: a whole object, or a delta.
type part struct {
	at, data int64 // data is where the deflated bytes begin.
	kind     plumbing.ObjectType
	length   int64 // length is that of what is inflated.
	base     int64 // base is where that lies on which a delta builds.
}

func (p part) isDelta() bool {
	return p.kind == plumbing.OFSDeltaObject || p.kind == plumbing.REFDeltaObject
}

// wayTo returns the object at an offset and what it builds on, down to the whole object below it, or to one that
// is made. It inflates nothing.
func (p *pack) wayTo(offset int64) (way []part, err error) {
	if p.file == nil {
		if p.file, err = os.Open(p.path); err != nil {
			return nil, err
		}
	}
	for err == nil && len(way) < maxChain {
		if m, ok := p.made[offset]; ok && (len(way) == 0 || len(m.data) <= maxBase) {
			return append(way, part{at: offset, kind: m.kind, length: int64(len(m.data))}), nil
		}
		var next part
		if next, err = p.readPart(offset); err != nil {
			break
		}
		if (next.isDelta() || len(way) > 0) && next.length > maxBase {
			// Git would make it at any price.
			return nil, &TooLargeError{Size: next.length, Max: maxBase}
		}
		if way = append(way, next); !next.isDelta() {
			return way, nil
		}
		offset = next.base
	}
	if err == nil {
		err = errTooInvolved
	}
	return nil, err
}

// The bounds of what is kept of a pack that is open.
const (
	blockSize  = 4096
	mostBlocks = 1024
)

// bytesAt returns the bytes from an offset on, less than size at the end of the pack alone.
func (p *pack) bytesAt(at, size int64) (found []byte, err error) {
	for int64(len(found)) < size {
		from := at + int64(len(found))
		block, ok := p.blocks[from/blockSize]
		if !ok {
			block = make([]byte, blockSize)
			n, err := p.file.ReadAt(block, from/blockSize*blockSize)
			if err != nil && !errors.Is(err, io.EOF) {
				return nil, err
			}
			if block = block[:n]; len(p.blocks) >= mostBlocks {
				clear(p.blocks)
			}
			p.blocks[from/blockSize] = block
		}
		rest := block[min(from%blockSize, int64(len(block))):]
		if len(rest) == 0 {
			break
		}
		if found == nil { // Mostly that is all.
			found = slices.Clip(rest)
			continue
		}
		found = append(found, rest...)
	}
	return found[:min(size, int64(len(found)))], nil
}

// longestNumber is how many bytes a number of a pack has at most, and longestHead what stands before the deflated
// bytes: two numbers, or one and a name.
const (
	longestNumber = 9
	longestHead   = longestNumber + oidBytes
)

// readPart reads what stands before the deflated bytes at an offset.
func (p *pack) readPart(at int64) (part, error) {
	head, err := p.bytesAt(at, longestHead)
	if err != nil {
		return part{}, err
	}
	in := bytes.NewReader(head)
	c, err := in.ReadByte()
	found := part{
		at: at, kind: plumbing.ObjectType(c >> 4 & 7),
		length: int64(c & 15),
	} //nolint:gosec // It has three bits.
	for shift := 4; c&0x80 != 0 && err == nil; shift += 7 {
		if c, err = in.ReadByte(); shift > 7*(longestNumber-1) {
			err = errors.New("length is too large")
		}
		found.length |= int64(c&0x7f) << shift
	}
	switch {
	case err != nil:
	case found.kind == plumbing.OFSDeltaObject:
		found.base, err = baseOffset(in, at)
	case found.kind == plumbing.REFDeltaObject:
		var h plumbing.Hash
		if _, err = io.ReadFull(in, h[:]); err == nil {
			found.base, err = p.index.FindOffset(h)
		}
	case !found.kind.Valid():
		err = errors.New("there is no object")
	}
	if err != nil {
		return part{}, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	found.data = at + in.Size() - int64(in.Len())
	return found, nil
}

// baseOffset reads how far before an offset the base of a delta lies.
func baseOffset(in io.ByteReader, at int64) (int64, error) {
	far := int64(-1)
	for range longestNumber {
		c, err := in.ReadByte()
		if err != nil {
			return 0, err
		}
		if far = (far+1)<<7 | int64(c&0x7f); c&0x80 == 0 && far > 0 && far < at {
			return at - far, nil
		} else if c&0x80 == 0 {
			break
		}
	}
	return 0, errors.New("base lies outside")
}

// makeObject returns what stands at a part of a pack, from what it builds on, where that is not above a
// bound.
func (p *pack) makeObject(at part, base []byte, kind plumbing.ObjectType, most int64) ([]byte, error) {
	if m, ok := p.made[at.at]; ok {
		return m.data, nil
	}
	if at.length > most {
		return nil, &TooLargeError{Size: at.length, Max: most}
	}
	var data []byte
	if at.isDelta() { // It is applied at once.
		p.delta = slices.Grow(p.delta[:0], int(at.length))
		data = p.delta[:at.length]
	} else {
		data = make([]byte, at.length)
	}
	if err := p.inflatePart(at, data); err != nil {
		return nil, err
	}
	if at.isDelta() {
		size, err := resultOf(data)
		switch {
		case err != nil:
			return nil, err
		case size > most:
			return nil, &TooLargeError{Size: size, Max: most}
		}
		if data, err = packfile.PatchDelta(base, data); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	}
	if p.size += len(data); p.size > mostMade {
		clear(p.made)
		p.size = len(data)
	}
	p.made[at.at] = madeObject{kind, data}
	return data, nil
}

// inflatePart fills out with what is deflated there, and looks at the sum behind it.
func (p *pack) inflatePart(at part, out []byte) error {
	in, err := p.bytesAt(at.data, at.length+at.length/8+64) // Nothing grows as much when it is deflated.
	if err != nil {
		return err
	}
	if p.zlib == nil {
		p.in = bytes.NewReader(in)
		p.zlib, err = zlib.NewReader(p.in)
	} else {
		p.in.Reset(in)
		err = p.zlib.(zlib.Resetter).Reset(p.in, nil)
	}
	if err == nil {
		_, err = io.ReadFull(p.zlib, out)
	}
	if err == nil {
		var more [1]byte
		if n, end := p.zlib.Read(more[:]); n > 0 || !errors.Is(end, io.EOF) {
			err = errors.Join(errors.New("there is more than there should be"), end)
		}
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return nil
}

// resultOf reads from the beginning of a delta how many bytes it makes. The number before that one is the
// size of what it builds on.
func resultOf(delta []byte) (int64, error) {
	_, base := binary.Uvarint(delta)
	size, made := binary.Uvarint(delta[max(base, 0):])
	if base <= 0 || made <= 0 || size > math.MaxInt64 {
		return 0, fmt.Errorf("%w: delta without its sizes", ErrCorrupt)
	}
	return int64(size), nil
}
