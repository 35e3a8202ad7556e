package deadend

import "encoding/binary"

// An outline is kept as bytes: for each way how long its parts are and how much of their weight may be
// missing, and for each part its weight and half of the bits of its trait, and of its other one where it has
// another. By chance an action has the same halves seldom, and never all of a rule.

// hasOther marks the weight of a part that has two traits.
const hasOther = 0x80

// halfOf is the half of a trait that is kept.
func halfOf(t Trait) uint16 { return uint16(t>>16) ^ uint16(t) } //nolint:gosec // The bits of a sum.

// Append appends an outline.
func (o Outline) Append(out []byte) []byte {
	for _, w := range o.ways {
		var parts []byte
		spare := -max(0, w.least)
		for _, p := range w.parts {
			spare += p.weight
			parts = append(parts, byte(p.weight)) //nolint:gosec // A few words at most.
			if p.other != p.trait {
				parts[len(parts)-1] |= hasOther
			}
			parts = binary.BigEndian.AppendUint16(parts, halfOf(p.trait))
			if p.other != p.trait {
				parts = binary.BigEndian.AppendUint16(parts, halfOf(p.other))
			}
		}
		if spare >= 0 { // Else nothing meets the rule in that way.
			out = binary.AppendUvarint(binary.AppendUvarint(out, uint64(len(parts))), uint64(spare))
			out = append(out, parts...)
		}
	}
	return out
}

// Kept is an outline as Append wrote it.
type Kept []byte

// Weigh says how much of the rule an action with these traits has, in the way of which it has most: the share
// first, then whether all is wanted, and then the weight. It is 0 only where the action does not meet the
// rule. It is not ok where the bytes are those of no outline.
func (k Kept) Weigh(t Traits) (most int, ok bool) {
	for len(k) > 0 {
		length, n := binary.Uvarint(k)
		if n <= 0 {
			return 0, false
		}
		spare, m := binary.Uvarint(k[n:])
		if k = k[n:]; m <= 0 || length > uint64(len(k)-m) {
			return 0, false
		}
		of := k[m : m+int(length)] //nolint:gosec // Not above the length of the bytes.
		k = k[m+len(of):]
		there, missing := 0, 0
		for len(of) > 0 && uint64(missing) <= spare {
			size, either := 3, of[0]&hasOther != 0
			if either {
				size = 5
			}
			if len(of) < size {
				return 0, false
			}
			weight := int(of[0] &^ hasOther)
			if t.mayHave(binary.BigEndian.Uint16(of[1:])) || either && t.mayHave(binary.BigEndian.Uint16(of[3:])) {
				there += weight
			} else {
				missing += weight
			}
			of = of[size:]
		}
		if uint64(missing) <= spare {
			const whole = 1 << 10
			weight := 1 + there*whole/max(1, there+missing)*2*whole + min(there, whole-1)
			if spare == 0 { // Commands and files, which may be met for certain, come before words.
				weight += whole
			}
			most = max(most, weight)
		}
	}
	return most, true
}
