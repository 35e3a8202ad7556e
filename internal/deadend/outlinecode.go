package deadend

import (
	"encoding/binary"
	"math"
)

// An outline is kept as bytes: for each way the number of its parts and the least weight, and for each part
// its weight and its traits. All numbers are small, or of four bytes.
const partBytes = 9

// Append appends an outline.
func (o Outline) Append(out []byte) []byte {
	for _, w := range o.ways {
		out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(len(w.parts))), uint64(max(0, w.least)))
		for _, p := range w.parts {
			out = append(out, byte(p.weight)) //nolint:gosec // A few words at most.
			out = binary.BigEndian.AppendUint32(out, uint32(p.trait))
			out = binary.BigEndian.AppendUint32(out, uint32(p.other))
		}
	}
	return out
}

// Kept is an outline as Append wrote it.
type Kept []byte

// MayMeet says whether an action with these traits may meet the rule. Where it says no, the action does not.
// It is not ok where the bytes are those of no outline.
func (k Kept) MayMeet(t Traits) (may, ok bool) {
	for len(k) > 0 {
		parts, n := binary.Uvarint(k)
		if n <= 0 {
			return false, false
		}
		least, m := binary.Uvarint(k[n:])
		if k = k[n:]; m <= 0 || parts > uint64(len(k)) || least > math.MaxInt32 {
			return false, false
		}
		if k = k[m:]; len(k) < int(parts)*partBytes { //nolint:gosec // Not above the length of the bytes.
			return false, false
		}
		of := k[:parts*partBytes]
		k = k[len(of):]
		spare := -int(least) // how much of the weight may be missing
		for at := 0; at < len(of); at += partBytes {
			spare += int(of[at])
		}
		for ; len(of) > 0 && spare >= 0; of = of[partBytes:] {
			trait, other := Trait(binary.BigEndian.Uint32(of[1:])), Trait(binary.BigEndian.Uint32(of[5:]))
			if !t.has[trait] && (other == trait || !t.has[other]) {
				spare -= int(of[0])
			}
		}
		may = may || spare >= 0
	}
	return may, true
}
