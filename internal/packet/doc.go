// Package packet reads, checks and writes the records that git ltm stores:
// Core Memory Packets, notes, skips, and the events that say what became of them.
//
// The package is pure. It turns bytes into values and values into bytes; it
// reads no file, no clock, no environment and no randomness but what a caller
// hands in.
//
// It promises that a record that [Parse] accepts has exactly one encoding:
// [Record.Encode] of it, parsed again, encodes to the same bytes. The encoding
// has the members in the order of their table, then the members that no table
// knows in byte order, two blanks for each level, one newline at the end, and
// none of the optional members that say nothing.
//
// It never guesses. A doubled member, a member that differs from another one
// only in case, a control character or half of a surrogate pair is refused,
// and every problem is reported at once. Members that no table knows are kept
// as they are.
package packet

// Version is the newest version of a packet, and the one that is written.
const Version = "0.3"

// The bounds of a record. The sizes are those of the canonical encoding in
// bytes; the depth counts objects and arrays, the document being the first.
const (
	MaxPacket = 32768
	MaxSmall  = 4096 // of a note, a skip or an event
	MaxDepth  = 16
)
