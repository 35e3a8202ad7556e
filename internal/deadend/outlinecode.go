package deadend

import "encoding/binary"

// An outline is kept as bytes: for each way the number of its parts and the least weight, and for each part its weight and its
// traits. All numbers are small, or of four bytes.
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

// ParseOutline reads what Append wrote, and reports whether it was that.
func ParseOutline(data []byte) (o Outline, ok bool) {
	for len(data) > 0 {
		parts, n := binary.Uvarint(data)
		if n <= 0 {
			return o, false
		}
		least, m := binary.Uvarint(data[n:])
		if data = data[n:]; m <= 0 || parts > uint64(len(data)) || least > 1<<16 {
			return o, false
		}
		if data = data[m:]; len(data) < int(parts)*partBytes { //nolint:gosec // Not above the length of the data.
			return o, false
		}
		w := way{least: int(least)}
		for range parts {
			w.parts = append(w.parts, part{
				weight: int(data[0]), trait: Trait(binary.BigEndian.Uint32(data[1:])), other: Trait(binary.BigEndian.Uint32(data[5:])),
			})
			data = data[partBytes:]
		}
		o.ways = append(o.ways, w)
	}
	return o, true
}
