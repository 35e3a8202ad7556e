package garden

import "math/bits"

// A sketch has a bit for each run of three characters of a text. It bounds the
// similarity of two texts from above, at a small part of the price of telling it.
type sketch [32]uint64

// sketchOf returns the sketch of a text.
func sketchOf(s string) *sketch {
	var k sketch
	eachRun(s, func(run uint64) {
		run *= 0x9e3779b97f4a7c15 // Spreads close numbers over all bits.
		k[run>>59] |= 1 << (run >> 53 & 63)
	})
	return &k
}

// maxSimilarity returns what the similarity to a text of the sketch o does not exceed.
// Size is the number of runs of the text that k was made of.
func (k *sketch) maxSimilarity(size int, o *sketch) float64 {
	mine, theirs := 0, 0 // At least so many runs are in the one text only.
	for i := range k {
		mine += bits.OnesCount64(k[i] &^ o[i])
		theirs += bits.OnesCount64(o[i] &^ k[i])
	}
	return shareOf(size-mine, size+theirs)
}
