package refs

import (
	"encoding/binary"
	"hash/adler32"
	"math/bits"
)

// An inflater inflates short zlib streams (RFC 1950, RFC 1951) that lie in memory as a whole. compress/zlib
// spends most of its time on tables for longer texts than records are. This one says no to what is damaged or
// unusual, and compress/zlib has the last word on that. The zero value is ready.
type inflater struct {
	in      []byte
	buffer  uint64 // Bits that were read and not used, the next one lowest.
	held    int    // How many they are; below zero where the input had too few.
	lengths [maxLiterals + maxDistances]byte

	literals, distances prefixCode
}

// mostShort is how long what is inflated may be, and shortHeads how much longer than that a stream is at most.
const mostShort, shortHeads = 64 << 10, 256

const (
	maxLiterals, maxDistances = 288, 32
	endOfBlock, firstLength   = 256, 257
	longestCode, rootBits     = 15, 9
	mostBits                  = 2*longestCode + 5 + 13 // Of a length, a distance, and what belongs to them.
)

// inflateWhole fills out with what the stream at the beginning of in holds, and reports whether that is all of
// it and has the sum behind it.
func (f *inflater) inflateWhole(out, in []byte) bool {
	if len(in) < 2 || in[0]&15 != 8 || binary.BigEndian.Uint16(in)%31 != 0 || in[1]&0x20 != 0 {
		return false
	}
	f.in, f.buffer, f.held = in[2:], 0, 0
	at := 0
	for last := false; !last; {
		f.fillBuffer()
		last = f.takeBits(1) == 1
		switch kind := f.takeBits(2); {
		case f.held < 0:
			return false
		case kind == 0:
			f.toBytes(in)
			if len(f.in) < 4 || binary.LittleEndian.Uint16(f.in) != ^binary.LittleEndian.Uint16(f.in[2:]) {
				return false
			}
			size := int(binary.LittleEndian.Uint16(f.in))
			if f.in = f.in[4:]; size > len(f.in) || size > len(out)-at {
				return false
			}
			at += copy(out[at:], f.in[:size])
			f.in = f.in[size:]
			continue
		case kind == 1:
			f.makeFixed()
		case kind == 3 || !f.readCodes():
			return false
		}
		if at = f.inflateBlock(out, at); at < 0 {
			return false
		}
	}
	f.toBytes(in)
	return at == len(out) && len(f.in) >= 4 && binary.BigEndian.Uint32(f.in) == adler32.Checksum(out)
}

// toBytes goes on at the next whole byte of in.
func (f *inflater) toBytes(in []byte) {
	f.in = in[len(in)-len(f.in)-f.held/8:]
	f.buffer, f.held = 0, 0
}

// fillBuffer makes sure that as many bits are there as a symbol of each code and what belongs to them take, or
// all that are left.
func (f *inflater) fillBuffer() {
	if len(f.in) >= 8 {
		f.buffer |= binary.LittleEndian.Uint64(f.in) << uint(f.held)
		f.in = f.in[(63-f.held)/8:]
		f.held |= 56
		return
	}
	for f.held <= 56 && len(f.in) > 0 {
		f.buffer |= uint64(f.in[0]) << uint(f.held)
		f.in = f.in[1:]
		f.held += 8
	}
}

// takeBits takes a number of n bits, the lowest first.
func (f *inflater) takeBits(n int) int {
	bits := int(f.buffer & (1<<uint(n) - 1))
	f.buffer >>= uint(n)
	f.held -= n
	return bits
}

// inflateBlock fills out from a place on with what a block holds, and returns where that ends, or -1.
func (f *inflater) inflateBlock(out []byte, at int) int {
	for {
		f.fillBuffer()
		root, buffer, held := &f.literals.root, f.buffer, f.held // Nearer than the fields.
		for at < len(out) && held >= rootBits {
			entry := root[buffer&(1<<rootBits-1)]
			if entry == 0 || entry >= endOfBlock<<4 {
				break
			}
			out[at] = byte(entry >> 4)
			at++
			buffer >>= entry & 15
			held -= int(entry & 15)
		}
		if f.buffer, f.held = buffer, held; held < mostBits {
			f.fillBuffer()
		}
		symbol := f.takeSymbol(&f.literals)
		switch length := symbol - firstLength + 3; {
		case f.held < 0, symbol < 0:
			return -1
		case symbol == endOfBlock:
			return at
		case symbol < endOfBlock && at < len(out):
			out[at] = byte(symbol)
			at++
		case symbol < firstLength || symbol > firstLength+28:
			return -1
		default:
			if extra := (symbol-firstLength)>>2 - 1; symbol == firstLength+28 {
				length = 258
			} else if extra > 0 {
				length = (4+(symbol-firstLength)&3)<<extra + 3 + f.takeBits(extra)
			}
			distance := f.takeSymbol(&f.distances) + 1
			if extra := (distance-1)>>1 - 1; extra > 0 {
				distance = (2+(distance-1)&1)<<extra + 1 + f.takeBits(extra)
			}
			if f.held < 0 || distance < 1 || distance > at || length > len(out)-at {
				return -1
			}
			from, to := out[at-distance:], out[at:at+length]
			for i := range to { // What is copied may go on in what it makes.
				to[i] = from[i]
			}
			at += length
		}
	}
}

// takeSymbol takes a symbol of a code, or returns -1.
func (f *inflater) takeSymbol(c *prefixCode) int {
	if entry := c.root[f.buffer&(1<<rootBits-1)]; entry != 0 {
		f.buffer >>= entry & 15
		f.held -= int(entry & 15)
		return int(entry >> 4)
	}
	code, first, place := 0, 0, 0
	for length := 1; length <= longestCode; length++ {
		code |= f.takeBits(1)
		count := int(c.count[length])
		if code < first+count {
			return int(c.symbols[place+code-first])
		}
		place, first, code = place+count, (first+count)<<1, code<<1
	}
	return -1
}

// makeFixed makes the codes of blocks that bring none.
func (f *inflater) makeFixed() {
	for i := range f.lengths {
		switch {
		case i >= maxLiterals:
			f.lengths[i] = 5
		case i >= 144 && i < 256:
			f.lengths[i] = 9
		case i >= 256 && i < 280:
			f.lengths[i] = 7
		default:
			f.lengths[i] = 8
		}
	}
	f.literals.makeCode(f.lengths[:maxLiterals])
	f.distances.makeCode(f.lengths[maxLiterals:])
}

// readCodes reads the codes of a block, which are coded themselves.
func (f *inflater) readCodes() bool {
	literals, distances, given := f.takeBits(5)+firstLength, f.takeBits(5)+1, f.takeBits(4)+4
	f.lengths = [maxLiterals + maxDistances]byte{}
	for i := range given {
		f.fillBuffer()
		f.lengths["\x10\x11\x12\x00\x08\x07\x09\x06\x0a\x05\x0b\x04\x0c\x03\x0d\x02\x0e\x01\x0f"[i]] = byte(f.takeBits(3))
	}
	if left := f.literals.makeCode(f.lengths[:19]); left != 0 {
		return false
	}
	for at := 0; at < literals+distances; {
		f.fillBuffer()
		symbol, before, times := f.takeSymbol(&f.literals), byte(0), 1
		switch {
		case symbol < 16:
			before = byte(symbol)
		case symbol == 16 && at > 0:
			before, times = f.lengths[at-1], 3+f.takeBits(2)
		case symbol == 17:
			times = 3 + f.takeBits(3)
		case symbol == 18:
			times = 11 + f.takeBits(7)
		default:
			return false
		}
		if symbol < 0 || f.held < 0 || at+times > literals+distances {
			return false
		}
		for end := at + times; at < end; at++ {
			f.lengths[at] = before
		}
	}
	left := f.distances.makeCode(f.lengths[literals : literals+distances])
	return f.literals.makeCode(f.lengths[:literals]) == 0 && literals <= 286 && (left == 0 || f.distances.isSingle())
}

// A prefixCode is a Huffman code.
type prefixCode struct {
	root    [1 << rootBits]uint16   // For the next bits the symbol and, in four bits, its length; 0 for longer ones.
	count   [longestCode + 1]uint16 // How many symbols have a code of each length.
	symbols [maxLiterals]uint16     // In the order of their codes.
}

// makeCode makes the code from the length of each symbol's, and returns how many codes are left over: fewer
// than none where there are too many.
func (c *prefixCode) makeCode(lengths []byte) (left int) {
	c.count = [longestCode + 1]uint16{}
	for _, length := range lengths {
		c.count[length]++
	}
	c.count[0] = 0
	var place [longestCode + 2]uint16 // Where the next symbol of a length goes.
	left = 1
	for length := 1; length <= longestCode; length++ {
		if left = left<<1 - int(c.count[length]); left < 0 {
			return left
		}
		place[length+1] = place[length] + c.count[length]
	}
	for symbol, length := range lengths {
		if length > 0 {
			c.symbols[place[length]] = uint16(symbol)
			place[length]++
		}
	}
	// The table doubles with each bit: what it holds stands for all bits that may follow.
	code, at, size := 0, 0, 1 // The next code, its first bit the lowest.
	for c.root[0] = 0; size < 1<<rootBits; size *= 2 {
		copy(c.root[size:2*size], c.root[:size])
		length := bits.Len(uint(size))
		for range c.count[length] {
			c.root[code] = c.symbols[at]<<4 | uint16(length)
			at++
			bit := size
			for ; code&bit != 0; bit /= 2 {
				code -= bit
			}
			code += bit
		}
	}
	return left
}

// isSingle says whether the code has one symbol of one bit, or none.
func (c *prefixCode) isSingle() bool {
	return c.count == [longestCode + 1]uint16{1: c.count[1]} && c.count[1] <= 1
}
