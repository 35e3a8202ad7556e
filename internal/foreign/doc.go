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
